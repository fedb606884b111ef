// One event after another, each given its moment: cards move, the count is said, pegs walk.

import { all, byId, find } from "../elements.js";
import { say } from "../say.js";
import { flyFrom } from "./flight.js";
import { follow, laidNow } from "./follow.js";
import { tell } from "./log.js";
import { newScene, pause } from "./pace.js";
import { countAloud, light, walkPeg } from "./show.js";
import { cardSound, knockSound, speak } from "./sound.js";

/** @typedef {import("./desk.js").Desk} Desk */

const rectOf = (/** @type {string} */ selector) => find(document, selector, Element)?.getBoundingClientRect();

/**
 * @param {Desk} desk @param {Wire.Told} message
 * @param {() => Promise<Wire.Event | null>} next the event after it, when it has come
 * @param {() => Promise<void>} gate waits until the reader goes on
 */
export async function perform(desk, { event, told, spoken }, next, gate) {
  if (!event) return tell(told);
  const own = "seat" in event && event.seat === desk.view.seat;
  const step = () => {
    desk.view = follow(desk.view, event);
    desk.render();
    tell(told);
  };
  switch (event.type) {
    case "Picked":
      step();
      return pause(own ? 150 : 350);
    case "Drew":
      cardSound();
      step();
      return pause(700);
    case "DrawTied":
      tell(told);
      await pause(1600);
      desk.view = follow(desk.view, event);
      return desk.render();
    case "PartnersMade":
      desk.names = event.seating.map((from) => desk.names[from]);
      desk.levels = event.seating.map((from) => desk.levels[from]);
      step();
      return pause(1600);
    case "DealerChosen":
      desk.scene = desk.view.drawn.some((cards) => cards.length) ? "drawn" : "";
      step();
      await pause(desk.scene ? 1700 : 500);
      desk.scene = "";
      return newScene();
    case "PackCut":
      step();
      return pause(own ? 250 : 650);
    case "Dealt":
      newScene();
      desk.shows = [];
      step();
      dealOut();
      return pause(700);
    case "LaidAway":
      return layAway(desk, event, own, step);
    case "StockCut":
      step();
      return pause(own ? 200 : 700);
    case "StarterTurned":
      cardSound();
      step();
      find(byId("stage"), ".is-starter", SVGElement)?.classList.add("is-turned");
      return pause(900);
    case "Played":
      return playCard(event, own, step);
    case "WentGo":
      await pause(350);
      knockSound();
      void speak(say("table.go"));
      desk.says[event.seat] = say("table.go");
      step();
      return pause(600);
    case "CountCleared":
      await pause(750);
      desk.says = desk.says.map(() => "");
      step();
      return pause(200);
    case "Shown":
      return layOpen(desk, event, spoken, next, step);
    case "Claimed":
      desk.says[event.seat] = say("claim.bubble", { n: event.points });
      step();
      return pause(own ? 150 : 650);
    case "MugginsCalled":
      desk.says[event.seat] = say("claim.muggins");
      knockSound();
      step();
      return pause(1000);
    case "ClaimSettled":
      return settle(desk, event, spoken, step);
    case "Pegged":
      return pegged(desk, event, told, spoken);
    case "DealEnded":
      tell(told);
      if (desk.shows.length) await gate();
      desk.scene = "";
      desk.counting = null;
      desk.lastClaim = null;
      desk.says = desk.says.map(() => "");
      desk.view = follow(desk.view, event);
      newScene();
      return desk.render();
    case "GameWon":
      await pause(600);
      desk.counting = null;
      return step();
    default:
      step();
  }
}

function dealOut() {
  const from = rectOf("[data-stock]");
  all(byId("hand"), "li").forEach((card, index) => flyFrom(card, from, 220, index * 70));
  all(document, "[data-held] .card", SVGElement).forEach((card, index) => flyFrom(card, from, 220, index * 40));
  cardSound();
}

