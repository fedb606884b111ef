// How long people still have: a thin line while there is time, a number in the last seconds, a word beside who is away.
// The server says how many seconds are left and who plays for whom; the page counts.

import { all, byId, find, make } from "../elements.js";
import { say } from "../say.js";
import { lookOn } from "./onlookers.js";
import { moreStyle, moreWords } from "./more.js";

/** @typedef {import("./desk.js").Desk} Desk */

/** Seconds from which on the time is a number, and is said. */
const SOON = 15;
const [MINUTE, HOUR] = [60, 3600];

/** @type {{now: Wire.Clock, at: number} | null} */
let told = null;
/** Whether it has come since the last picture, and whether its words are here. */
let [fresh, ready] = [false, false];
/** The move whose last seconds were said. */
let said = false;

const line = make("div.clock-line", { "aria-hidden": "true" });
const number = make("div.clock-number", { "aria-hidden": "true" });
const aloud = make("div.visually-hidden.clock-aloud", { role: "status" });

/** @param {Wire.SeatTime} seat */
const leftOf = (seat) =>
  seat.left === null || !told ? 0 : Math.max(0, seat.left - (performance.now() - told.at) / 1000);

/** A time as it is read: 1:40, 12, 19 h. @param {number} seconds @param {number} [bare] below so many, seconds alone */
function inFigures(seconds, bare = MINUTE) {
  const whole = Math.ceil(seconds);
  if (whole >= HOUR) return say("clock.hours", { n: Math.ceil(whole / HOUR) });
  return whole < bare ? String(whole) : `${Math.floor(whole / MINUTE)}:${String(whole % MINUTE).padStart(2, "0")}`;
}

/** @param {Desk} desk @param {Wire.Clock} now */
export async function takeClock(desk, now) {
  if (!told) begin(desk);
  told = { now, at: performance.now() };
  fresh = true;
  await moreWords("clock");
  ready = true;
  // Before the first picture there is nothing to show it on.
  if (desk.match) take(desk);
}

/** Once it has come: what stands in place of the prompt and the buttons. @param {Desk} desk */
function take(desk) {
  if (!told || !fresh || !ready) return show(desk);
  fresh = false;
  const own = told.now.seats[desk.view.seat];
  const button = own.level === null ? null : (desk.clock?.button ?? comeBack(desk));
  desk.clock = { words: () => words(desk), button, claims: claims(desk) };
  if (own.runs !== "move" || leftOf(own) > SOON) said = false;
  desk.render();
  show(desk);
}

/** @param {Desk} desk */
function begin(desk) {
  moreStyle("clock");
  find(document, ".actions")?.append(line);
  find(document, ".told")?.append(number);
  byId("felt").append(aloud);
  lookOn({ picture: take });
  setInterval(() => desk.match && show(desk), 250);
}

/** @param {Desk} desk */
const comeBack = (desk) =>
  make(
    "button.button.button--primary",
    { type: "button", "data-action": "come-back", "data-primary": true, onclick: () => desk.send({ t: "come-back" }) },
    say("clock.come-back"),
  );

/** The seat of somebody away, where whoever stays may ask to go on without them. @param {Desk} desk */
function claimedSeat({ view }) {
  if (told?.now.then !== "claim" || view.won) return -1;
  return told.now.seats.findIndex((seat, at) => at !== view.seat && seat.runs === "away");
}

/** What may be asked for once the time is up; until then the buttons count it. @param {Desk} desk */
function claims(desk) {
  const seat = claimedSeat(desk);
  if (seat < 0) return [];
  const name = desk.names[seat];
  const idOf = (/** @type {string} */ then) => `claim-${seat}-${then}-${desk.gathers?.() ? "close" : "play"}`;
  // The buttons that stand there stay: the time is told again now and then.
  const known = (/** @type {string} */ then) => desk.clock?.claims.find((one) => one.id === idOf(then));
  /** @param {"forfeit" | "level"} then @param {string} words */
  const button = (then, words) =>
    known(then) ??
    make(
      "button.button",
      {
        type: "button",
        id: idOf(then),
        "data-action": `claim-${then}`,
        disabled: true,
        onclick: () => desk.send({ t: "claim-absent", d: { seat, then } }),
      },
      words,
      make("span.claim-left", { "aria-hidden": "true" }),
    );
  // Before the first card there is nothing to win, and nothing for a level to play.
  if (desk.gathers?.()) return [button("forfeit", say("clock.claim.close"))];
  return [
    button("forfeit", desk.view.rules.seats === 2 ? say("clock.claim.win") : say("clock.claim.end", { name })),
    button("level", say("clock.claim.level", { level: say("level.club") })),
  ];
}

