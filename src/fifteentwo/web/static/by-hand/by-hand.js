// Entering a game from a real table, deal by deal. The deal is a value (by-hand/deal.js); the server checks each
// whole deal by the rules and says the score. What is entered stays in this browser until the game is handed in.

import { asks, back, begin, CRIB, cards, count, enter, go, mayGo, next, PLAYED, written } from "./deal.js";
import { cardElement } from "../cards/cards.js";
import { drawPicker } from "../cards/picker.js";
import { all, byId, field, make } from "../elements.js";
import { keep, kept } from "../keep.js";
import { cardName, say, wordsInPage } from "../say.js";

/** @typedef {import("./deal.js").DealTold} DealTold */
/**
 * @typedef {{front: number[], deals: {after: number[], before: number[]}[], over: boolean, result: string | null}} Told
 */

const KEPT = "fifteentwo.by-hand";
const setup = byId("setup", HTMLFormElement);

/** @type {{names: string[], target: string, deals: DealTold[], deal: DealTold | null}} */
let game = { names: ["", ""], target: "121", deals: [], deal: null };
/** What the server said of the whole deals. @type {Told | null} */
let told = null;
let error = "";
let asking = false;

wordsInPage();
drawPicker(byId("picker"), (card) => change((deal) => enter(deal, card)));

/** @param {number} who */
const name = (who) => game.names[who] || say("name.seat", { n: who + 1 });

// ── What is entered ─────────────────────────────────────────────────────────────────────────────────────

/** @param {(deal: DealTold) => DealTold} by */
async function change(by) {
  if (!game.deal || asking) return;
  game.deal = by(game.deal);
  error = "";
  keep(KEPT, JSON.stringify(game));
  draw();
  if (asks(game.deal) === "whole") await hand(game.deal);
}

/** Have a whole deal checked; where it is refused it stays open to be mended. @param {DealTold} deal */
async function hand(deal) {
  const answer = await check([...game.deals, deal]);
  if (answer) {
    told = answer;
    game.deals = [...game.deals, deal];
    game.deal = answer.over ? null : begin(1 - deal.dealer);
    keep(KEPT, JSON.stringify(game));
  }
  draw();
  if (answer) byId("asked").focus();
}

/** @param {DealTold[]} deals @returns {Promise<Told | null>} */
async function check(deals) {
  asking = true;
  const body = new URLSearchParams({ text: written(game.names, deals), target: game.target });
  const answer = await fetch(byId("finish", HTMLFormElement).action, {
    method: "POST",
    headers: { Accept: "application/json" },
    body,
  }).catch(() => null);
  asking = false;
  const said = await answer?.json().catch(() => null);
  if (answer?.ok) return said;
  error = said?.message ?? say("import.hand.offline");
  return null;
}

/** What the server says of the deals entered so far, shown once it is here. */
async function recheck() {
  if (!game.deals.length) return;
  told = await check(game.deals);
  draw();
}

setup.addEventListener("submit", (event) => {
  event.preventDefault();
  const names = [0, 1].map((who) => field(setup, `name_${who}`).value.trim());
  const dealer = Number(new FormData(setup).get("dealer"));
  game = { names, target: String(new FormData(setup).get("target")), deals: [], deal: begin(dealer) };
  told = null;
  keep(KEPT, JSON.stringify(game));
  draw();
  byId("asked").focus();
});
byId("go").addEventListener("click", () => change(go));
byId("back").addEventListener("click", () => {
  if (game.deal && !cards(game.deal).length && game.deals.length) {
    // Into the deal before, whole as it was but for its last card.
    const last = game.deals.at(-1);
    game.deals = game.deals.slice(0, -1);
    game.deal = last ?? game.deal;
    told = null;
    recheck();
  } else if (!game.deal) {
    game.deal = game.deals.at(-1) ?? null;
    game.deals = game.deals.slice(0, -1);
    told = null;
    recheck();
  }
  change(back);
});
byId("again").addEventListener("click", () => {
  game = { names: game.names, target: game.target, deals: [], deal: null };
  told = null;
  error = "";
  keep(KEPT, "{}");
  draw();
  field(setup, "name_0").focus();
});

// ── What is shown ───────────────────────────────────────────────────────────────────────────────────────

