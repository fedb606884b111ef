// @ts-check
// The hand checker: cards are chosen here, counted by the server, and the count is built up score by score.

import { RANKS, cardElement, suitElement } from "./cards.js";

/** @typedef {{name: string, label: string, cards: string[], points: number, total: number, rule: string, spoken: string}} Score */
/** @typedef {{hand: string[], starter: string, crib: boolean, five: boolean, points: number, scores: Score[], shape: {label: string, points: number} | null}} Count */

const SUITS = ["S", "H", "D", "C"];
const MS_A_SCORE = 900;
const lang = document.documentElement.lang;

/** @type {Record<string, string>} */
const words = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("words")).textContent ?? "{}");
/** @param {string} key @param {Record<string, unknown>} [values] */
const text = (key, values = {}) => (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);
/** @param {string} card */
const nameOf = (card) => text("card.spoken", { rank: text(`rank.${card[0]}`), suit: text(`suit.${card[1]}`) });

const form = byId("ask");
/** The cards by place: the hand, then the starter. @type {(string | null)[]} */
let places = [null, null, null, null, null];
let active = 0;
/** @type {Count | null} */
let count = null;
let shown = 0;
let timer = 0;
let asked = 0;
let aloud = false;

const crib = () => form.elements.crib.checked;
const five = () => form.elements.five.checked;
/** How many cards the hand holds: three only in a five-card hand, never in a crib (R101). */
const handSize = () => (five() && !crib() ? 3 : 4);
const open = () => [...Array(handSize()).keys(), 4];

// ── Choosing ────────────────────────────────────────────────────────────────────────────────────────────

/** @param {string} card */
function toggle(card) {
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
  if (handSize() === 3) places[3] = null;
  if (!open().includes(active)) active = open().find((place) => !places[place]) ?? 0;
  form.elements.hand.value = open().slice(0, -1).map((place) => places[place]).filter(Boolean).join(" ");
  form.elements.starter.value = places[4] ?? "";
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
  const { hand, starter } = form.elements;
  const parameters = new URLSearchParams({ hand: hand.value.trim(), starter: starter.value.trim(), crib: crib() ? "1" : "0" });
  if (five()) parameters.set("five", "1");
  return parameters;
}

/** Let the server count what is written in the form. */
async function ask() {
  const parameters = query();
  const mine = (asked += 1);
  stop();
  let answer;
  try {
    const response = await fetch(`/api/score?${parameters}&lang=${lang}`);
    answer = await response.json();
  } catch {
    answer = { message: text("check.unreachable") };
  }
  if (mine !== asked) return;
  if (!answer.scores) {
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
  places = [hand[0], hand[1], hand[2], hand[3] ?? null, answer.starter];
  if (answer.five && !answer.crib) form.elements.five.checked = true;
  listScores();
  draw();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) show(answer.scores.length);
  else play();
}

// ── The count, score by score ───────────────────────────────────────────────────────────────────────────

function listScores() {
  const { scores, shape } = /** @type {Count} */ (count);
  byId("result").hidden = false;
  byId("error").hidden = true;
  byId("steps").hidden = scores.length === 0;
  byId("tools").hidden = false;
  byId("shape").hidden = !shape;
  if (shape) byId("shape").textContent = text("check.shape", { name: shape.label, points: shape.points });
  byId("scores").replaceChildren(
    ...scores.map((score, index) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "check-score";
      const said = document.createElement("b");
      said.textContent = score.spoken;
      const cards = document.createElement("span");
      cards.className = "check-score-cards";
      for (const card of score.cards) {
        const one = document.createElement("span");
        one.className = "check-score-card";
        one.append(card[0] === "T" ? "10" : card[0], suitElement(card[1]));
        cards.append(one);
      }
      const spokenCards = document.createElement("span");
      spokenCards.className = "visually-hidden";
      spokenCards.textContent = ` (${score.cards.map(nameOf).join(text("join.comma"))}) `;
      cards.setAttribute("aria-hidden", "true");
      const points = document.createElement("span");
      points.className = "check-score-points";
      points.textContent = `+${score.points}`;
      button.append(said, spokenCards, cards, points);
      button.addEventListener("click", () => {
        stop();
        show(index + 1);
      });
      const rule = document.createElement("a");
      rule.className = "check-rule";
      rule.href = `/rules#${score.rule}`;
      rule.textContent = score.rule;
      rule.setAttribute("aria-label", text("check.rule", { rule: score.rule, name: score.label }));
      item.append(button, rule);
      return item;
    }),
  );
}

