// The clock: a thin line, a number in the last seconds, a text next to the name of an absent player. The server sends
// the seconds left and who plays for whom; the page counts down.

import { all, byId, find, make } from "../../elements.js";
import { text } from "../../text.js";
import { loadStyleSheet, loadMoreWords } from "../../lazy.js";
import { gathers } from "../dealing/seal.js";
import { READ, newScene, pause } from "../../settings/pace.js";
import { subscribe } from "../subscribers.js";

/** Number of last seconds that are shown as a number and read aloud. */
const SOON = 15;
const [MINUTE, HOUR] = [60, 3600];

/** Whether the words are loaded, and whether the last seconds of this move were read aloud. */
const shown = { ready: false, soon: false };
/** What ends the summary that will end by itself. @type {Table.State["resume"]} */
let ending = null;

const line = make("div.clock-line", { "aria-hidden": "true" });
const number = make("div.clock-number.text-center.rounded", { "aria-hidden": "true" });
const aloud = make("div.visually-hidden.clock-aloud", { role: "status" });

/** Return the seconds left for a seat. @param {Table.State} state @param {Wire.SeatTime} seat */
const leftOf = ({ clock }, { seconds_left }) =>
  seconds_left === null || !clock ? 0 : Math.max(0, seconds_left - (performance.now() - clock.at) / 1000);

/** Format a time: 1:40, 12, 19 h. @param {number} seconds @param {number} [bare] below this number, only seconds are shown */
function inFigures(seconds, bare = MINUTE) {
  const whole = Math.ceil(seconds);
  if (whole >= HOUR) return text("clock.hours", { n: Math.ceil(whole / HOUR) });
  return whole < bare
    ? text("clock.seconds", { n: whole })
    : `${Math.floor(whole / MINUTE)}:${String(whole % MINUTE).padStart(2, "0")}`;
}

/** @param {Table.State} state @param {Table.Actions} actions @param {Wire.Clock} now */
export async function takeClock(state, actions, now) {
  if (!state.clock) begin(state, actions);
  state.clock = { now, at: performance.now() };
  await loadMoreWords("clock");
  shown.ready = true;
  // Without a view there is nothing to draw.
  if (state.match) actions.render();
}

/** @param {Table.State} state @param {Table.Actions} actions */
function begin(state, actions) {
  loadStyleSheet("play/seats/clock");
  find(document, ".actions")?.append(line);
  find(document, ".status")?.append(number);
  byId("felt").append(aloud);
  subscribe({ picture: () => show(state, actions) });
  setInterval(() => state.match && show(state, actions), 250);
}

/** Return the seat whose game the others may claim because its player is away or idle. @param {Table.State} state */
function claimedSeat({ clock, view }) {
  if (clock?.now.on_timeout !== "claim" || view.won) return -1;
  return clock.now.seats.findIndex((seat, at) => at !== view.seat && seat.running !== null);
}

/** Return the level that plays for the reader, if any. @param {Table.State} state */
const ownLevel = ({ clock, view }) => clock?.now.seats[view.seat].level;

/** End a summary after some time if a level plays for the reader, because the game continues. @param {Table.State} state */
async function endSummary(state) {
  const { resume } = state;
  if (!resume || resume === ending || !ownLevel(state)) return;
  ending = resume;
  newScene();
  await pause(READ);
  ending = null;
  if (state.resume === resume && ownLevel(state)) resume();
}

/** Return the prompt and buttons while a player is away or idle. @param {Table.State} state */
function awayOf(state) {
  const { clock, view } = state;
  // A reader who can act is not asked to wait.
  const acts = state.settled && view.to_act.includes(view.seat) && !gathers(state);
  if (!clock || (acts && !ownLevel(state))) return null;
  const prompt = view.won ? "" : words(state);
  const offers = view.won || !ownLevel(state) ? claims(state) : [COME_BACK()];
  return prompt || offers.length ? { prompt, offers } : null;
}

/** @returns {Table.Offer} */
const COME_BACK = () => ({
  id: "come-back",
  action: "come-back",
  words: text("clock.come-back"),
  primary: true,
  message: { t: "come-back" },
  counts: null,
  open: true,
});

