// A first game: helpers that fade from deal to deal, each with a switch, and at 31 what the way there was like.

import { cardElement } from "../cards/cards.js";
import { countsFor } from "../cards/deck.js";
import { all, byId, find, make } from "../elements.js";
import { keep, keepHere, keptFields, keptHere } from "../keep.js";
import { addWords, text } from "../text.js";
import { scoreText } from "../scores.js";
import { sideOf } from "./follow.js";
import { askHint } from "./hint.js";
import { subscribe } from "./subscribers.js";
import { pause } from "./pace.js";
import { fits } from "./card-and-claim.js";
import { may } from "./state.js";

/** Up to which deal each helper stands by, unless it is switched. */
const UNTIL = { counts: 2, bubbles: 3, hints: 1, words: 3 };
/** @typedef {keyof typeof UNTIL} Helper */
const GOAL = 31;
const SWITCHES = "fifteentwo.first-game";
/** Milliseconds in which a bubble, and a word of explanation, can be read. */
const BUBBLE = 1500;
const WORD = 3200;

/** @type {Partial<Record<Helper, boolean>>} */
const switched = keptFields(SWITCHES);
const helpers = /** @type {Helper[]} */ (Object.keys(UNTIL));
/** Whether a helper stands by in this deal. @param {Helper} helper @param {number} deal */
const helps = (helper, deal) => switched[helper] ?? deal <= UNTIL[helper];

/**
 * What the way was like.
 * @typedef {object} Way
 * @property {number} play @property {number} hands @property {number} cribs own points
 * @property {number} theirPlay @property {number} best the best own hand @property {number} given the best crib given
 * @property {string[]} explained words explained already @property {boolean} over
 */
/** @type {Way} */
const way = { play: 0, hands: 0, cribs: 0, theirPlay: 0, best: 0, given: 0, explained: [], over: false };
const first = {
  place: "",
  /** Draws the table again. */
  render: () => {},
  deal: 1,
  asked: "",
};

/** @param {Table.State} state */
function remember(state) {
  if (first.place) return;
  first.place = `fifteentwo.first-game.${state.game}`;
  Object.assign(way, JSON.parse(keptHere(first.place) ?? "{}"));
}
const keepWay = () => keepHere(first.place, JSON.stringify(way));

// ── The note above the cards ────────────────────────────────────────────────────────────────────────────────

const note = make("div.note", { id: "first-note", role: "status" });

/** @param {...Node} content */
function showNote(...content) {
  note.replaceChildren(...content);
}

/** A word of explanation at the first time. @param {Table.State} state @param {string} what */
async function explain(state, what) {
  if (way.explained.includes(what) || !helps("words", state.view.deal)) return;
  way.explained.push(what);
  keepWay();
  showNote(make("p.note-words", null, text(`first.word.${what}`)));
  await pause(WORD);
}

/** Cards and reason of each score just made. @param {Table.State} state @param {Wire.Pegged} event */
function bubble(state, { side, scores, points }) {
  const own = side === sideOf(state.view, state.view.seat);
  const name = state.names.filter((_, seat) => sideOf(state.view, seat) === side)[0];
  showNote(
    make("p.note-words", null, own ? text("first.made", { n: points }) : text("first.made-other", { name, n: points })),
    make(
      "ul.note-scores",
      null,
      scores.map((score) =>
        make(
          "li",
          null,
          make(
            "span.note-cards",
            { "aria-hidden": "true" },
            score.cards.map((card) => cardElement(card, { size: "fill" })),
          ),
          make("span", null, text("first.because", { score: scoreText(score), why: text(`first.why.${score.name}`) })),
        ),
      ),
    ),
  );
}

// ── What happens ────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Table.State} state @param {Wire.Pegged} event */
function tally(state, { side, reason, points }) {
  const own = side === sideOf(state.view, state.view.seat);
  if (reason === "hand" && own) [way.hands, way.best] = [way.hands + points, Math.max(way.best, points)];
  else if (reason === "crib" && own) way.cribs += points;
  else if (reason === "crib") way.given = Math.max(way.given, points);
  else if (reason !== "hand" && own) way.play += points;
  else if (reason !== "hand") way.theirPlay += points;
  keepWay();
}

/** @type {Table.Subscriber} */
const helper = {
  picture(state, actions) {
    first.render = actions.render;
    remember(state);
    const { view } = state;
    showCounts(state);
    showGoal(state);
    if (may(state, "Discard") || may(state, "Play")) {
      if (may(state, "Discard") && note.dataset.deal !== String(view.deal)) noteHowFar(state);
      if (helps("hints", view.deal)) askOnce(state, actions);
    }
    if (!way.over && state.settled && view.front.some((points) => points >= GOAL)) void finish(state);
  },
  async before(state, event) {
    remember(state);
    if (!STAYS.includes(event.type) && !(event.type === "Discarded" && event.seat !== state.view.seat)) showNote();
    if (event.type === "WentGo") await explain(state, event.seat === state.view.seat ? "go" : "go-other");
    if (event.type === "Discarded" && event.seat === state.view.seat)
      await explain(state, state.view.dealer === state.view.seat ? "crib" : "crib-other");
    if (event.type === "Shown") await explain(state, event.crib ? "show-crib" : "show");
    if (event.type !== "Pegged") return;
    tally(state, event);
    if (event.reason === "heels") await explain(state, "heels");
    if (event.reason === "last_card") await explain(state, "last-card");
    if (["hand", "crib"].includes(event.reason) || !event.scores.length || !helps("bubbles", state.view.deal)) return;
    bubble(state, event);
  },
  async after(state, event) {
    if (event.type === "Pegged" && note.childElementCount) await pause(BUBBLE);
    if (event.type === "Pegged" && !way.over && event.score >= GOAL) await finish(state);
  },
  async counted(score, words) {
    if (!helps("bubbles", first.deal)) return;
    words.append(make("small.spoken-cards", null, text(`first.why.${score.name}`)));
    await pause(BUBBLE / 2);
  },
};

