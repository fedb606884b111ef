// The part of an address after "#", which browsers do not send: the move shown and, optionally, a compressed record.

/** Maximum length of a record in an address. */
const MOST = 65536;
const NAME = "record";

/**
 * @param {Uint8Array<ArrayBuffer>} bytes @param {CompressionStream | DecompressionStream} through @param {number} most
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function passed(bytes, through, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
  const parts = [];
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length;
    // A small compressed text can expand to any size.
    if (length > most) {
      await reader.cancel();
      throw new RangeError("too long");
    }
    parts.push(next.value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Return the part after "#" for a record. @param {string} record */
export async function fragmentOf(record) {
  const pressed = await passed(new TextEncoder().encode(record), new CompressionStream("deflate-raw"), MOST);
  const letters = btoa(Array.from(pressed, (byte) => String.fromCharCode(byte)).join(""));
  return fragmentOfText(letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""));
}

/** Return the part after "#" for a compressed record. @param {string} letters */
export const fragmentOfText = (letters) => `#${NAME}=${letters}`;

/** Whether an address contains a record. @param {string} fragment */
export const carriesRecord = (fragment) => fragment.startsWith(`#${NAME}=`);

/** Return the record of an address; null if there is none or it is unreadable. @param {string} fragment */
export async function recordOf(fragment) {
  if (!carriesRecord(fragment)) return null;
  try {
    const letters = fragment
      .slice(NAME.length + 2)
      .replace(/&.*/, "")
      .replaceAll("-", "+")
      .replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(
      await passed(bytes, new DecompressionStream("deflate-raw"), MOST),
    );
  } catch {
    return null;
  }
}

/** Return the move of an address, from 1; 0 without one. @param {string} fragment */
export const moveOf = (fragment) => Number(/[#&]move=(\d{1,5})$/.exec(fragment)?.[1] ?? 0);

/** @param {string} fragment @param {number} move */
export function fragmentAt(fragment, move) {
  const record = carriesRecord(fragment) ? fragment.slice(1).replace(/&.*/, "") : "";
  return [record, move > 1 ? `move=${move}` : ""]
    .filter(Boolean)
    .map((part, place) => (place ? "&" : "#") + part)
    .join("");
}
