// Choose cloth, board, pegs and card backs. The choice is stored in this browser; theme.js applies it on every page.

import { sideMark } from "../board/board.js";
import { byId, find, make } from "../elements.js";
import { store, readStoredObject } from "../storage.js";
import { text } from "../text.js";
import { loadStyleSheet, loadMoreWords } from "../lazy.js";

const STORAGE_KEY = "fifteentwo.looks";
/** Alternatives of each part, and the colours that the picture of the usual one needs. */
const PARTS = {
  back: { names: ["blue", "green"], colours: ["card-back", "card-back-line"] },
  felt: { names: ["blue", "wine"], colours: ["felt", "felt-2", "felt-line"] },
  wood: { names: ["maple", "ebony"], colours: ["wood", "wood-2", "wood-light", "hole"] },
  pegs: { names: ["jewel", "metal"], colours: ["side-1", "side-2", "side-3", "side-4"] },
};

/** Show the choices in place of the button in the settings. */
export async function openLooks() {
  loadStyleSheet("looks/looks");
  await loadMoreWords("looks");
  const parts = /** @type {(keyof typeof PARTS)[]} */ (Object.keys(PARTS));
  byId("looks").replaceChildren(...parts.map(choices));
  find(byId("looks"), "input:checked")?.focus();
}

/** @param {keyof typeof PARTS} part */
function choices(part) {
  const { names, colours } = PARTS[part];
  const root = document.documentElement;
  const chosen = root.dataset[part] ?? "";
  delete root.dataset[part];
  const usual = colours.map((name) => [`--${name}`, getComputedStyle(root).getPropertyValue(`--${name}`)]);
  if (chosen) root.dataset[part] = chosen;
  const one = (/** @type {string} */ name) =>
    make(
      "label.ringed.grid.gap-1.small.text-center.relative.rounded",
      make("input.overlay", {
        type: "radio",
        name: `look-${part}`,
        value: name,
        checked: name === chosen,
        onchange: () => choose(part, name),
      }),
      make(
        "span.look-swatch.grid.gap-2",
        name ? { [`data-${part}`]: name } : Object.fromEntries(usual),
        part === "pegs" && [0, 1].map(sideMark),
      ),
      text(`looks.${part}-${name || "usual"}`),
    );
  return make(
    "fieldset.look.flush",
    { "data-look": part },
    make("legend", text(`looks.${part}`)),
    make("div.look-choices.grid.gap-2", ["", ...names].map(one)),
  );
}

/** @param {keyof typeof PARTS} part @param {string} name "" for the default */
function choose(part, name) {
  const kept = readStoredObject(STORAGE_KEY);
  if (name) document.documentElement.dataset[part] = kept[part] = name;
  else {
    delete document.documentElement.dataset[part];
    delete kept[part];
  }
  store(STORAGE_KEY, JSON.stringify(kept));
}
