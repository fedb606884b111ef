// The page's watch over what a server tells it, told as JSON: does it tell its seed, what does it find?
import { readFileSync } from "node:fs";

const store = new Map();
Object.defineProperty(globalThis, "localStorage", {
  value: { getItem: (name) => store.get(name) ?? null, setItem: (name, value) => store.set(name, String(value)) },
  configurable: true,
});
const { watchOver } = await import("../../src/fifteentwo/web/static/dealing/watch.js");

const { seed, stories } = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const told = {};
for (const [name, story] of Object.entries(stories)) {
  store.clear();
  store.set(`dealing/${name}`, seed);
  let watch = watchOver(name);
  let revealed = false;
  for (const message of story) {
    if (message.t === "reload") watch = watchOver(name);
    if (message.t === "seed") store.set(`dealing/${name}`, message.d);
    if (message.t === "event" && message.d.event) watch.note(message.d.event);
    const answer = message.t === "dealing" ? watch.hear(message.d) : message.t === "table" || message.t === "view" ? watch.see(message.d.view) : null;
    if (answer?.t === "reveal") revealed = answer.d === seed;
  }
  await watch.whole();
  const { game, unseen } = watch.stands;
  told[name] = { revealed, fault: game?.fault ?? null, checked: game?.checked ?? 0, unseen };
}
console.log(JSON.stringify(told));
