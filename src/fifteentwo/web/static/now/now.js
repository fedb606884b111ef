// Play now: ask every two seconds whether an opponent has come. The page of a person who waits then opens the table. A
// table's page asks during a game against a level, and otherwise until the first card.

import { all, byId, find, pressed } from "../elements.js";

const EVERY_MS = 2000;
/** Milliseconds between the sound and the opening of the table. */
const SOUND_MS = 400;

const root = byId("now");
const { game: shown = "", ready = "", waited = "0", leave = "" } = root.dataset;
const { title } = document;
const began = performance.now() - Number(waited) * 1000;
const state = { called: false, met: false, done: false };

/** @param {string} name @param {boolean} isShown */
function show(name, isShown) {
  for (const part of all(root, `[data-when="${name}"]`)) part.hidden = !isShown;
}

/** Say in the tab's title that the opponent is here, until the reader sees it. */
function nameTab() {
  document.title = state.called || document.hidden ? ready : title;
}

async function call() {
  state.called = true;
  nameTab();
  // A browser is silent until the reader presses something on the page: on the page of the wait, the switch.
  const isOn = find(root, '[name="sound"]', HTMLInputElement)?.checked ?? navigator.userActivation?.hasBeenActive;
  if (isOn) (await import("../settings/sound.js")).SOUNDS.knock();
}

/** @param {{waits: boolean, game: string | null, others: string, begun?: boolean, missing?: boolean}} answer */
function take({ waits, game, others, begun = false, missing = false }) {
  show("come", game !== null && game !== shown);
  show("missing", game === shown && missing);
  // The game has begun, or the wait has ended in another window.
  state.done = game === shown ? begun : !waits;
  state.met ||= game === shown;
  if (state.met) nameTab();
  else if (game && !state.called) void call();
  if (shown) return;
  byId("others").textContent = others;
  if (game) setTimeout(() => location.replace(`/game/${game}?now=yes`), SOUND_MS);
  else if (!waits) location.reload();
}

async function ask() {
  try {
    const answer = await fetch("/now/answer", { cache: "no-store" });
    if (answer.ok) take(await answer.json());
  } catch {
    // No connection at present: the next request may succeed.
  }
  if (!state.done) setTimeout(ask, EVERY_MS);
}

function count() {
  const seconds = Math.floor((performance.now() - began) / 1000);
  byId("waited").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Ask before the reader leaves a game against a person, which would be lost. @param {MouseEvent} event */
function askToLeave(event) {
  const isPlaying = state.met && byId("table").dataset.phase !== "over";
  if (isPlaying && pressed(event, 'a[href^="/"]:not([target])') && !confirm(leave)) event.preventDefault();
}

document.addEventListener("click", askToLeave);
document.addEventListener("visibilitychange", () => {
  if (state.met) nameTab();
});
if (!shown) setInterval(count, 1000);
void ask();