/** Events that leave a note in place. @type {Wire.Event["type"][]} */
const STAYS = ["DealEnded", "CountCleared", "Dealt"];

/** Not again where it was put away. @param {Table.State} state @param {Table.Actions} actions */
function askOnce(state, actions) {
  const move = JSON.stringify([state.view.deal, state.view.phase, state.view.played.length]);
  if (first.asked === move) return;
  first.asked = move;
  askHint(state, actions);
}

/** From which deal on what fades is said once, before the discard. @param {Table.State} state */
function noteHowFar({ view }) {
  note.dataset.deal = String(view.deal);
  const fades = helpers.filter((one) => switched[one] === undefined && UNTIL[one] === view.deal - 1);
  if (fades.length)
    showNote(
      make(
        "p.note-words",
        null,
        text("first.fades", { helpers: fades.map((one) => text(`first.helper.${one}`)).join(text("list.comma")) }),
      ),
    );
  first.deal = view.deal;
}

/** On each card the count it would make. @param {Table.State} state */
function showCounts(state) {
  const { view } = state;
  first.deal = view.deal;
  const shown = may(state, "Play") && helps("counts", view.deal);
  for (const button of all(byId("hand"), "button")) {
    const card = button.dataset.card ?? "";
    find(button, ".would")?.remove();
    button.removeAttribute("aria-description");
    if (!shown || !fits(view, card)) continue;
    const n = view.count + countsFor(card);
    button.append(make("span.would", { "aria-hidden": "true" }, String(n)));
    button.setAttribute("aria-description", text("first.would", { n }));
  }
}

/** How far it is to 31. @param {Table.State} state */
function showGoal({ view }) {
  if (way.over) return;
  for (const [index, rest] of all(byId("scores"), ".score-rest").entries()) {
    const side = (sideOf(view, view.seat) + index) % view.rules.sides;
    rest.textContent = text("first.rest", { n: Math.max(0, GOAL - view.front[side]) });
  }
}

// ── At 31 ───────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Three numbers, one praise, one tip, and a game to 61: this one goes on.
 * @param {Table.State} state @returns {Promise<void>}
 */
function finish(state) {
  way.over = true;
  keepWay();
  const { view, names } = state;
  const own = sideOf(view, view.seat);
  const won = view.front[own] >= GOAL;
  const name = names.find((_, seat) => sideOf(view, seat) !== own) ?? "";
  const number = (/** @type {"play" | "hands" | "cribs"} */ what) =>
    make(
      "div.first-number",
      null,
      make("b.count", null, String(way[what])),
      make("span", null, text(`first.number.${what}`)),
    );
  return new Promise((resolve) => {
    const dialog = make(
      "dialog.first-over",
      {
        id: "first-over",
        "aria-labelledby": "first-title",
        onclose() {
          dialog.remove();
          first.render();
          resolve();
        },
      },
      make("h2", { id: "first-title" }, won ? text("first.over") : text("first.over-other", { name })),
      make("p.hint", null, text("first.numbers")),
      make("div.first-numbers", null, number("play"), number("hands"), number("cribs")),
      make("p", { "data-praise": true }, praise(name)),
      make("p", { "data-tip": true }, tip(name)),
      make(
        "form.dialog-actions",
        { method: "dialog" },
        make("a.button", { href: "/" }, text("over.home")),
        make("button.button.button--primary", { value: "on", "data-action": "on-to-61" }, text("first.on")),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** @param {string} name */
function praise(name) {
  if (way.best >= 8) return text("first.praise.hand", { n: way.best });
  if (way.play > way.theirPlay) return text("first.praise.play", { name, n: way.play, other: way.theirPlay });
  return text("first.praise.all");
}

/** @param {string} name */
function tip(name) {
  if (way.given >= 6) return text("first.tip.crib", { name, n: way.given });
  if (way.play < way.theirPlay) return text("first.tip.play", { name, n: way.theirPlay, own: way.play });
  return text("first.tip.hint");
}

// ── Switches ────────────────────────────────────────────────────────────────────────────────────────────────

function addSwitches() {
  const form = find(byId("settings"), "form");
  const fields = make("fieldset", { id: "helpers" }, make("legend", null, text("first.helpers")));
  for (const one of helpers) {
    const input = make("input", { type: "checkbox", role: "switch", name: `first-${one}` });
    input.addEventListener("change", () => {
      switched[one] = input.checked;
      keep(SWITCHES, JSON.stringify(switched));
      first.render();
    });
    fields.append(make("label.switch", null, input, make("span", null, text(`first.helper.${one}`))));
  }
  form?.prepend(fields);
  // As they stand in this deal.
  new MutationObserver(() => {
    for (const one of helpers) {
      const input = find(fields, `[name="first-${one}"]`, HTMLInputElement);
      if (input) input.checked = helps(one, first.deal);
    }
  }).observe(byId("settings"), { attributes: true, attributeFilter: ["open"] });
}

addWords(JSON.parse(byId("first-words").textContent ?? "{}"));
addSwitches();
find(document, ".status")?.append(note);
subscribe(helper);