/** What stands in place of the prompt; nothing where nobody is away. @param {Desk} desk */
function words(desk) {
  const { view, names } = desk;
  if (!told || view.won) return "";
  const claimed = claimedSeat(desk);
  if (claimed >= 0)
    return say(leftOf(told.now.seats[claimed]) > 0 ? "clock.claim.words" : "clock.claim.now", {
      name: names[claimed],
      minutes: Math.ceil((told.now.away ?? 0) / MINUTE),
    });
  const { seats, then } = told.now;
  const own = seats[view.seat].level;
  if (own) return say("clock.plays.you", { level: say(`level.${own}`) });
  const away = view.to_act.find((seat) => seats[seat].runs === "away");
  if (away === undefined) return "";
  const name = names[away];
  return then === "forfeit"
    ? say("clock.away.forfeit", { name })
    : say("clock.away.level", { name, level: say(`level.${then}`) });
}

/** @param {Desk} desk */
function show(desk) {
  if (!told || !ready) return;
  const { seats, move } = told.now;
  const over = desk.view.won !== null;
  const own = seats[desk.view.seat];
  const runs = !over && own.runs === "move" && (move ?? HOUR) < HOUR;
  const left = leftOf(own);
  line.hidden = !runs;
  if (runs) line.style.setProperty("--left", String(Math.min(1, left / (move ?? 1))));
  number.hidden = !runs || left > SOON;
  if (!number.hidden && number.textContent !== inFigures(left)) number.textContent = inFigures(left);
  if (!number.hidden && !said) {
    said = true;
    aloud.textContent = say("clock.soon", { n: Math.ceil(left) });
  } else if (!runs) aloud.textContent = "";
  for (const seat of seats.keys()) if (seat !== desk.view.seat) beside(seat, over);
  countClaims(desk);
}

/** The claims open once the time is up, and say so. @param {Desk} desk */
function countClaims(desk) {
  const seat = claimedSeat(desk);
  if (seat < 0 || !told) return;
  const left = leftOf(told.now.seats[seat]);
  for (const button of desk.clock?.claims ?? []) {
    const opens = button.disabled && left <= 0;
    button.disabled = left > 0;
    const [rest] = all(button, ".claim-left");
    const figures = left > 0 ? ` ${inFigures(left, 0)}` : "";
    if (rest && rest.textContent !== figures) rest.textContent = figures;
    // The prompt says it, once.
    if (opens) desk.render();
  }
}

/**
 * A word beside somebody's name: who plays for them, how long they may be away, their last seconds.
 * @param {number} seat @param {boolean} over
 */
function beside(seat, over) {
  if (!told) return;
  const one = told.now.seats[seat];
  const plate = find(byId("seats"), `[data-seat="${seat}"] .plate`);
  if (!plate) return;
  const left = leftOf(one);
  const shown = over
    ? ""
    : one.level !== null
      ? say("clock.plays", { level: say(`level.${one.level}`) })
      : one.runs === "away"
        ? say("clock.away", { time: inFigures(left, 0) })
        : one.runs && (left <= SOON || left >= HOUR)
          ? inFigures(left)
          : "";
  // Beside several others there is room for the figures alone, or the level's name.
  const crowded = told.now.seats.length > 2 && matchMedia("(max-width: 40rem)").matches;
  const brief = !crowded
    ? shown
    : one.level !== null
      ? say(`level.${one.level}`)
      : inFigures(left, one.runs === "away" ? 0 : MINUTE);
  const [mark] = all(plate, ".plate-clock");
  if (!shown) return mark?.remove();
  const own = mark ?? make("small.plate-clock", { role: "timer" });
  own.dataset.clock = one.level !== null ? "level" : (one.runs ?? "");
  if (own.title !== shown) own.title = shown;
  if (own.textContent !== brief) own.textContent = brief;
  if (!mark) plate.append(own);
}