/** Return the claims that are possible once the time is up. @param {Table.State} state */
function claims(state) {
  const seat = claimedSeat(state);
  if (seat < 0 || !state.clock) return [];
  const name = state.names[seat];
  const gathering = gathers(state);
  const open = leftOf(state, state.clock.now.seats[seat]) <= 0;
  /** @param {"forfeit" | "level"} outcome @param {string} words @returns {Table.Offer} */
  const offer = (outcome, words) => ({
    id: `claim-${seat}-${outcome}-${gathering ? "close" : "play"}`,
    action: `claim-${outcome}`,
    words,
    primary: false,
    message: { t: "claim-absent", d: { seat, outcome } },
    counts: seat,
    open,
  });
  // Before the first card there is no game to win and no level to replace a player.
  if (gathering) return [offer("forfeit", text("clock.claim.close"))];
  return [
    offer("forfeit", state.view.rules.seats === 2 ? text("clock.claim.win") : text("clock.claim.end", { name })),
    offer("level", text("clock.claim.level", { level: text("level.club") })),
  ];
}

/** @param {Table.State} state */
function words(state) {
  const { clock, view, names } = state;
  if (!clock) return "";
  const { seats, on_timeout } = clock.now;
  const claimed = claimedSeat(state);
  if (claimed >= 0) {
    const isIdle = seats[claimed].running === "move";
    const [before, after, seconds] = isIdle
      ? ["clock.claim.idle", "clock.claim.idle.now", clock.now.move_seconds]
      : ["clock.claim.words", "clock.claim.now", clock.now.away_seconds];
    const minutes = Math.ceil((seconds ?? 0) / MINUTE);
    return text(leftOf(state, seats[claimed]) > 0 ? before : after, { name: names[claimed], minutes });
  }
  const own = ownLevel(state);
  if (own) return text("clock.plays.you", { level: text(`level.${own}`) });
  const away = view.to_act.find((seat) => seats[seat].running === "away");
  if (away === undefined) return "";
  const name = names[away];
  return on_timeout === "forfeit"
    ? text("clock.away.forfeit", { name })
    : text("clock.away.level", { name, level: text(`level.${on_timeout}`) });
}

/** @param {Table.State} state @param {Table.Actions} actions */
function show(state, actions) {
  const { clock, view } = state;
  if (!clock || !shown.ready) return;
  void endSummary(state);
  const away = awayOf(state);
  if (JSON.stringify(away) !== JSON.stringify(state.away)) {
    state.away = away;
    return actions.render();
  }
  const { seats, move_seconds } = clock.now;
  const over = view.won !== null;
  const own = seats[view.seat];
  const left = leftOf(state, own);
  const runs = !over && own.running === "move" && (move_seconds ?? HOUR) < HOUR;
  line.hidden = !runs;
  if (runs) line.style.setProperty("--left", String(Math.min(1, left / (move_seconds ?? 1))));
  number.hidden = !runs || left > SOON;
  if (!number.hidden && number.textContent !== inFigures(left)) number.textContent = inFigures(left);
  if (own.running !== "move" || left > SOON) shown.soon = false;
  if (!number.hidden && !shown.soon) {
    shown.soon = true;
    aloud.textContent = text("clock.soon", { n: Math.ceil(left) });
  } else if (!runs) aloud.textContent = "";
  for (const seat of seats.keys()) if (seat !== view.seat) clockByName(state, seat, over);
  for (const { id, counts, open } of away?.offers ?? []) {
    const rest = find(byId("buttons"), `#${id} .claim-left`);
    const figures = open || counts === null ? "" : ` ${inFigures(leftOf(state, seats[counts]), 0)}`;
    if (rest && rest.textContent !== figures) rest.textContent = figures;
  }
}

/** Describe a seat's clock in words. @param {Table.State} state @param {number} seat @param {boolean} over */
function clockByName(state, seat, over) {
  if (!state.clock) return;
  const { seats, move_seconds } = state.clock.now;
  const { level, running } = seats[seat];
  const plate = find(byId("seats"), `[data-seat="${seat}"] .plate`);
  if (!plate) return;
  const left = leftOf(state, seats[seat]);
  const words = over
    ? ""
    : level !== null
      ? text("clock.plays", { level: text(`level.${level}`) })
      : running === "away"
        ? text("clock.away", { time: inFigures(left, 0) })
        : running && (left <= SOON || left >= HOUR || (move_seconds ?? HOUR) <= MINUTE)
          ? inFigures(left)
          : "";
  // With several opponents there is space only for the figures or the level.
  const crowded = seats.length > 2 && matchMedia("(max-width: 40rem)").matches;
  const brief = !crowded
    ? words
    : level !== null
      ? text(`level.${level}`)
      : inFigures(left, running === "away" ? 0 : MINUTE);
  const [mark] = all(plate, ".plate-clock");
  if (!words) return mark?.remove();
  const own = mark ?? make("small.plate-clock.nowrap.rigid", { role: "timer" });
  own.dataset.clock = level !== null ? "level" : (running ?? "");
  if (own.title !== words) own.title = words;
  if (own.textContent !== brief) own.textContent = brief;
  if (!mark) plate.append(own);
}
