// The connection to a table: it resumes after the last received version and reconnects.

import { lang } from "../text.js";

/** Version of the messages (docs/protocol.md); the server refuses other versions. */
const PROTOCOL = "1";

/**
 * Connect and reconnect. If the first `attempts` fail, the table is gone.
 * @template {{t: string}} M
 * @param {string} path @param {Table.LineHandlers<M>} on
 * @param {{first: number, longest: number, attempts: number}} [waits] milliseconds between attempts
 */
export function connect(path, { query, receive, state }, { first, longest, attempts } = PLAYER) {
  let seen = 0;
  let known = false;
  let wait = first;
  let refusals = 0;
  let asked = 0;
  let patience = ANSWERED;
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function open() {
    const address = new URL(path, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("protocol", PROTOCOL);
    address.searchParams.set("lang", lang);
    if (known) address.searchParams.set("v", String(seen));
    for (const [name, value] of Object.entries(query?.() ?? {})) address.searchParams.set(name, value);
    const own = new WebSocket(address);
    // A proxy may accept the connection without a server behind it: the connection is open once a message has arrived.
    let heard = false;
    socket = own;
    after(OPENED, again);
    own.addEventListener("open", () => {
      // The table itself may be slow.
      if (socket === own) after(MOST_PATIENT, again);
    });
    own.addEventListener("message", ({ data }) => {
      if (socket !== own) return;
      listen();
      if (!heard) state("open");
      heard = true;
      wait = first;
      refusals = 0;
      for (const line of data.split("\n")) {
        if (socket !== own) return;
        /** @type {M & {v?: number}} */
        const message = JSON.parse(line);
        if (message.t === "pong" && performance.now() - asked < ANSWERED) patience = ANSWERED;
        if (message.t === "event" && known && (message.v ?? 0) <= seen) continue;
        if (message.v !== undefined) seen = message.v;
        if (message.t === "table") known = true;
        receive(message);
      }
    });
    own.addEventListener("close", ({ code }) => {
      if (socket !== own) return;
      // 1008 and 4xxx: the server refuses, and asking again will not help.
      refusals += 1;
      const final = code === 1008 || code >= 4000 || (!known && refusals > attempts);
      socket = null;
      state(final ? "gone" : "lost");
      clearTimeout(timer);
      if (final) return listening.abort();
      after(wait, open);
      wait = Math.min(wait * 1.7, longest);
    });
  }

  /** @param {number} ms @param {() => void} then called after the time */
  function after(ms, then) {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
  }

  /** After each message: ping if the connection is silent for a while. A hidden page does not ping. */
  function listen() {
    clearTimeout(timer);
    if (!document.hidden) after(QUIET, ask);
  }

  function ask() {
    asked = performance.now();
    socket?.send(JSON.stringify({ t: "ping" }));
    after(patience, again);
  }

  /** Close a dead connection; the browser would notice only after minutes. */
  function drop() {
    const own = socket;
    socket = null;
    own?.close();
    state("lost");
  }

  /** Wait longer after each attempt, so that a slow server gets fewer connections. */
  function again() {
    patience = Math.min(patience * 2, MOST_PATIENT);
    drop();
    open();
  }

  function back() {
    if (socket?.readyState === WebSocket.OPEN) ask();
    else if (!socket) open();
  }

  const listening = new AbortController();
  const { signal } = listening;
  addEventListener(
    "offline",
    () => {
      drop();
      after(longest, open);
    },
    { signal },
  );
  addEventListener("online", back, { signal });
  document.addEventListener("visibilitychange", () => document.hidden || back(), { signal });
  open();
  return {
    /** Send a message. Return false if that is impossible. @param {Wire.PageMessage | Omit<Wire.Act, "v">} message */
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      // With the version seen at the press: the message may arrive late.
      socket.send(JSON.stringify(message.t === "act" ? { ...message, v: seen } : message));
      return true;
    },
  };
}

/** Milliseconds until a connection must be open, until a silent server is pinged, and until it must answer. */
const OPENED = 5000;
const QUIET = 2000;
const ANSWERED = 2500;
const MOST_PATIENT = 20_000;
const PLAYER = { first: 400, longest: 5000, attempts: 6 };
export const SPECTATOR = { first: 1000, longest: 15000, attempts: Number.POSITIVE_INFINITY };