function draw() {
  const begun = game.deal !== null || game.deals.length > 0;
  byId("setup").hidden = begun;
  byId("entering").hidden = !begun;
  if (!begun) return;
  const { deal } = game;
  byId("score").textContent = told
    ? told.front.map((points, who) => `${name(who)} ${points}`).join(" – ")
    : `${name(0)} 0 – ${name(1)} 0`;
  byId("error").textContent = error;
  byId("error").hidden = !error;
  byId("finish").hidden = !told?.over;
  byId("table").hidden = byId("picker").hidden = deal === null;
  byId("asked").textContent = deal ? question(deal) : (told?.result ?? "");
  byId("title").textContent = deal
    ? say("import.hand.deal", { n: game.deals.length + 1, name: name(deal.dealer) })
    : say("import.hand.over");
  field(byId("finish", HTMLFormElement), "text").value = written(game.names, game.deals);
  field(byId("finish", HTMLFormElement), "target").value = game.target;
  drawDeals();
  if (deal) drawDeal(deal);
}

/** @param {DealTold} deal */
function question(deal) {
  const who = name(next(deal));
  switch (asks(deal)) {
    case "starter":
      return say("import.hand.ask.starter");
    case "play":
      return say("import.hand.ask.play", { name: who });
    case "crib":
      return say("import.hand.ask.crib", { name: who });
    default:
      return error ? say("import.hand.ask.correct") : say("import.hand.ask.checking");
  }
}

/** @param {DealTold} deal */
function drawDeal(deal) {
  const { total } = count(deal);
  byId("count").textContent = asks(deal) === "play" && deal.play.length ? say("import.hand.count", { n: total }) : "";
  const goes = byId("go", HTMLButtonElement);
  goes.hidden = !mayGo(deal);
  goes.textContent = deal.goes
    ? say("import.hand.no-go", { name: name(1 - next(deal)) })
    : say("import.hand.go", { name: name(next(deal)) });
  byId("starter").replaceChildren(shown(deal.starter, asks(deal) === "starter"));
  for (const who of [0, 1]) {
    const laid = deal.play.map((one) => (one.who === who ? one.card : null));
    const slots = deal.play.length < PLAYED ? [...laid, ""] : laid;
    byId(`laid-name-${who}`).textContent = name(who);
    byId(`laid-${who}`).replaceChildren(
      ...slots.map((card, at) =>
        card === null
          ? make("span.gap")
          : shown(card || null, at === laid.length && next(deal) === who && asks(deal) === "play"),
      ),
    );
  }
  const crib = [...deal.crib.map((one) => one.card), ...Array.from({ length: CRIB - deal.crib.length }, () => null)];
  byId("crib").replaceChildren(
    ...crib.map((card, at) => shown(card, asks(deal) === "crib" && at === deal.crib.length)),
  );
  const out = cards(deal);
  for (const button of all(byId("picker"), "button", HTMLButtonElement)) {
    const taken = out.includes(button.dataset.card ?? "");
    button.setAttribute("aria-pressed", String(taken));
    button.setAttribute("aria-disabled", String(taken || asks(deal) === "whole"));
  }
}

/** A card, or the place where one goes. @param {string | null} card @param {boolean} here */
function shown(card, here) {
  if (!card) return make(here ? "span.place.place--here" : "span.place");
  const drawn = cardElement(card, { size: "fill" });
  return make("span.place", { role: "img", "aria-label": cardName(card) }, drawn);
}

function drawDeals() {
  byId("deals").hidden = !told;
  if (!told) return;
  byId("deals-head").replaceChildren(
    make("th", { scope: "col" }, say("import.hand.deals")),
    ...[0, 1].map((who) => make("th.number-cell", { scope: "col" }, name(who))),
  );
  byId("deals-body").replaceChildren(
    ...told.deals.map(({ after, before }, at) =>
      make(
        "tr",
        null,
        make("th", { scope: "row" }, String(at + 1)),
        ...[0, 1].map((who) =>
          make(
            "td.number-cell",
            null,
            make("small", null, `+${after[who] - before[who]}`),
            " ",
            make("b", null, String(after[who])),
          ),
        ),
      ),
    ),
  );
}

// ── What this browser kept ──────────────────────────────────────────────────────────────────────────────

try {
  const before = JSON.parse(kept(KEPT) ?? "{}");
  if (Array.isArray(before.deals) && Array.isArray(before.names)) game = before;
} catch {
  // Then it starts again.
}
for (const who of [0, 1]) field(setup, `name_${who}`).value = game.names[who] ?? "";
draw();
recheck();