/** Show the count after so many scores; the last of them lights its cards. @param {number} number */
function show(number) {
  if (!count) return;
  shown = Math.max(0, Math.min(number, count.scores.length));
  const score = count.scores[shown - 1];
  const nothing = count.scores.length === 0;
  byId("total").textContent = String(score?.total ?? 0);
  byId("unit").textContent = text("check.points");
  const line = nothing ? text("check.nothing") : (score?.spoken ?? text("check.ready"));
  byId("line").textContent = line;
  byId("said").textContent = line;
  if (aloud && (score || nothing)) speak(line);
  [...byId("scores").children].forEach((item, index) => {
    item.classList.toggle("is-counted", index < shown);
    item.firstElementChild.setAttribute("aria-current", index === shown - 1 ? "step" : "false");
  });
  light(score?.cards ?? []);
}

/** @param {string[]} cards */
function light(cards) {
  for (const [place, button] of [...byId("places").querySelectorAll("[data-place]")].entries()) {
    const card = places[Number(button.dataset.place ?? place)];
    button.classList.toggle("is-lit", card !== null && cards.includes(card));
    button.classList.toggle("is-dim", cards.length > 0 && (card === null || !cards.includes(card)));
  }
}

function play() {
  show(0);
  if (!count?.scores.length) return;
  playButton().textContent = text("check.pause");
  timer = setInterval(() => {
    show(shown + 1);
    if (!count || shown >= count.scores.length) stop();
  }, MS_A_SCORE);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  playButton().textContent = text("check.play");
}

const playButton = () => /** @type {HTMLElement} */ (document.querySelector('[data-step="play"]'));

/** @param {string} line */
function speak(line) {
  const said = new SpeechSynthesisUtterance(line);
  said.lang = lang === "ja" ? "ja-JP" : "en-GB";
  speechSynthesis.cancel();
  speechSynthesis.speak(said);
}

byId("steps").addEventListener("click", (/** @type {any} */ event) => {
  const step = event.target.closest("[data-step]")?.dataset.step;
  if (!step || !count) return;
  if (step === "play") {
    if (timer) stop();
    else play();
    return;
  }
  stop();
  show({ first: 0, back: shown - 1, next: shown + 1, all: count.scores.length }[step]);
});

// ── What is seen ────────────────────────────────────────────────────────────────────────────────────────

function draw() {
  const shelf = byId("places");
  const focused = document.activeElement?.getAttribute("data-place");
  shelf.replaceChildren(
    ...open().map((place) => {
      const card = places[place];
      const box = document.createElement("div");
      box.className = place === 4 ? "check-place check-place--starter" : "check-place";
      const button = document.createElement("button");
      button.type = "button";
      button.className = "card-button";
      button.dataset.place = String(place);
      const which = place === 4 ? text("check.starter") : text("check.place", { n: place + 1 });
      button.setAttribute("aria-label", `${which}: ${card ? nameOf(card) : text("check.empty")}`);
      if (place === active && !card) button.classList.add("is-active");
      if (card) button.append(cardElement(card, { size: "fill" }));
      else {
        const hole = document.createElement("span");
        hole.className = "card-place";
        button.append(hole);
      }
      button.addEventListener("click", () => {
        if (places[place]) toggle(/** @type {string} */ (places[place]));
        else {
          active = place;
          draw();
        }
      });
      box.append(button);
      if (place === 4) {
        const label = document.createElement("small");
        label.textContent = text("check.starter");
        label.setAttribute("aria-hidden", "true");
        box.append(label);
      }
      return box;
    }),
  );
  if (focused !== null && focused !== undefined) shelf.querySelector(`[data-place="${focused}"]`)?.focus();
  for (const button of byId("picker").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(places.includes(button.dataset.card)));
  }
  if (count && shown) light(count.scores[shown - 1].cards);
}

