// The hand checker. The server counts the chosen cards, or the browser if the server cannot be reached; the count is
// shown score by score.

import { cardElement, suitElement } from "../cards/cards.js";
import { RANKS } from "../cards/deck.js";
import { PICKED_SUITS, drawPicker, showPicked } from "../cards/picker.js";
import { counted } from "./count.js";
import { all, byId, field, find, make, makeSvg, pressed, prefersReducedMotion } from "../elements.js";
import { aloud, cardName, lang, readableCards, text, wordsInPage } from "../text.js";
import { scoreText } from "../scores.js";
import { toast } from "../toast.js";
import { hasVoice, stopSpeaking, utterance } from "../voice.js";
import "./play.js";
import "./board.js";

const MS_A_SCORE = 900;
wordsInPage();

const form = byId("ask", HTMLFormElement);
const [typedHand, typedStarter] = [field(form, "hand"), field(form, "starter")];
const [cribBox, fiveBox] = [field(form, "crib"), field(form, "five")];
/** @type {Checking.State} */
const state = {
  places: [null, null, null, null, null],
  part: null,
  active: 0,
  count: null,
  shown: 0,
  timer: undefined,
  asked: 0,
  aloud: false,
  example: -1,
};

/** Return the number of cards in the hand: three only in a five-card hand, never in a crib (R101). */
const handSize = () => (fiveBox.checked && !cribBox.checked ? 3 : 4);
const open = () =>
  state.part ? [...state.places.keys()].filter((place) => state.places[place]) : [...Array(handSize()).keys(), 4];

// ── Choosing cards ──────────────────────────────────────────────────────────────────────────────────────

/** @param {string} card */
function toggle(card) {
  state.part = null;
  const at = state.places.indexOf(card);
  if (at >= 0) {
    state.places[at] = null;
    state.active = at;
  } else {
    state.places[state.active] = card;
    const free = open().filter((place) => !state.places[place]);
    if (free.length) state.active = free.find((place) => place > state.active) ?? free[0];
  }
  changed();
}

function changed() {
  state.part = null;
  if (handSize() === 3) state.places[3] = null;
  if (!open().includes(state.active)) state.active = open().find((place) => !state.places[place]) ?? 0;
  typedHand.value = open()
    .slice(0, -1)
    .map((place) => state.places[place])
    .filter(Boolean)
    .join(" ");
  typedStarter.value = state.places[4] ?? "";
  if (open().every((place) => state.places[place])) ask();
  else forget();
  draw();
}

function forget() {
  state.count = null;
  state.asked += 1;
  stop();
  byId("error").hidden = true;
  byId("total").textContent = "";
  byId("unit").textContent = "";
  byId("line").textContent = text("check.lead");
  byId("result").hidden = true;
}

function query() {
  if (state.part) return new URLSearchParams({ hand: typedHand.value.trim(), part: state.part });
  const parameters = new URLSearchParams({
    hand: typedHand.value.trim(),
    starter: typedStarter.value.trim(),
    crib: cribBox.checked ? "1" : "0",
  });
  if (fiveBox.checked) parameters.set("five", "1");
  return parameters;
}

async function ask() {
  const parameters = query();
  state.asked += 1;
  const mine = state.asked;
  stop();
  /** @type {Wire.Count | Pick<Wire.Refusal, "message">} */
  let answer;
  try {
    const response = await fetch(`/api/score?${parameters}&lang=${lang}`);
    answer = await response.json();
  } catch {
    answer = counted(parameters) ?? { message: text("check.unreachable") };
  }
  if (mine !== state.asked) return;
  if (!("scores" in answer)) {
    forget();
    byId("result").hidden = false;
    byId("error").hidden = false;
    byId("error").textContent = answer.message;
    for (const part of ["steps", "tools", "shape"]) byId(part).hidden = true;
    byId("scores").replaceChildren();
    draw();
    return;
  }
  state.count = answer;
  state.shown = 0;
  history.replaceState(null, "", `?${parameters}`);
  const hand = answer.hand;
  state.part = answer.part;
  state.places = Array.from({ length: 5 }, (_, place) => hand[place] ?? null);
  if (!state.part) state.places[4] = answer.starter;
  if (answer.five && !answer.crib) fiveBox.checked = true;
  listScores(answer);
  draw();
  if (prefersReducedMotion()) show(answer.scores.length);
  else play();
}

