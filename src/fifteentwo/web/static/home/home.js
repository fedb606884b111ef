// The first page: the board of the game to continue, and the form for a new game. The form offers only combinations
// that are allowed, sums up the choice in one line and remembers it.

import { boardElement } from "../board/board.js";
import { cardElement } from "../cards/cards.js";
import { all, byId, find, pressed } from "../elements.js";
import { store, readStoredObject } from "../storage.js";
import { text, wordsInPage } from "../text.js";

const PEOPLE = ["person", "here"];
const STORAGE_KEY = "fifteentwo.usual";
const MS_PER_DAY = 86_400_000;
/** Days after which a streak of daily deals has ended. */
const MAX_GAP_DAYS = 2;
/** @type {Record<string, number>} */
const SEATS = { "six-card": 2, "five-card": 2, "three-handed": 3, partners: 4, "four-handed": 4 };
/** @type {Record<string, string>} */
const PLAIN = {
  variant: "six-card",
  target: "121",
  first_dealer: "low",
  partners_by_draw: "no",
  cut_before_deal: "yes",
  starter: "cut",
  skunk: "no",
  double_skunk: "no",
  counting: "automatic",
  muggins: "off",
  length: "open",
  board: "A",
};

/** Choices of each preset; others stay unchanged. @type {Record<string, Record<string, string>>} */
const PRESETS = {
  document: { target: "121", skunk: "yes" },
  short: { target: "61" },
  old: { variant: "five-card" },
  here: { level_1: "here", level_2: "here", level_3: "here" },
  strict: { counting: "claimed", muggins: "missed-and-overclaims", skunk: "yes" },
};

/** The user's choices, including those that are not allowed at present. */
const wanted = { ...PLAIN };

const form = byId("new-game", HTMLFormElement);
/** Return the boxes and fields with a name. @param {string} name */
const inputs = (name) => all(form, `input[name="${name}"]:not([type="hidden"])`, HTMLInputElement);
/** Return the list with a name, if any. @param {string} name */
const select = (name) => find(form, `select[name="${name}"]`, HTMLSelectElement);

/** @param {string} name */
function value(name) {
  const fields = inputs(name);
  const [first] = fields;
  if (!first) return select(name)?.value ?? "";
  if (first.type === "radio") return fields.find((input) => input.checked)?.value ?? "";
  if (first.type === "checkbox") return first.checked && !first.disabled ? "yes" : "no";
  return first.value;
}

/** Choose a value if it is offered. @param {string} name @param {string} chosen */
function choose(name, chosen) {
  const fields = inputs(name);
  if (fields[0]?.type === "radio" && !fields.some((input) => input.value === chosen)) return;
  for (const input of fields) {
    if (input.type === "radio") input.checked = input.value === chosen;
    else if (input.type === "checkbox") input.checked = chosen === "yes";
    else input.value = chosen;
  }
  const list = select(name);
  if (list && [...list.options].some((option) => option.value === chosen)) list.value = chosen;
}

/**
 * Apply the wanted value if the field is free, otherwise another value and the reason.
 * @param {string} name @param {boolean} free @param {string} [otherwise] the value to send without a choice
 * @param {string} [why]
 */
function allow(name, free, otherwise, why = name) {
  const chosen = free ? wanted[name] : otherwise;
  if (chosen !== undefined) choose(name, chosen);
  for (const input of inputs(name)) {
    // A fixed switch must still be sent, so it is greyed out but not disabled.
    const holds = input.value === otherwise;
    input.disabled = !free && !holds;
    if (input.type === "checkbox") input.setAttribute("aria-disabled", String(!free && holds));
  }
  const list = select(name);
  if (list) list.disabled = !free && list.value !== otherwise;
  const line = find(form, `[data-why="${name}"]`);
  if (!line) return;
  line.hidden = free;
  line.textContent = free ? "" : text(`home.why.${why}`);
}

/** Return the number of sides of a variant. @param {string} kind */
const sidesOf = (kind) => (kind === "partners" ? 2 : SEATS[kind]);

function allowWhatGoes() {
  const kind = value("variant");
  const nine = value("length") === "nine";
  allow("target", kind !== "five-card", "61");
  allow("partners_by_draw", kind === "partners" && value("first_dealer") !== "named", "no");
  // Nine games are played for points; a skunk wins one point more.
  allow("skunk", !nine, "yes");
  allow(
    "double_skunk",
    value("skunk") === "yes" && value("target") === "121" && !nine,
    "no",
    nine ? "double_skunk_nine" : undefined,
  );
  allow("muggins", value("counting") !== "automatic", "off");
  allow(
    "challenge_seconds",
    value("muggins") !== "off",
    undefined,
    value("counting") !== "automatic" ? "challenge_seconds" : "muggins",
  );
  allow("board", sidesOf(kind) === 2, "A");
}

