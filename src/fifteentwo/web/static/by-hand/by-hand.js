// Entering a game from a real table, deal by deal. The deal is a value (by-hand/deal.js); the server checks each
// whole deal by the rules and says the score. What is entered stays in this browser until the game is handed in.

import { asks, back, begin, CRIB, cards, count, enter, go, mayGo, next, PLAYED, written } from "./deal.js";
import { cardElement } from "../cards/cards.js";
import { drawPicker } from "../cards/picker.js";
import { all, byId, field, make } from "../elements.js";
import { keep, kept } from "../keep.js";
import { cardName, text, wordsInPage } from "../text.js";

/** @typedef {import("./deal.js").EnteredDeal} EnteredDeal */
/**
 * @typedef {{front: number[], deals: {after: number[], before: number[]}[], over: boolean, result: string | null}}
 *   Checked
 */

const KEPT = "fifteentwo.by-hand";
const setup = byId("setup", HTMLFormElement);

/** @type {{names: string[], target: string, deals: EnteredDeal[], deal: EnteredDeal | null}} */
let game = { names: ["", ""], target: "121", deals: [], deal: null };
/** What the server said of the whole deals. @type {Checked | null} */
let checked = null;
let error = "";
let asking = false;

wordsInPage();
drawPicker(byId("picker"), (card) => change((deal) => enter(deal, card)));

/** @param {number} who */
const name = (who) => game.names[who] || text("name.seat", { n: who + 1 });

// ── What is entered ─────────────────────────────────────────────────────────────────────────────────────

/** @param {(deal: EnteredDeal) => EnteredDeal} by */
async function change(by) {
  if (!game.deal || asking) return;
  game.deal = by(game.deal);
  error = "";
  keep(KEPT, JSON.stringify(game));
  draw();
  if (asks(game.deal) === "whole") await hand(game.deal);
}

/** Have a whole deal checked; where it is refused it stays open to be corrected. @param {EnteredDeal} deal */
async function hand(deal) {
  const answer = await check([...game.deals, deal]);
  if (answer) {
    checked = answer;
    game.deals = [...game.deals, deal];
    game.deal = answer.over ? null : begin(1 - deal.dealer);
    keep(KEPT, JSON.stringify(game));
  }
  draw();
  if (answer) byId("asked").focus();
}

/** @param {EnteredDeal[]} deals @returns {Promise<Checked | null>} */
async function check(deals) {
  asking = true;
  const body = new URLSearchParams({ text: written(game.names, deals), target: game.target });
  const answer = await fetch(byId("finish", HTMLFormElement).action, {
    method: "POST",
    headers: { Accept: "application/json" },
    body,
  }).catch(() => null);
  asking = false;
  const reply = await answer?.json().catch(() => null);
  if (answer?.ok) return reply;
  error = reply?.message ?? text("import.hand.offline");
  return null;
}

/** What the server says of the deals entered so far, shown once it is here. */
async function recheck() {
  if (!game.deals.length) return;
  checked = await check(game.deals);
  draw();
}

setup.addEventListener("submit", (event) => {
  event.preventDefault();
  const names = [0, 1].map((who) => field(setup, `name_${who}`).value.trim());
  const dealer = Number(new FormData(setup).get("dealer"));
  game = { names, target: String(new FormData(setup).get("target")), deals: [], deal: begin(dealer) };
  checked = null;
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
    checked = null;
    recheck();
  } else if (!game.deal) {
    game.deal = game.deals.at(-1) ?? null;
    game.deals = game.deals.slice(0, -1);
    checked = null;
    recheck();
  }
  change(back);
});
byId("again").addEventListener("click", () => {
  game = { names: game.names, target: game.target, deals: [], deal: null };
  checked = null;
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
  byId("score").textContent = checked
    ? checked.front.map((points, who) => `${name(who)} ${points}`).join(" – ")
    : `${name(0)} 0 – ${name(1)} 0`;
  byId("error").textContent = error;
  byId("error").hidden = !error;
  byId("finish").hidden = !checked?.over;
  byId("table").hidden = byId("picker").hidden = deal === null;
  byId("asked").textContent = deal ? question(deal) : (checked?.result ?? "");
  byId("title").textContent = deal
    ? text("import.hand.deal", { n: game.deals.length + 1, name: name(deal.dealer) })
    : text("import.hand.over");
  field(byId("finish", HTMLFormElement), "text").value = written(game.names, game.deals);
  field(byId("finish", HTMLFormElement), "target").value = game.target;
  drawDeals();
  if (deal) drawDeal(deal);
}

/** @param {EnteredDeal} deal */
function question(deal) {
  const who = name(next(deal));
  switch (asks(deal)) {
    case "starter":
      return text("import.hand.ask.starter");
    case "play":
      return text("import.hand.ask.play", { name: who });
    case "crib":
      return text("import.hand.ask.crib", { name: who });
    default:
      return error ? text("import.hand.ask.correct") : text("import.hand.ask.checking");
  }
}

/** @param {EnteredDeal} deal */
function drawDeal(deal) {
  const { total } = count(deal);
  byId("count").textContent = asks(deal) === "play" && deal.play.length ? text("import.hand.count", { n: total }) : "";
  const goes = byId("go", HTMLButtonElement);
  goes.hidden = !mayGo(deal);
  goes.textContent = deal.goes
    ? text("import.hand.no-go", { name: name(1 - next(deal)) })
    : text("import.hand.go", { name: name(next(deal)) });
  byId("starter").replaceChildren(shown(deal.starter, asks(deal) === "starter"));
  for (const who of [0, 1]) {
    const played = deal.play.map((one) => (one.who === who ? one.card : null));
    const slots = deal.play.length < PLAYED ? [...played, ""] : played;
    byId(`played-name-${who}`).textContent = name(who);
    byId(`played-${who}`).replaceChildren(
      ...slots.map((card, at) =>
        card === null
          ? make("span.gap")
          : shown(card || null, at === played.length && next(deal) === who && asks(deal) === "play"),
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
  byId("deals").hidden = !checked;
  if (!checked) return;
  byId("deals-head").replaceChildren(
    make("th", { scope: "col" }, text("import.hand.deals")),
    ...[0, 1].map((who) => make("th.number-cell", { scope: "col" }, name(who))),
  );
  byId("deals-body").replaceChildren(
    ...checked.deals.map(({ after, before }, at) =>
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
