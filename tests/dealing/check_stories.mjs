// How a page checks what a server sends, as JSON: does it send its seed, what does it find?
import { readFileSync } from "node:fs";

const store = new Map();
Object.defineProperty(globalThis, "localStorage", {
  value: { getItem: (name) => store.get(name) ?? null, setItem: (name, value) => store.set(name, String(value)) },
  configurable: true,
});
const { monitorDealing } = await import("../../src/fifteentwo/web/static/dealing/monitor.js");

const { seed, stories } = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const found = {};
for (const [name, story] of Object.entries(stories)) {
  store.clear();
  store.set(`dealing/${name}`, seed);
  let monitor = monitorDealing(name);
  let revealed = false;
  for (const message of story) {
    if (message.t === "reload") monitor = monitorDealing(name);
    if (message.t === "seed") store.set(`dealing/${name}`, message.d);
    if (message.t === "event" && message.d.event) monitor.note(message.d.event);
    const answer =
      message.t === "dealing"
        ? monitor.hear(message.d)
        : message.t === "table" || message.t === "view"
          ? monitor.see(message.d.view)
          : null;
    if (answer?.t === "reveal") revealed = answer.d === seed;
  }
  await monitor.whole();
  const { game, unseen } = monitor.stands;
  found[name] = { revealed, fault: game?.fault ?? null, checked: game?.checked ?? 0, unseen };
}
console.log(JSON.stringify(found));