/** Whether a switch is fixed by other choices. @param {EventTarget | null} field */
const isHeld = (field) => field instanceof Element && field.getAttribute("aria-disabled") === "true";

function update() {
  allowWhatGoes();
  const seats = SEATS[value("variant")];
  for (const field of all(form, "[data-opponent]")) {
    const seat = field.dataset.opponent ?? "";
    field.hidden = Number(seat) >= seats;
    // A person types a name.
    for (const name of all(field, "input", HTMLInputElement)) name.disabled = PEOPLE.includes(value(`level_${seat}`));
  }
  byId("level-all").hidden = seats === 2;
  const levels = Array.from({ length: seats - 1 }, (_, i) => value(`level_${i + 1}`));
  for (const list of all(byId("level-all"), "select", HTMLSelectElement))
    list.value = new Set(levels).size === 1 && !PEOPLE.includes(levels[0]) ? levels[0] : "";
  for (const note of all(form, "[data-strength]")) {
    const level = value(`level_${note.dataset.strength}`);
    note.textContent = text(
      level === "person"
        ? "home.person.note"
        : level === "here"
          ? "pass_and_play.home.note"
          : `level.note.${kindOf(level)}`,
    );
  }
  byId("sentence").textContent = sentence();
  find(document, "#against")?.replaceChildren(against(seats));
  drawBoard();
  const chosen = presetChosen();
  for (const button of all(document, "[data-preset]"))
    button.setAttribute("aria-pressed", String(button.dataset.preset === chosen));
}

/** Return the preset that the form agrees with in the most choices, if any. */
function presetChosen() {
  const fits = Object.entries(PRESETS).filter(([, named]) =>
    Object.entries(named).every(([name, chosen]) => value(name) === chosen),
  );
  return fits.sort(([, one], [, other]) => Object.keys(one).length - Object.keys(other).length).at(-1)?.[0];
}

/** Return the level, or "program" for an external program. @param {string} level */
const kindOf = (level) => level.split(":")[0];

/** Return the name of a program, or "". @param {string} level */
const programOf = (level) => (level.startsWith("program:") ? level.slice("program:".length) : "");

/** Describe the opponents of the main button's game. @param {number} seats */
function against(seats) {
  const level = value("level_1");
  // Choices of an earlier visit are never used silently.
  if (Object.entries(PLAIN).some(([name, plain]) => value(name) !== plain)) return sentence();
  if (seats > 2 || PEOPLE.includes(level)) return text(`home.summary.${value("variant")}`, { n: value("target") });
  return text("home.against", {
    name: programOf(level) || text("home.opponent_name.1"),
    level: text(`level.${kindOf(level)}`),
    note: text(`level.note.${kindOf(level)}`),
  });
}

function sentence() {
  const skunk = value("skunk") === "no" ? "none" : value("double_skunk") === "yes" ? "double" : "single";
  const length = value("length");
  const how = { automatic: "automatic", "claimed-hands": `hands-${value("muggins")}` }[value("counting")];
  const counting = text(`home.summary.counting.${how ?? value("muggins")}`);
  const dealer = text(`home.summary.dealer.${value("first_dealer")}`);
  return text("home.sentence", {
    variant: text(`home.summary.${value("variant")}`, { n: value("target") }),
    dealer: value("partners_by_draw") === "yes" ? dealer + text("list.comma") + text("home.summary.by_draw") : dealer,
    cut: text(`home.summary.cut.${value("cut_before_deal")}-${value("starter")}`),
    skunk: length === "nine" ? text("home.summary.length.nine") : text(`home.summary.skunk.${skunk}`),
    counting:
      length === "nine" || length === "open"
        ? counting
        : counting + text("list.comma") + text(`home.summary.length.${length}`),
  });
}

/** Restore the last choice. Return whether it differs from the usual one. */
function restore() {
  const usual = readStoredObject(STORAGE_KEY);
  // Older pages stored the target 61 of five-card games as if the user had chosen it.
  if (usual.variant === "five-card") delete usual.target;
  for (const [name, chosen] of Object.entries(usual)) want(name, String(chosen));
  return Object.entries(PLAIN).some(([name, plain]) => name !== "variant" && wanted[name] !== plain);
}

