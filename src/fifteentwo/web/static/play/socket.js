// @ts-check
// The line to the table: resumes after the last version seen, tries again by itself, never loses an action silently.

/**
 * @param {string} game @param {string} lang
 * @param {{message: (type: string, data: any, version?: number) => void, state: (state: "open" | "lost" | "gone") => void}} hear
 */
export function connect(game, lang, hear) {
  let seen = 0;
  let known = false;
  let wait = 400;
  let refusals = 0;
  /** @type {WebSocket | null} */
  let socket = null;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    const address = new URL(`/game/${game}/socket`, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("lang", lang);
    if (known) address.searchParams.set("v", String(seen));
    const own = new WebSocket(address);
    socket = own;
    own.addEventListener("open", () => {
      wait = 400;
      hear.state("open");
    });
    own.addEventListener("message", ({ data }) => {
      const { t, v, d } = JSON.parse(data);
      refusals = 0;
      if (t === "event" && known && v <= seen) return;
      if (typeof v === "number") seen = v;
      if (t === "table") known = true;
      hear.message(t, d, v);
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
    /** @param {string} type @param {any} [data] whether it could be sent */
    send(type, data) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(data === undefined ? { t: type } : { t: type, d: data }));
      return true;
    },
  };
}
