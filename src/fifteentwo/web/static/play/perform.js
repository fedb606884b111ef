// One event after another, each given its moment: cards move, the count is said, pegs walk.

import { all, byId, find } from "../elements.js";
import { say } from "../say.js";
import { isWrong } from "./desk.js";
import { flyFrom } from "./flight.js";
import { follow, laidNow } from "./follow.js";
import { tell } from "./log.js";
import { WRONG, beat, newScene, pause, pegsShown } from "./pace.js";
import { countAloud, light, titleOf, walkPeg } from "./show.js";
import { cardSound, knockSound, speak } from "./sound.js";
import { forgetSummary, keepSummary } from "./summary.js";

/** @typedef {import("./desk.js").Desk} Desk */

/**
 * What an event comes with.
 * @typedef {object} Scene
 * @property {Desk} desk @property {string} told @property {string[] | null} spoken
 * @property {boolean} own whether it is the reader's doing
 * @property {() => void} step the picture after the event, and the event in words
 * @property {() => Promise<Wire.Event | null>} next the event after it, when it has come
 * @property {() => Promise<void>} gate waits until the reader goes on
 */
/**
 * @template {Wire.Event["type"]} T
 * @typedef {(scene: Scene, event: Extract<Wire.Event, {type: T}>) => Promise<void> | void} Performer
 */

const rectOf = (/** @type {string} */ selector) => find(document, selector, Element)?.getBoundingClientRect();

/** Before the first deal. @type {{[T in "DrawTied" | "PartnersMade" | "DealerChosen" | "Drew"]: Performer<T>}} */
const opening = {
  Drew({ step }) {
    cardSound();
    step();
  },
  DrawTied({ desk, told }, event) {
    desk.view = follow(desk.view, event);
    desk.render();
    tell(told);
  },
  PartnersMade({ desk, step }, event) {
    desk.names = event.seating.map((from) => desk.names[from]);
    desk.levels = event.seating.map((from) => desk.levels[from]);
    step();
  },
  async DealerChosen({ desk, step }, { type }) {
    desk.scene = desk.view.drawn.some((cards) => cards.length) ? "drawn" : "";
    step();
    await pause(beat(type).after);
    desk.scene = "";
    newScene();
  },
};

/** @type {{[T in "Dealt" | "Discarded" | "StarterTurned" | "DealEnded"]: Performer<T>}} */
const deal = {
  Dealt({ desk, step }) {
    newScene();
    desk.shows = [];
    step();
    dealOut();
  },
  Discarded({ desk, own, step }, event) {
    const from = own
      ? event.cards.map((card) => rectOf(`#hand [data-card="${card}"]`))
      : [rectOf(`[data-held="${event.seat}"] .card:last-child`)];
    if (own) desk.picked = [];
    step();
    const crib = all(document, "[data-crib] .card", SVGElement).slice(-desk.view.rules.discards);
    crib.forEach((card, index) => flyFrom(card, from[index % from.length], 240, index * 50));
    cardSound();
  },
  StarterTurned({ step }) {
    cardSound();
    step();
    find(byId("stage"), ".is-starter", SVGElement)?.classList.add("is-turned");
  },
  async DealEnded({ desk, told, gate }, event) {
    tell(told);
    if (desk.shows.length && !toldAll(desk)) {
      keepSummary(desk);
      desk.scene = "read";
      await gate();
    }
    forgetSummary(desk);
    desk.scene = "";
    desk.counting = null;
    desk.lastClaim = null;
    desk.says = desk.says.map(() => "");
    desk.view = follow(desk.view, event);
    newScene();
    desk.render();
  },
};

/**
 * Whether the reader has just let a right claim of the crib stand, with the hands before it in sight: there is no more
 *   to be read.
 * @param {Desk} desk
 */
function toldAll({ shows, view }) {
  const last = shows.at(-1);
  return (
    last !== undefined &&
    last.claimed !== undefined &&
    view.rules.muggins !== "off" &&
    last.seat !== view.seat &&
    !shows.some(isWrong)
  );
}

/** @type {{[T in "Played" | "WentGo" | "CountCleared"]: Performer<T>}} */
const play = {
  Played({ own, step }, event) {
    const from = rectOf(own ? `#hand [data-card="${event.card}"]` : `[data-held="${event.seat}"] .card:last-child`);
    step();
    cardSound();
    flyFrom(find(byId("stage"), `[data-card="${event.card}"]`, SVGElement), from);
    void speak(String(event.count));
  },
  WentGo({ desk, step }, { seat }) {
    knockSound();
    void speak(say("table.go"));
    desk.says[seat] = say("table.go");
    step();
  },
  CountCleared({ desk, step }) {
    desk.says = desk.says.map(() => "");
    step();
  },
};