/** @param {Desk} desk @param {Wire.LaidAway} event @param {boolean} own @param {() => void} step */
async function layAway(desk, event, own, step) {
  const from = own ? event.cards.map((card) => rectOf(`#hand [data-card="${card}"]`)) : [rectOf(`[data-held="${event.seat}"]`)];
  if (own) desk.picked = [];
  step();
  const crib = all(document, "[data-crib] .card", SVGElement).slice(-desk.view.rules.laid_away);
  crib.forEach((card, index) => flyFrom(card, from[index % from.length], 260, index * 60));
  cardSound();
  await pause(own ? 250 : 350);
}

/** @param {Wire.Played} event @param {boolean} own @param {() => void} step */
async function playCard(event, own, step) {
  if (!own) await pause(520);
  const from = rectOf(own ? `#hand [data-card="${event.card}"]` : `[data-held="${event.seat}"] .card:last-child`);
  step();
  cardSound();
  flyFrom(find(byId("stage"), `[data-card="${event.card}"]`, SVGElement), from);
  void speak(String(event.count));
  await pause(own ? 180 : 320);
}

/** @param {Desk} desk @param {Wire.Shown} event @param {string[] | null} spoken @param {() => Promise<Wire.Event | null>} next @param {() => void} step */
async function layOpen(desk, event, spoken, next, step) {
  newScene();
  desk.says = desk.says.map(() => "");
  desk.counting = { seat: event.seat, crib: event.crib, cards: event.cards, starter: desk.view.starter ?? "", scores: [], spoken: spoken ?? [], points: 0 };
  step();
  if (desk.view.rules.counting === "claimed") return;
  const after = await next();
  if (after?.type === "Pegged" && (after.reason === "hand" || after.reason === "crib")) return;
  await countAloud(desk.counting);
  desk.shows = [...desk.shows, desk.counting];
  await pause(500);
}

/** @param {Desk} desk @param {Wire.ClaimSettled} event @param {string[] | null} spoken @param {() => void} step */
async function settle(desk, event, spoken, step) {
  desk.lastClaim = event;
  step();
  if (!desk.counting) return pause(event.claimed === event.right ? 0 : 700);
  Object.assign(desk.counting, { scores: event.scores, points: event.right, claimed: event.claimed, spoken: spoken ?? desk.counting.spoken });
  desk.shows = [...desk.shows, { ...desk.counting }];
  // A wrong claim is not counted out: what is right is said, why is there for whoever asks.
  if (event.claimed === event.right) return countAloud(desk.counting);
  desk.counting.done = true;
  desk.render();
  await pause(1500);
}

/** @param {Desk} desk @param {Wire.Pegged} event @param {string} told @param {string[] | null} spoken */
async function pegged(desk, event, told, spoken) {
  const claimed = desk.view.rules.counting === "claimed";
  const shown = event.reason === "hand" || event.reason === "crib";
  if (shown && desk.counting && !claimed) {
    const points = event.scores.reduce((sum, score) => sum + score.points, 0);
    Object.assign(desk.counting, { scores: event.scores, points, spoken: spoken?.length ? spoken : desk.counting.spoken });
    await countAloud(desk.counting);
    desk.shows = [...desk.shows, { ...desk.counting }];
  } else if (!shown) {
    const cards = event.scores.flatMap((score) => score.cards);
    light(cards.filter((card) => laidNow(desk.view).some(([, laid]) => laid === card) || card === desk.view.starter));
  }
  const last = desk.shows.at(-1);
  if (event.reason === "muggins" && last && desk.counting) {
    const caller = desk.lastClaim?.caller ?? -1;
    desk.shows = [...desk.shows.slice(0, -1), { ...last, caller: [caller, event.points] }];
  }
  tell(told);
  await walkPeg(desk, event);
  await pause(shown ? 650 : 380);
  desk.gains[event.side] = 0;
  light([]);
  desk.render();
}
