// The pad's form before a game: variant, players, target, board.

import { all, byId, field, find } from "../elements.js";
import { text } from "../text.js";
import { FORMS, MOST_TARGET, lines } from "./score.js";

const form = byId("setup", HTMLFormElement);
const kind = field(form, "variant", HTMLSelectElement);
const sides = field(form, "sides", HTMLSelectElement);
const target = field(form, "target");
const [skunk, skunkLine] = [field(form, "skunk"), field(form, "skunk_line")];
const [double, doubleLine] = [field(form, "double"), field(form, "double_line")];
const dealer = field(form, "dealer", HTMLSelectElement);
const boards = all(form, 'input[name="board"]', HTMLInputElement);

/** The user's choices, including those that the variant does not allow; the target is "" until one is typed. */
const wanted = { target: "", sides: sides.value, dealer: "0", board: "A", double: false };

/** Show only choices that fit the variant, and restore choices that fit again. */
export function drawSetup() {
  const fixed = FORMS[kind.value];
  byId("sides-choice").hidden = fixed.sides !== null;
  sides.value = fixed.sides === null ? wanted.sides : String(fixed.sides);
  const number = Number(sides.value);
  all(byId("names"), "label").forEach((label, side) => {
    label.hidden = side >= number;
    find(label, "span")?.replaceChildren(text(fixed.teams ? "pad.team" : "pad.player", { n: side + 1 }));
  });
  byId("dealer-choice").hidden = Boolean(fixed.unmarked);
  [...dealer.options].forEach((option, side) => {
    option.hidden = option.disabled = side >= number;
    option.textContent =
      field(form, `name_${side}`).value.trim() || text(fixed.teams ? "pad.team" : "pad.player", { n: side + 1 });
  });
  dealer.value = Number(wanted.dealer) < number ? wanted.dealer : "0";
  const shown = wanted.board === "B" && number !== 2 ? "A" : wanted.board;
  for (const board of boards) {
    board.disabled = board.value === "B" && number !== 2;
    board.checked = board.value === shown;
  }
  byId("why-board").hidden = number === 2;
}

export function drawLines() {
  const usual = lines(Number(target.value));
  skunkLine.value = String(usual.skunk ?? "");
  doubleLine.value = String(usual.doubleSkunk ?? "");
  openLines();
}

function openLines() {
  byId("skunk-line").hidden = !skunk.checked;
  double.disabled = !skunk.checked;
  double.checked = skunk.checked && wanted.double;
  byId("why-double").hidden = skunk.checked;
  byId("double-line").hidden = !double.checked;
}

/** Return the settings, or null without a valid target. @returns {Scoring.Setup | null} */
function agreed() {
  const wanted = Math.round(Number(target.value));
  const valid = wanted >= 1 && wanted <= MOST_TARGET;
  target.setAttribute("aria-invalid", String(!valid));
  byId("target-error").hidden = valid;
  if (!valid) return null;
  const line = (/** @type {HTMLInputElement} */ at, /** @type {boolean} */ on) => {
    const below = Math.round(Number(at.value));
    return on && below > 0 && below < wanted ? below : null;
  };
  const board = boards.find((one) => one.checked)?.value;
  return {
    form: kind.value,
    names: Array.from({ length: Number(sides.value) }, (_, side) => field(form, `name_${side}`).value.trim()),
    target: wanted,
    board: board === "B" || board === "none" ? board : "A",
    skunk: line(skunkLine, skunk.checked),
    doubleSkunk: line(doubleLine, skunk.checked && double.checked),
    dealer: Number(dealer.value),
  };
}

/** @param {EventTarget | null} changed */
function remember(changed) {
  if (changed === target) wanted.target = target.value;
  if (changed === sides) wanted.sides = sides.value;
  if (changed === dealer) wanted.dealer = dealer.value;
  if (changed === double) wanted.double = double.checked;
  const board = boards.find((one) => one === changed);
  if (board) wanted.board = board.value;
}

/** @param {(setup: Scoring.Setup) => void} begin */
export function listenToSetup(begin) {
  form.addEventListener("input", ({ target: changed }) => remember(changed));
  form.addEventListener("change", ({ target: changed }) => {
    // A half game is named after its target.
    if (changed === kind)
      target.value = (kind.value !== "half-game" && wanted.target) || String(FORMS[kind.value].target);
    if (changed === kind || changed === target) drawLines();
    openLines();
    drawSetup();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const setup = agreed();
    if (setup) begin(setup);
    else target.focus();
  });
}

export const focusSetup = () => kind.focus();
