// Cloth, board, pegs and card backs to choose from; kept in this browser, and put on every page by theme.js.

import { sideMark } from "../board/board.js";
import { byId, find, make } from "../elements.js";
import { keep, keptFields } from "../keep.js";
import { text } from "../text.js";
import { loadStyleSheet, loadMoreWords } from "../lazy.js";

const KEPT = "fifteentwo.looks";
/** Each part: what there is in place of the usual, and the colours that a picture of the usual needs. */
const PARTS = {
  back: { names: ["blue", "green"], colours: ["card-back", "card-back-line"] },
  felt: { names: ["blue", "wine"], colours: ["felt", "felt-2", "felt-line"] },
  wood: { names: ["maple", "ebony"], colours: ["wood", "wood-2", "wood-light", "hole"] },
  pegs: { names: ["jewel", "metal"], colours: ["side-1", "side-2", "side-3", "side-4"] },
};

/** Show the choices in the settings, in place of the button that asked for them. */
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
      "label",
      null,
      make("input", {
        type: "radio",
        name: `look-${part}`,
        value: name,
        checked: name === chosen,
        onchange: () => choose(part, name),
      }),
      make(
        "span.look-swatch",
        name ? { [`data-${part}`]: name } : Object.fromEntries(usual),
        part === "pegs" && [0, 1].map(sideMark),
      ),
      text(`looks.${part}-${name || "usual"}`),
    );
  return make(
    "fieldset.look",
    { "data-look": part },
    make("legend", null, text(`looks.${part}`)),
    make("div.look-choices", null, ["", ...names].map(one)),
  );
}

/** @param {keyof typeof PARTS} part @param {string} name "" for the usual */
function choose(part, name) {
  const kept = keptFields(KEPT);
  if (name) document.documentElement.dataset[part] = kept[part] = name;
  else {
    delete document.documentElement.dataset[part];
    delete kept[part];
  }
  keep(KEPT, JSON.stringify(kept));
}
