// The hand checker: cards are chosen here, counted by the server, or here while it cannot be reached, and the count is
// built up score by score.

import { cardElement, suitElement } from "../cards/cards.js";
import { RANKS } from "../cards/deck.js";
import { PICKED_SUITS, drawPicker } from "../cards/picker.js";
import { counted } from "./count.js";
import { all, byId, field, find, make, makeSvg, pressed, wantsStill } from "../elements.js";
import { cardName, lang, text, wordsInPage } from "../text.js";
import { scoreText } from "../scores.js";
import { toast } from "../toast.js";
import { hasVoice, hush, utterance } from "../voice.js";

const MS_A_SCORE = 900;
wordsInPage();

const form = byId("ask", HTMLFormElement);
const [typedHand, typedStarter] = [field(form, "hand"), field(form, "starter")];
const [cribBox, fiveBox] = [field(form, "crib"), field(form, "five")];
/** The cards by place: the hand, then the starter. @type {(string | null)[]} */
let places = [null, null, null, null, null];
/** The only scores counted, of cards without a starter: "pairs" and so on. @type {string | null} */
let part = null;
let active = 0;
/** @type {Wire.Count | null} */
let count = null;
let shown = 0;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;
let asked = 0;
let aloud = false;

/** How many cards the hand holds: three only in a five-card hand, never in a crib (R101). */
const handSize = () => (fiveBox.checked && !cribBox.checked ? 3 : 4);
const open = () => (part ? [...places.keys()].filter((place) => places[place]) : [...Array(handSize()).keys(), 4]);

// ── Choosing ────────────────────────────────────────────────────────────────────────────────────────────

/** @param {string} card */
function toggle(card) {
  part = null;
  const at = places.indexOf(card);
  if (at >= 0) {
    places[at] = null;
    active = at;
  } else {
    places[active] = card;
    const free = open().filter((place) => !places[place]);
    if (free.length) active = free.find((place) => place > active) ?? free[0];
  }
  changed();
}

function changed() {
  part = null;
  if (handSize() === 3) places[3] = null;
  if (!open().includes(active)) active = open().find((place) => !places[place]) ?? 0;
  typedHand.value = open()
    .slice(0, -1)
    .map((place) => places[place])
    .filter(Boolean)
    .join(" ");
  typedStarter.value = places[4] ?? "";
  if (open().every((place) => places[place])) ask();
  else forget();
  draw();
}

function forget() {
  count = null;
  asked += 1;
  stop();
  byId("error").hidden = true;
  byId("total").textContent = "";
  byId("unit").textContent = "";
  byId("line").textContent = text("check.lead");
  byId("result").hidden = true;
}

function query() {
  if (part) return new URLSearchParams({ hand: typedHand.value.trim(), part });
  const parameters = new URLSearchParams({
    hand: typedHand.value.trim(),
    starter: typedStarter.value.trim(),
    crib: cribBox.checked ? "1" : "0",
  });
  if (fiveBox.checked) parameters.set("five", "1");
  return parameters;
}

/** Let the server count what is written in the form. */
async function ask() {
  const parameters = query();
  asked += 1;
  const mine = asked;
  stop();
  /** @type {Wire.Count | Pick<Wire.NotCounted, "message">} */
  let answer;
  try {
    const response = await fetch(`/api/score?${parameters}&lang=${lang}`);
    answer = await response.json();
  } catch {
    answer = counted(parameters) ?? { message: text("check.unreachable") };
  }
  if (mine !== asked) return;
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
  count = answer;
  shown = 0;
  history.replaceState(null, "", `?${parameters}`);
  const hand = answer.hand;
  part = answer.part;
  places = Array.from({ length: 5 }, (_, place) => hand[place] ?? null);
  if (!part) places[4] = answer.starter;
  if (answer.five && !answer.crib) fiveBox.checked = true;
  listScores(answer);
  draw();
  if (wantsStill()) show(answer.scores.length);
  else play();
}

// ── The count, score by score ───────────────────────────────────────────────────────────────────────────

/** @param {Wire.Count} counted */
function listScores({ scores, shape, part: only }) {
  byId("result").hidden = false;
  byId("error").hidden = true;
  byId("steps").hidden = scores.length === 0;
  byId("tools").hidden = false;
  byId("shape").hidden = !shape && !only;
  if (shape) byId("shape").textContent = text("check.shape", { name: shape.label, points: shape.points });
  if (only) byId("shape").textContent = text("check.counted", { what: text(`check.part.${only}`) });
  byId("scores").replaceChildren(
    ...scores.map((score, index) =>
      make(
        "li",
        null,
        make(
          "button.check-score",
          {
            type: "button",
            onclick: () => {
              stop();
              show(index + 1);
            },
          },
          make(
            "b",
            null,
            score.spoken,
            score.name === "run" && make("small.check-gloss", { "aria-hidden": "true" }, ` ${score.label}`),
          ),
          make("span.visually-hidden", null, ` (${scoreText(score)}) `),
          make(
            "span.check-score-cards",
            { "aria-hidden": "true" },
            score.cards.map((card) =>
              make("span.check-score-card", null, card[0] === "T" ? "10" : card[0], suitElement(card[1])),
            ),
          ),
          make("span.check-score-points", null, `+${score.points}`),
        ),
        ruleLink(score),
      ),
    ),
  );
}