// ── Counting score by score ──────────────────────────────────────────────────────────────────────────────

/** @param {Wire.Count} counted */
function listScores({ scores, shape, part: only, nothing: why }) {
  byId("result").hidden = false;
  byId("error").hidden = true;
  byId("steps").hidden = scores.length === 0;
  byId("tools").hidden = false;
  byId("shape").hidden = !shape && !only;
  if (shape) byId("shape").textContent = text("check.shape", { name: shape.label, points: shape.points });
  if (only) byId("shape").textContent = text("check.counted", { what: text(`check.part.${only}`) });
  byId("scores").replaceChildren(
    ...why.map((words) => make("li.check-why", ...readableCards(words))),
    ...scores.map((score, index) =>
      make(
        "li",
        make(
          "button.check-score.grows.quiet-text.rounded.touch.row.gap-3.shrinks",
          {
            onclick: () => {
              stop();
              show(index + 1);
            },
          },
          make(
            "b",
            score.spoken,
            score.name === "run" &&
              make("small.check-gloss.block.quiet-text", { "aria-hidden": "true" }, ` ${score.label}`),
          ),
          make("span.visually-hidden", lang === "ja" ? `（${scoreText(score)}）` : ` (${scoreText(score)}) `),
          make(
            "span.check-score-cards.inline-flex.wraps",
            { "aria-hidden": "true" },
            score.cards.map((card) =>
              make("span.check-score-card.nowrap", card[0] === "T" ? "10" : card[0], suitElement(card[1])),
            ),
          ),
          make("span.check-score-points.text-end", `+${score.points}`),
        ),
        ruleLink(score),
      ),
    ),
  );
}

/** Create the sign that links a score to its rule. @param {Wire.CountedScore} score */
function ruleLink({ rule, label: name }) {
  const link = make("a.rule-link.inline-flex.centred.quiet-text.rounded.rigid", {
    href: `/rules#${rule}`,
    title: rule,
    "aria-label": text("check.rule", { rule, name }),
  });
  const sign = makeSvg("svg", { class: "icon", "aria-hidden": "true" });
  sign.append(makeSvg("use", { href: "/static/icons/ui.svg#link" }));
  link.append(sign);
  return link;
}

/** Return the words of a score; add its name to a bare number. @param {Wire.CountedScore} score */
const lineOf = ({ name, spoken, label: plain }) => (name === "run" ? text("check.gloss", { spoken, plain }) : spoken);

/** Show the first scores of the count and light the cards of the last one. @param {number} number */
function show(number) {
  if (!state.count) return;
  state.shown = Math.max(0, Math.min(number, state.count.scores.length));
  const score = state.count.scores[state.shown - 1];
  const nothing = state.count.scores.length === 0;
  byId("total").textContent = String(score?.total ?? 0);
  byId("unit").textContent = text("check.points");
  const line = nothing ? text("check.nothing") : score ? lineOf(score) : text("check.ready");
  byId("line").textContent = line;
  const heard = nothing ? [line, ...state.count.nothing.map(aloud)].join(" ") : line;
  byId("status").textContent = score ? `${score.spoken} (${scoreText(score)})` : heard;
  if (state.aloud && (score || nothing)) {
    stopSpeaking();
    speechSynthesis.speak(utterance(score?.spoken ?? heard));
  }
  all(byId("scores"), "li").forEach((item, index) => {
    item.classList.toggle("is-counted", index < state.shown);
    item.firstElementChild?.setAttribute("aria-current", index === state.shown - 1 ? "step" : "false");
  });
  light(score?.cards ?? []);
}

/** @param {string[]} cards */
function light(cards) {
  for (const button of all(byId("places"), "[data-place]")) {
    const card = state.places[Number(button.dataset.place)];
    button.classList.toggle("is-lit", card !== null && cards.includes(card));
    button.classList.toggle("is-dim", cards.length > 0 && (card === null || !cards.includes(card)));
  }
}

function play() {
  show(0);
  if (!state.count?.scores.length) return;
  label("check.pause");
  state.timer = setInterval(() => {
    show(state.shown + 1);
    if (!state.count || state.shown >= state.count.scores.length) stop();
  }, MS_A_SCORE);
}

function stop() {
  clearInterval(state.timer);
  state.timer = undefined;
  label("check.play");
}

