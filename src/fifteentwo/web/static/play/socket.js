// The connection to a table: resumes after the last version received, and reconnects by itself.

import { lang } from "../text.js";

/** The version of the messages (docs/protocol.md): the server refuses a page of another. */
const PROTOCOL = "2";

/**
 * @template {{t: string}} M
 * @typedef {object} On
 * @property {() => Record<string, string>} [query] more parameters of the address, at every connection
 * @property {(message: M) => unknown} receive
 * @property {(state: "open" | "lost" | "gone") => void} state
 */

/**
 * Connect, and reconnect. After `attempts` in vain the table is gone, if it was never there.
 * @template {{t: string}} M
 * @param {string} path @param {On<M>} on
 * @param {{first: number, longest: number, attempts: number}} [waits] milliseconds between attempts
 */
export function connect(path, { query, receive, state }, { first, longest, attempts } = PLAYER) {
  let seen = 0;
  let known = false;
  let wait = first;
  let refusals = 0;
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function open() {
    clearTimeout(timer);
    const address = new URL(path, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("protocol", PROTOCOL);
    address.searchParams.set("lang", lang);
    if (known) address.searchParams.set("v", String(seen));
    for (const [name, value] of Object.entries(query?.() ?? {})) address.searchParams.set(name, value);
    const own = new WebSocket(address);
    socket = own;
    own.addEventListener("open", () => {
      wait = first;
      state("open");
    });
    own.addEventListener("message", ({ data }) => {
      /** @type {M & {v?: number}} */
      const message = JSON.parse(data);
      refusals = 0;
      if (message.t === "event" && known && (message.v ?? 0) <= seen) return;
      if (message.v !== undefined) seen = message.v;
      if (message.t === "table") known = true;
      receive(message);
    });
    own.addEventListener("close", ({ code }) => {
      if (socket !== own) return;
      // 1008 and 4xxx: the server knows why, and asking again will not help.
      refusals += 1;
      const final = code === 1008 || code >= 4000 || (!known && refusals > attempts);
      state(final ? "gone" : "lost");
      if (final) return;
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 1.7, longest);
    });
  }

  addEventListener("online", () => socket?.readyState === WebSocket.CLOSED && open());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && socket?.readyState === WebSocket.CLOSED) open();
  });
  open();
  return {
    /** Send a message; false where it could not be sent. @param {Wire.PageMessage} message */
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
  };
}

const PLAYER = { first: 400, longest: 5000, attempts: 6 };
export const SPECTATOR = { first: 1000, longest: 15000, attempts: Number.POSITIVE_INFINITY };
