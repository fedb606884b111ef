// The line to the table: resumes after the last version seen, tries again by itself, never loses an action silently.

/** The version of the messages (docs/protocol.md): the server refuses a page of another. */
export const PROTOCOL = "2";

/**
 * @param {string} game @param {string} lang
 * @param {{opening: () => Record<string, string>, message: (message: Wire.ServerMessage) => unknown, state: (state:
 *   "open" | "lost" | "gone") => void}} hear
 */
export function connect(game, lang, hear) {
  let seen = 0;
  let known = false;
  let wait = 400;
  let refusals = 0;
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function open() {
    clearTimeout(timer);
    const address = new URL(`/game/${game}/socket`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("protocol", PROTOCOL);
    address.searchParams.set("lang", lang);
    if (known) address.searchParams.set("v", String(seen));
    for (const [name, value] of Object.entries(hear.opening())) address.searchParams.set(name, value);
    const own = new WebSocket(address);
    socket = own;
    own.addEventListener("open", () => {
      wait = 400;
      hear.state("open");
    });
    own.addEventListener("message", ({ data }) => {
      /** @type {Wire.ServerMessage} */
      const message = JSON.parse(data);
      refusals = 0;
      if (message.t === "event" && known && message.v <= seen) return;
      if ("v" in message) seen = message.v;
      if (message.t === "table") known = true;
      hear.message(message);
    });
    own.addEventListener("close", ({ code }) => {
      if (socket !== own) return;
      // 1008 and 4xxx: the server knows why, and asking again will not help.
      refusals += 1;
      const final = code === 1008 || code >= 4000 || (!known && refusals > 6);
      hear.state(final ? "gone" : "lost");
      if (final) return;
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 1.7, 5000);
    });
  }

  addEventListener("online", () => socket?.readyState === WebSocket.CLOSED && open());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && socket?.readyState === WebSocket.CLOSED) open();
  });
  open();
  return {
    /** Whether it could be sent. @param {Wire.PageMessage} message */
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
  };
}