/** Set the label of the button that runs the count. @param {"check.play" | "check.pause"} key */
const label = (key) => find(byId("steps"), '[data-step="play"]')?.replaceChildren(text(key));

byId("steps").addEventListener("click", (event) => {
  const step = pressed(event, "[data-step]")?.dataset.step;
  if (!step || !state.count) return;
  if (step === "play") {
    if (state.timer) stop();
    else play();
    return;
  }
  stop();
  /** @type {Record<string, number>} */
  const wanted = { first: 0, back: state.shown - 1, next: state.shown + 1, all: state.count.scores.length };
  show(wanted[step]);
});

// ── Drawing ────────────────────────────────────────────────────────────────────────────────────────────

function draw() {
  const shelf = byId("places");
  const focused = document.activeElement?.getAttribute("data-place");
  shelf.replaceChildren(
    ...open().map((place) => {
      const card = state.places[place];
      const starter = place === 4 && !state.part;
      const which = starter ? text("check.starter") : text("check.place", { n: place + 1 });
      const press = () => {
        if (card) return toggle(card);
        state.active = place;
        draw();
      };
      return make(
        `div.check-place.shrinks${starter ? ".check-place--starter" : ""}`,
        make(
          `button.card-button.full-width${place === state.active && !card ? ".is-active" : ""}`,
          {
            "data-place": place,
            "aria-label": `${which}: ${card ? cardName(card) : text("check.empty")}`,
            onclick: press,
          },
          card ? cardElement(card, { size: "fill" }) : make("span.card-place"),
        ),
        starter && make("small.block.nowrap.felt-quiet", { "aria-hidden": "true" }, text("check.starter")),
      );
    }),
  );
  if (focused !== null && focused !== undefined) find(shelf, `[data-place="${focused}"]`)?.focus();
  showPicked(byId("picker"), state.places);
  if (state.count && state.shown) light(state.count.scores[state.shown - 1].cards);
}

// ── Form, examples, link ────────────────────────────────────────────────────────────────────────────────

form.addEventListener("submit", (event) => {
  event.preventDefault();
  state.part = null;
  ask();
});
for (const box of [cribBox, fiveBox]) box.addEventListener("change", changed);
byId("clear").addEventListener("click", () => {
  state.places = [null, null, null, null, null];
  state.active = 0;
  changed();
});
byId("random").addEventListener("click", () => {
  const deck = PICKED_SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  for (const place of open()) state.places[place] = deck.splice(Math.floor(Math.random() * deck.length), 1)[0];
  changed();
});
byId("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    toast(text("check.copied"));
  } catch {
    toast(location.href);
  }
});
byId("aloud").addEventListener("click", () => {
  state.aloud = !state.aloud;
  byId("aloud").setAttribute("aria-pressed", String(state.aloud));
  if (state.aloud && state.count) play();
  else stopSpeaking();
});

const examples = all(document, ".example", HTMLAnchorElement);
/** @param {number} number */
function showExample(number) {
  state.example = (number + examples.length) % examples.length;
  const chosen = examples[state.example];
  read(new URL(chosen.href).searchParams);
  examples.forEach((link, index) => link.toggleAttribute("aria-current", index === state.example));
  byId("example-at").textContent = text("check.example-at", { n: state.example + 1, all: examples.length });
  ask();
}
examples.forEach((link, index) =>
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    showExample(index);
    byId("check").scrollIntoView({ block: "start" });
  }),
);
byId("turn-pages").addEventListener("click", (event) => {
  const by = pressed(event, "[data-example]")?.dataset.example;
  if (by) showExample(state.example < 0 ? 0 : state.example + Number(by));
});

/** @param {URLSearchParams} parameters */
function read(parameters) {
  state.part = parameters.get("part");
  typedHand.value = parameters.get("hand") ?? "";
  typedStarter.value = parameters.get("starter") ?? "";
  cribBox.checked = ["1", "yes"].includes(parameters.get("crib") ?? "");
  fiveBox.checked = ["1", "yes"].includes(parameters.get("five") ?? "");
}

for (const id of ["random", "clear", "turn-pages"]) byId(id).hidden = false;
if (!hasVoice()) byId("aloud").remove();
drawPicker(byId("picker"), toggle);
byId("picker-hint").hidden = false;
read(new URL(location.href).searchParams);
draw();
if (typedHand.value || typedStarter.value) ask();