/** @type {{[T in "Shown" | "Claimed" | "MugginsCalled" | "ClaimSettled" | "Pegged" | "GameWon"]: Performer<T>}} */
const score = {
  async Shown({ desk, spoken, step, next }, event) {
    // The whole show is one scene: who skips, skips all its hands.
    if (!desk.shows.length) newScene();
    desk.says = desk.says.map(() => "");
    desk.counting = {
      seat: event.seat,
      crib: event.crib,
      cards: event.cards,
      starter: desk.view.starter ?? "",
      scores: [],
      spoken: spoken ?? [],
      points: 0,
    };
    step();
    if (desk.view.rules.counting === "claimed") return;
    if (pegsShown(await next())) return;
    tell(say("show.no_points", { hand: titleOf(desk, event) }));
    await countAloud(desk, desk.counting);
    desk.shows = [...desk.shows, desk.counting];
  },
  Claimed({ desk, step }, event) {
    desk.says[event.seat] = say("claim.bubble", { n: event.points });
    step();
  },
  MugginsCalled({ desk, step }, event) {
    desk.says[event.seat] = say("claim.muggins");
    knockSound();
    step();
  },
  async ClaimSettled({ desk, spoken, step }, event) {
    desk.lastClaim = event;
    step();
    const right = event.claimed === event.right;
    if (!desk.counting) return pause(right ? 0 : WRONG);
    Object.assign(desk.counting, {
      scores: event.scores,
      points: event.right,
      claimed: event.claimed,
      spoken: spoken ?? desk.counting.spoken,
    });
    desk.shows = [...desk.shows, { ...desk.counting }];
    // A wrong claim is not counted out: what is right is said, why is there for whoever asks.
    if (right) return countAloud(desk, desk.counting);
    desk.counting.done = true;
    desk.render();
    await pause(WRONG);
  },
  Pegged: pegged,
  GameWon({ desk, step }) {
    if (desk.shows.length) keepSummary(desk);
    desk.counting = null;
    step();
  },
};

/** Who looks after an event; the others only step. @type {{[T in Wire.Event["type"]]?: Performer<T>}} */
const PERFORMERS = { ...opening, ...deal, ...play, ...score };

/** What is put away once it has been seen. */
const ENDS_ITSELF = ["DealerChosen", "Pegged"];

/** @param {Desk} desk @param {Wire.Told} message @param {Scene["next"]} next @param {Scene["gate"]} gate */
export async function perform(desk, { event, told, spoken }, next, gate) {
  if (!event) return tell(told);
  const own = "seat" in event && event.seat === desk.view.seat;
  const step = () => {
    desk.view = follow(desk.view, event);
    desk.render();
    // The panel at the end says the same, larger.
    tell(told, { felt: event.type !== "GameWon" });
  };
  const { before, after } = beat(event.type, own);
  await pause(before);
  const performer = /** @type {Performer<Wire.Event["type"]> | undefined} */ (PERFORMERS[event.type]);
  if (performer) await performer({ desk, told, spoken, own, step, next, gate }, event);
  else step();
  if (!ENDS_ITSELF.includes(event.type)) await pause(after);
}

function dealOut() {
  const from = rectOf("[data-stock]");
  all(byId("hand"), "li").forEach((card, index) => flyFrom(card, from, 220, index * 60));
  all(document, "[data-held] .card", SVGElement).forEach((card, index) => flyFrom(card, from, 220, index * 40));
  cardSound();
}

/** @type {Performer<"Pegged">} */
async function pegged({ desk, told, spoken }, event) {
  const claimed = desk.view.rules.counting === "claimed";
  const shown = pegsShown(event);
  if (shown && desk.counting && !claimed) {
    const points = event.scores.reduce((sum, { points: made }) => sum + made, 0);
    Object.assign(desk.counting, {
      scores: event.scores,
      points,
      spoken: spoken?.length ? spoken : desk.counting.spoken,
    });
    await countAloud(desk, desk.counting);
    desk.shows = [...desk.shows, { ...desk.counting }];
  } else if (!shown) {
    const cards = event.scores.flatMap((made) => made.cards);
    light(cards.filter((card) => laidNow(desk.view).some(([, laid]) => laid === card) || card === desk.view.starter));
  }
  const last = desk.shows.at(-1);
  if (event.reason === "muggins" && last && desk.counting) {
    const caller = desk.lastClaim?.caller ?? -1;
    desk.shows = [...desk.shows.slice(0, -1), { ...last, caller: [caller, event.points] }];
  }
  tell(told);
  await walkPeg(desk, event);
  await pause(beat("Pegged").after);
  desk.gains[event.side] = 0;
  light([]);
  desk.render();
}