/** All 52, one stop of the Tab key; the arrows move within. */
function drawPicker() {
  const rows = SUITS.map((suit) => {
    const row = document.createElement("div");
    row.className = "picker-suit";
    for (const rank of RANKS) {
      const card = rank + suit;
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.card = card;
      button.tabIndex = card === "AS" ? 0 : -1;
      button.setAttribute("aria-label", nameOf(card));
      button.append(rank === "T" ? "10" : rank, suitElement(suit));
      row.append(button);
    }
    return row;
  });
  byId("picker").append(...rows);
  byId("picker-hint").hidden = false;
}

byId("picker").addEventListener("click", (/** @type {any} */ event) => {
  const button = event.target.closest("button");
  if (button) {
    rove(button);
    toggle(button.dataset.card);
  }
});
byId("picker").addEventListener("keydown", (/** @type {any} */ event) => {
  const buttons = [...byId("picker").querySelectorAll("button")];
  const at = buttons.indexOf(event.target);
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13, Home: -(at % 13), End: 12 - (at % 13) }[event.key];
  if (at < 0 || by === undefined) return;
  event.preventDefault();
  rove(buttons[(at + by + 52) % 52]).focus();
});

/** @param {HTMLElement} button */
function rove(button) {
  for (const other of byId("picker").querySelectorAll("button")) other.tabIndex = other === button ? 0 : -1;
  return button;
}

// ── Form, examples, link ────────────────────────────────────────────────────────────────────────────────

form.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  ask();
});
for (const box of [form.elements.crib, form.elements.five]) box.addEventListener("change", changed);
byId("clear").addEventListener("click", () => {
  places = [null, null, null, null, null];
  active = 0;
  changed();
});
byId("random").addEventListener("click", () => {
  const pack = SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  for (const place of open()) places[place] = pack.splice(Math.floor(Math.random() * pack.length), 1)[0];
  changed();
});
byId("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.href);
    tell(text("check.copied"));
  } catch {
    tell(location.href);
  }
});
byId("aloud").addEventListener("click", () => {
  aloud = !aloud;
  byId("aloud").setAttribute("aria-pressed", String(aloud));
  if (aloud && count) play();
  else speechSynthesis.cancel();
});

/** @param {string} line */
function tell(line) {
  const toast = document.createElement("p");
  toast.className = "toast";
  toast.textContent = line;
  byId("toasts").replaceChildren(toast);
  setTimeout(() => toast.remove(), 4000);
}

const examples = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".example")]);
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
byId("turn-pages").addEventListener("click", (/** @type {any} */ event) => {
  const by = event.target.closest("[data-example]")?.dataset.example;
  if (by) showExample(example < 0 ? 0 : example + Number(by));
});

/** @param {URLSearchParams} parameters */
function read(parameters) {
  form.elements.hand.value = parameters.get("hand") ?? "";
  form.elements.starter.value = parameters.get("starter") ?? "";
  form.elements.crib.checked = ["1", "yes"].includes(parameters.get("crib") ?? "");
  form.elements.five.checked = ["1", "yes"].includes(parameters.get("five") ?? "");
}

for (const id of ["random", "clear", "turn-pages"]) byId(id).hidden = false;
if (!("speechSynthesis" in window)) byId("aloud").remove();
drawPicker();
read(new URL(location.href).searchParams);
draw();
if (form.elements.hand.value || form.elements.starter.value) ask();
