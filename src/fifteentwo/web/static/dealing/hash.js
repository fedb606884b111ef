// SHA-256 and HMAC (FIPS 180-4, RFC 2104). Browsers offer them only to pages loaded by https, which a table in a home
// network is not; and a million decks need three million hashes. Tests compare the results with node's.

const ROUNDS = new Int32Array(64);
const START = new Int32Array(8);
for (let prime = 2, n = 0; n < 64; prime += 1) {
  let divisor = 2;
  while (divisor * divisor <= prime && prime % divisor) divisor += 1;
  if (divisor * divisor <= prime) continue;
  const fraction = (/** @type {number} */ root) => Math.floor((root % 1) * 2 ** 32) | 0;
  ROUNDS[n] = fraction(Math.cbrt(prime));
  if (n < 8) START[n] = fraction(Math.sqrt(prime));
  n += 1;
}

const BLOCK = 64;
const words = new Int32Array(64);

/** Add one block of 64 bytes to a state. @param {Int32Array} state @param {Uint8Array} bytes @param {number} from */
function take(state, bytes, from) {
  for (let i = 0; i < 16; i += 1) {
    const at = from + 4 * i;
    words[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let i = 16; i < 64; i += 1) {
    const [p, q] = [words[i - 15], words[i - 2]];
    const small = ((p >>> 7) | (p << 25)) ^ ((p >>> 18) | (p << 14)) ^ (p >>> 3);
    const large = ((q >>> 17) | (q << 15)) ^ ((q >>> 19) | (q << 13)) ^ (q >>> 10);
    words[i] = (words[i - 16] + small + words[i - 7] + large) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const turned = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + turned + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
    const other =
      ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) +
        ((a & b) ^ (a & c) ^ (b & c))) |
      0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + other) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

/** @param {Uint8Array} bytes @param {Int32Array} [begun] @param {number} [before] */
function finish(bytes, begun = START, before = 0) {
  const state = begun.slice();
  const blocks = Math.floor((bytes.length + 8) / BLOCK) + 1;
  const padded = new Uint8Array(blocks * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, 8 * (bytes.length + before));
  for (let at = 0; at < padded.length; at += BLOCK) take(state, padded, at);
  const hash = new Uint8Array(32);
  const view = new DataView(hash.buffer);
  state.forEach((word, i) => view.setInt32(4 * i, word));
  return hash;
}

/** @param {Uint8Array} bytes */
export const sha256 = (bytes) => finish(bytes);

/** @param {Uint8Array} key @returns {(message: Uint8Array) => Uint8Array} */
export function keyed(key) {
  const [inner, outer] = [0x36, 0x5c].map((pad) => {
    const block = new Uint8Array(BLOCK).fill(pad);
    key.forEach((byte, i) => (block[i] ^= byte));
    const state = START.slice();
    take(state, block, 0);
    return state;
  });
  return (message) => finish(finish(message, inner, BLOCK), outer, BLOCK);
}

const coder = new TextEncoder();

/** @param {string} text */
export const bytesOf = (text) => coder.encode(text);

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Return 32 bytes from hexadecimal, or null. @param {string} text */
export function unhex(text) {
  if (!/^[0-9a-f]{64}$/i.test(text)) return null;
  return Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));
}
