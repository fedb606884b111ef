// Enter a game from a real table, deal by deal. The deal is a value (by-hand/deal.js). The server checks each whole
// deal and returns the score. Entered deals stay in this browser until the game is imported.

import { asks, back, begin, CRIB, cards, count, enter, go, mayGo, next, PLAYED, written } from "./deal.js";
import { cardElement } from "../cards/cards.js";
import { drawPicker } from "../cards/picker.js";
import { all, byId, field, make } from "../elements.js";
import { store, readStored } from "../storage.js";
import { cardName, text, wordsInPage } from "../text.js";

const STORAGE_KEY = "fifteentwo.by-hand";
const setup = byId("setup", HTMLFormElement);

/** @type {ByHand.State} */
const state = {
  game: { names: ["", ""], target: "121", deals: [], deal: null },
  checked: null,
  error: "",
  asking: false,
};

wordsInPage();
drawPicker(byId("picker"), (card) => change((deal) => enter(deal, card)));

/** @param {number} who */
const name = (who) => state.game.names[who] || text("name.seat", { n: who + 1 });

// ── Entering ─────────────────────────────────────────────────────────────────────────────────────

/** @param {(deal: ByHand.Deal) => ByHand.Deal} by */
async function change(by) {
  if (!state.game.deal || state.asking) return;
  state.game.deal = by(state.game.deal);
  state.error = "";
  store(STORAGE_KEY, JSON.stringify(state.game));
  draw();
  if (asks(state.game.deal) === "whole") await hand(state.game.deal);
}

/** Send a whole deal to the server. A refused deal stays open for correction. @param {ByHand.Deal} deal */
async function hand(deal) {
  const answer = await check([...state.game.deals, deal]);
  if (answer) {
    state.checked = answer;
    state.game.deals = [...state.game.deals, deal];
    state.game.deal = answer.over ? null : begin(1 - deal.dealer);
    store(STORAGE_KEY, JSON.stringify(state.game));
  }
  draw();
  if (answer) byId("asked").focus();
}

/** @param {ByHand.Deal[]} deals @returns {Promise<ByHand.Checked | null>} */
async function check(deals) {
  state.asking = true;
  const body = new URLSearchParams({ text: written(state.game.names, deals), target: state.game.target });
  const answer = await fetch(byId("finish", HTMLFormElement).action, {
    method: "POST",
    headers: { Accept: "application/json" },
    body,
  }).catch(() => null);
  state.asking = false;
  const reply = await answer?.json().catch(() => null);
  if (answer?.ok) return reply;
  state.error = reply?.message ?? text("import.hand.offline");
  return null;
}

async function recheck() {
  if (!state.game.deals.length) return;
  state.checked = await check(state.game.deals);
  draw();
}

setup.addEventListener("submit", (event) => {
  event.preventDefault();
  const names = [0, 1].map((who) => field(setup, `name_${who}`).value.trim());
  const dealer = Number(new FormData(setup).get("dealer"));
  state.game = { names, target: String(new FormData(setup).get("target")), deals: [], deal: begin(dealer) };
  state.checked = null;
  store(STORAGE_KEY, JSON.stringify(state.game));
  draw();
  byId("asked").focus();
});
byId("go").addEventListener("click", () => change(go));
byId("back").addEventListener("click", () => {
  const { deal, deals } = state.game;
  // Reopen the previous deal without its last card.
  if (!deal || (!cards(deal).length && deals.length)) {
    state.game.deal = deals.at(-1) ?? deal;
    state.game.deals = deals.slice(0, -1);
    state.checked = null;
    recheck();
  }
  change(back);
});
byId("again").addEventListener("click", () => {
  state.game = { names: state.game.names, target: state.game.target, deals: [], deal: null };
  state.checked = null;
  state.error = "";
  store(STORAGE_KEY, "{}");
  draw();
  field(setup, "name_0").focus();
});

// ── Drawing ───────────────────────────────────────────────────────────────────────────────────────

function draw() {
  const begun = state.game.deal !== null || state.game.deals.length > 0;
  byId("setup").hidden = begun;
  byId("entering").hidden = !begun;
  if (!begun) return;
  const { deal } = state.game;
  byId("score").textContent = state.checked
    ? state.checked.front.map((points, who) => `${name(who)} ${points}`).join(" – ")
    : `${name(0)} 0 – ${name(1)} 0`;
  byId("error").textContent = state.error;
  byId("error").hidden = !state.error;
  byId("finish").hidden = !state.checked?.over;
  byId("table").hidden = byId("picker").hidden = deal === null;
  byId("asked").textContent = deal ? question(deal) : (state.checked?.result ?? "");
  byId("title").textContent = deal
    ? text("import.hand.deal", { n: state.game.deals.length + 1, name: name(deal.dealer) })
    : text("import.hand.over");
  field(byId("finish", HTMLFormElement), "text").value = written(state.game.names, state.game.deals);
  field(byId("finish", HTMLFormElement), "target").value = state.game.target;
  drawDeals();
  if (deal) drawDeal(deal);
}

/** @param {ByHand.Deal} deal */
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
      return state.error ? text("import.hand.ask.correct") : text("import.hand.ask.checking");
  }
}

/** @param {ByHand.Deal} deal */
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

/** Draw a card, or the place for the next card. @param {string | null} card @param {boolean} here */
function shown(card, here) {
  if (!card) return make(here ? "span.place.place--here" : "span.place");
  const drawn = cardElement(card, { size: "fill" });
  return make("span.place", { role: "img", "aria-label": cardName(card) }, drawn);
}

function drawDeals() {
  byId("deals").hidden = !state.checked;
  if (!state.checked) return;
  byId("deals-head").replaceChildren(
    make("th", { scope: "col" }, text("import.hand.deals")),
    ...[0, 1].map((who) => make("th.number-cell", { scope: "col" }, name(who))),
  );
  byId("deals-body").replaceChildren(
    ...state.checked.deals.map(({ after, before }, at) =>
      make(
        "tr",
        make("th", { scope: "row" }, String(at + 1)),
        ...[0, 1].map((who) =>
          make(
            "td.number-cell",
            make("small.quiet-text", `+${after[who] - before[who]}`),
            " ",
            make("b", String(after[who])),
          ),
        ),
      ),
    ),
  );
}

// ── Stored deals ──────────────────────────────────────────────────────────────────────────────────

try {
  const before = JSON.parse(readStored(STORAGE_KEY) ?? "{}");
  if (Array.isArray(before.deals) && Array.isArray(before.names)) state.game = before;
} catch {
  // An unreadable stored game is ignored.
}
for (const who of [0, 1]) field(setup, `name_${who}`).value = state.game.names[who] ?? "";
draw();
recheck();