/** The sign that leads to a score's rule. @param {Wire.CountedScore} score */
function ruleLink({ rule, label: name }) {
  const link = make("a.rule-link", {
    href: `/rules#${rule}`,
    title: rule,
    "aria-label": text("check.rule", { rule, name }),
  });
  const sign = makeSvg("svg", { class: "icon", "aria-hidden": "true" });
  sign.append(makeSvg("use", { href: "/static/icons/ui.svg#link" }));
  link.append(sign);
  return link;
}

/** What is said of a score, with a plain word where only numbers are. @param {Wire.CountedScore} score */
const lineOf = ({ name, spoken, label: plain }) => (name === "run" ? text("check.gloss", { spoken, plain }) : spoken);

/** Show the count after so many scores; the last of them lights its cards. @param {number} number */
function show(number) {
  if (!count) return;
  shown = Math.max(0, Math.min(number, count.scores.length));
  const score = count.scores[shown - 1];
  const nothing = count.scores.length === 0;
  byId("total").textContent = String(score?.total ?? 0);
  byId("unit").textContent = text("check.points");
  const line = nothing ? text("check.nothing") : score ? lineOf(score) : text("check.ready");
  byId("line").textContent = line;
  byId("status").textContent = score ? `${score.spoken} (${scoreText(score)})` : line;
  if (aloud && (score || nothing)) {
    hush();
    speechSynthesis.speak(utterance(score?.spoken ?? line));
  }
  all(byId("scores"), "li").forEach((item, index) => {
    item.classList.toggle("is-counted", index < shown);
    item.firstElementChild?.setAttribute("aria-current", index === shown - 1 ? "step" : "false");
  });
  light(score?.cards ?? []);
}

/** @param {string[]} cards */
function light(cards) {
  for (const button of all(byId("places"), "[data-place]")) {
    const card = places[Number(button.dataset.place)];
    button.classList.toggle("is-lit", card !== null && cards.includes(card));
    button.classList.toggle("is-dim", cards.length > 0 && (card === null || !cards.includes(card)));
  }
}

function play() {
  show(0);
  if (!count?.scores.length) return;
  label("check.pause");
  timer = setInterval(() => {
    show(shown + 1);
    if (!count || shown >= count.scores.length) stop();
  }, MS_A_SCORE);
}

function stop() {
  clearInterval(timer);
  timer = undefined;
  label("check.play");
}

/** What the button that runs the count says. @param {"check.play" | "check.pause"} key */
const label = (key) => find(byId("steps"), '[data-step="play"]')?.replaceChildren(text(key));

byId("steps").addEventListener("click", (event) => {
  const step = pressed(event, "[data-step]")?.dataset.step;
  if (!step || !count) return;
  if (step === "play") {
    if (timer) stop();
    else play();
    return;
  }
  stop();
  /** @type {Record<string, number>} */
  const wanted = { first: 0, back: shown - 1, next: shown + 1, all: count.scores.length };
  show(wanted[step]);
});

// ── What is seen ────────────────────────────────────────────────────────────────────────────────────────

function draw() {
  const shelf = byId("places");
  const focused = document.activeElement?.getAttribute("data-place");
  shelf.replaceChildren(
    ...open().map((place) => {
      const card = places[place];
      const starter = place === 4 && !part;
      const which = starter ? text("check.starter") : text("check.place", { n: place + 1 });
      const press = () => {
        if (card) return toggle(card);
        active = place;
        draw();
      };
      return make(
        `div.check-place${starter ? ".check-place--starter" : ""}`,
        null,
        make(
          `button.card-button${place === active && !card ? ".is-active" : ""}`,
          {
            type: "button",
            "data-place": place,
            "aria-label": `${which}: ${card ? cardName(card) : text("check.empty")}`,
            onclick: press,
          },
          card ? cardElement(card, { size: "fill" }) : make("span.card-place"),
        ),
        starter && make("small", { "aria-hidden": "true" }, text("check.starter")),
      );
    }),
  );
  if (focused !== null && focused !== undefined) find(shelf, `[data-place="${focused}"]`)?.focus();
  for (const button of all(byId("picker"), "button"))
    button.setAttribute("aria-pressed", String(places.includes(button.dataset.card ?? "")));
  if (count && shown) light(count.scores[shown - 1].cards);
}

// ── Form, examples, link ────────────────────────────────────────────────────────────────────────────────

form.addEventListener("submit", (event) => {
  event.preventDefault();
  part = null;
  ask();
});
for (const box of [cribBox, fiveBox]) box.addEventListener("change", changed);
byId("clear").addEventListener("click", () => {
  places = [null, null, null, null, null];
  active = 0;
  changed();
});
byId("random").addEventListener("click", () => {
  const deck = PICKED_SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  for (const place of open()) places[place] = deck.splice(Math.floor(Math.random() * deck.length), 1)[0];
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
  aloud = !aloud;
  byId("aloud").setAttribute("aria-pressed", String(aloud));
  if (aloud && count) play();
  else hush();
});

const examples = all(document, ".example", HTMLAnchorElement);
let example = -1;
/** @param {number} number */
function showExample(number) {
  example = (number + examples.length) % examples.length;
  const chosen = examples[example];
  read(new URL(chosen.href).searchParams);
  examples.forEach((link, index) => link.toggleAttribute("aria-current", index === example));
  byId("example-at").textContent = text("check.example-at", { n: example + 1, all: examples.length });
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
  if (by) showExample(example < 0 ? 0 : example + Number(by));
});

/** @param {URLSearchParams} parameters */
function read(parameters) {
  part = parameters.get("part");
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