/** Choose a value and remember that the user wanted it. @param {string} name @param {string} chosen */
function want(name, chosen) {
  if (name in PLAIN) wanted[name] = chosen;
  choose(name, chosen);
}

/** Apply a preset. @param {Record<string, string>} named */
function usePreset(named) {
  // Five-card games are never played to 121.
  if (named.target === "121" && value("variant") === "five-card") want("variant", PLAIN.variant);
  for (const [name, chosen] of Object.entries(named)) want(name, chosen);
  update();
}

/** Draw the board of the game to continue, or of the game that the button starts. */
function drawBoard() {
  const hero = byId("hero").dataset;
  const { sides = sidesOf(value("variant")), target = value("target"), board: type = value("board") } = hero;
  const skunk = "front" in hero ? "skunk" in hero : value("skunk") === "yes";
  const place = byId("hero-board");
  const kind = [sides, target, type, skunk].join();
  if (place.dataset.kind === kind) return;
  place.dataset.kind = kind;
  const { front = Array(Number(sides)).fill(0).join(" "), rear = front } = hero;
  const pegs = (/** @type {string} */ holes) => holes.split(" ").map(Number);
  const board = boardElement({
    type: type === "B" ? "B" : "A",
    sides: Number(sides),
    target: Number(target),
    layout: "wide",
    skunk,
  });
  board.setCollapsed(false);
  board.update({ front: pegs(front), rear: pegs(rear), games: pegs(front).map(() => 0) });
  place.replaceChildren(board);
}

/** Say on the daily deal's link whether it is done, and the streak. */
function drawDaily() {
  const { day, streak } = readStoredObject("fifteentwo.daily");
  const gap = Math.floor(Date.now() / MS_PER_DAY) - Date.parse(String(day)) / MS_PER_DAY;
  const link = find(document, '[data-action="today"]');
  if (!link || !(gap <= MAX_GAP_DAYS)) return;
  const days = text("practice.daily.days", { n: Number(streak) });
  link.textContent = gap < 1 ? text("home.daily.done", { days }) : `${link.textContent} · ${days}`;
}

/** Say on the lesson's card at which step the user left the lesson. */
function drawLesson() {
  const { step, of } = readStoredObject("fifteentwo.learn");
  const card = find(document, "#learn-card", HTMLAnchorElement);
  const [title, note] = card ? all(card, "b, small") : [];
  if (!card || !(Number(step) > 1)) return;
  note.textContent = text("learn.card.continue", { n: Number(step), of: Number(of) });
  if (step !== of || !("front" in byId("hero").dataset)) return;
  title.textContent = text("learn.card.done");
  note.textContent = text("learn.card.next");
  card.href = "/practice";
}

function openAnother() {
  if (location.hash === "#another") byId("another", HTMLDetailsElement).open = true;
}

byId("hero-cards").append(...["5H", "5S", "5D", "JC", "5C"].map((card) => cardElement(card, { size: "fill" })));
wordsInPage();
const refused = find(document, '.home [role="alert"]') !== undefined;
addEventListener("hashchange", openAnother);
find(document, '[href="#another"]')?.addEventListener("click", () => (byId("another", HTMLDetailsElement).open = true));
openAnother();
// A refused form is shown with the values sent.
if (refused)
  for (const name of Object.keys(PLAIN))
    if (name !== "target" || value("variant") !== "five-card") wanted[name] = value(name);
if (refused || restore()) byId("agreed", HTMLDetailsElement).open = true;
byId("presets").hidden = false;
form.addEventListener("change", (event) => {
  const level = pressed(event, "#level-all select", HTMLSelectElement)?.value;
  if (level) for (const seat of [1, 2, 3]) choose(`level_${seat}`, level);
  const { name, disabled } = /** @type {HTMLInputElement} */ (event.target);
  if (name in PLAIN && !disabled && !isHeld(event.target)) wanted[name] = value(name);
  update();
});
form.addEventListener("click", (event) => {
  const button = pressed(event, "[data-preset]");
  if (button) usePreset(PRESETS[button.dataset.preset ?? ""]);
});
form.addEventListener("submit", () => {
  const sent = [...new FormData(form)]
    .filter(([name]) => name !== "listed")
    .map(([name, chosen]) => [name, String(chosen)]);
  store(STORAGE_KEY, JSON.stringify({ ...Object.fromEntries(sent), ...wanted }));
});
update();
drawDaily();
drawLesson();
form.dataset.ready = "true";
