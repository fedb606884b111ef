// @ts-check
// The new-game page: only what goes together can be chosen, one plain line says what was, and it is remembered.

import { cardElement } from "./cards.js";
import { byId } from "./play/element.js";
import { loadWords, say } from "./play/words.js";

const KEPT = "fifteentwo.usual";
const SEATS = { "six-card": 2, "five-card": 2, "three-handed": 3, partners: 4, "four-handed": 4 };
const PLAIN = { form: "six-card", target: "121", first_dealer: "low", partners_by_draw: "no", cut_before_deal: "yes", starter: "cut", skunk: "no", double_skunk: "no", counting: "automatic", muggins: "off" };

/** @type {Record<string, Record<string, string>>} */
const PRESETS = {
  document: { ...PLAIN, first_dealer: "high", skunk: "yes" },
  short: { ...PLAIN, target: "61" },
  old: { ...PLAIN, form: "five-card", target: "61" },
  strict: { ...PLAIN, skunk: "yes", double_skunk: "yes", counting: "claimed", muggins: "missed-and-over" },
};

const form = /** @type {HTMLFormElement} */ (byId("new-game"));
const inputs = (/** @type {string} */ name) => /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[name="${name}"]:not([type="hidden"])`));

/** @param {string} name */
function value(name) {
  const all = [...inputs(name)];
  if (all[0]?.type === "radio") return all.find((input) => input.checked)?.value ?? "";
  if (all[0]?.type === "checkbox") return all[0].checked && !all[0].disabled ? "yes" : "no";
  return all[0]?.value ?? "";
}

/** @param {string} name @param {string} wanted */
function choose(name, wanted) {
  for (const input of inputs(name)) {
    if (input.type === "radio") input.checked = input.value === wanted;
    else if (input.type === "checkbox") input.checked = wanted === "yes";
    else if (input instanceof HTMLInputElement || [.../** @type {any} */ (input).options].some((option) => option.value === wanted)) input.value = wanted;
  }
}

/** @param {string} name @param {boolean} free @param {string} [otherwise] what holds, and is sent, where there is no choice */
function allow(name, free, otherwise) {
  if (!free && otherwise !== undefined) choose(name, otherwise);
  for (const input of inputs(name)) input.disabled = !free && input.value !== otherwise;
}

function update() {
  const kind = /** @type {keyof typeof SEATS} */ (value("form"));
  const seats = SEATS[kind];
  const sides = kind === "partners" ? 2 : seats;
  allow("target", kind !== "five-card", "61");
  allow("partners_by_draw", kind === "partners" && value("first_dealer") !== "named");
  allow("double_skunk", value("skunk") === "yes" && value("target") === "121");
  allow("muggins", value("counting") === "claimed", "off");
  allow("moment", value("muggins") !== "off");
  allow("board", sides === 2, "A");
  for (const field of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-opponent]"))) {
    field.hidden = Number(field.dataset.opponent) >= seats;
    // A person brings a name of their own.
    const seat = field.dataset.opponent ?? "";
    const person = value(`level_${seat}`) === "person";
    /** @type {HTMLInputElement} */ (field.querySelector("input")).disabled = person;
  }
  byId("level-all").hidden = seats === 2;
  const levels = Array.from({ length: seats - 1 }, (_, i) => value(`level_${i + 1}`));
  byId("level-all").querySelector("select").value = new Set(levels).size === 1 && levels[0] !== "person" ? levels[0] : "";
  byId("sentence").textContent = sentence();
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-preset]"))) {
    const preset = PRESETS[button.dataset.preset ?? ""];
    button.setAttribute("aria-pressed", String(Object.entries(preset).every(([name, wanted]) => value(name) === wanted)));
  }
}

/** What was chosen, in one plain sentence. */
function sentence() {
  const skunk = value("skunk") === "no" ? "none" : value("double_skunk") === "yes" ? "double" : "single";
  const dealer = say(`home.say.dealer.${value("first_dealer")}`);
  return say("home.sentence", {
    form: say(`home.say.${value("form")}`, { n: value("target") }),
    dealer: value("partners_by_draw") === "yes" ? dealer + say("list.comma") + say("home.say.by_draw") : dealer,
    cut: say(`home.say.cut.${value("cut_before_deal")}-${value("starter")}`),
    skunk: say(`home.say.skunk.${skunk}`),
    counting: say(`home.say.counting.${value("counting") === "automatic" ? "automatic" : value("muggins")}`),
  });
}

function keep() {
  const usual = Object.fromEntries([...new FormData(form)].map(([name, kept]) => [name, String(kept)]));
  try {
    localStorage.setItem(KEPT, JSON.stringify(usual));
  } catch {
    // A private window keeps nothing.
  }
}

function restore() {
  try {
    const usual = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    for (const [name, kept] of Object.entries(usual)) choose(name, String(kept));
    return Object.entries(PLAIN).some(([name, plain]) => name !== "form" && usual[name] !== undefined && usual[name] !== plain);
  } catch {
    return false;
  }
}

byId("hero-cards").append(...["5H", "5S", "5D", "JC", "5C"].map((card) => cardElement(card, { size: "fill" })));
await loadWords(document.documentElement.lang);
const refused = document.querySelector('.home [role="alert"]') !== null;
const unusual = refused || restore();
if (unusual) byId("agreed").open = true;
byId("presets").hidden = false;
form.addEventListener("change", ({ target }) => {
  const select = /** @type {HTMLSelectElement} */ (target);
  if (select.closest("#level-all") && select.value) for (const seat of [1, 2, 3]) choose(`level_${seat}`, select.value);
  update();
});
form.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("[data-preset]");
  if (!(button instanceof HTMLElement)) return;
  for (const [name, wanted] of Object.entries(PRESETS[button.dataset.preset ?? ""])) {
    for (const input of inputs(name)) input.disabled = false;
    choose(name, wanted);
  }
  update();
});
form.addEventListener("submit", keep);
update();
form.dataset.ready = "true";
