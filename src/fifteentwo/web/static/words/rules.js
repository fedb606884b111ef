// The rules: cards as pictures, and a peg that walks (R116, R122).

import { reach } from "../board/holes.js";
import { all, find, prefersReducedMotion } from "../elements.js";
import "./pictures.js";

const MS_A_HOLE = 320;
/** The first hole, and the heights of a lifted and a set peg, as in the page's drawing. */
const [FIRST, LIFTED, DOWN] = [14, 9, 29];

for (const example of all(document, ".pegging")) {
  const peg = find(example, ".strip-lifted", SVGGElement);
  const button = find(example, "[data-walk]", HTMLButtonElement);
  if (!peg || !button) continue;
  const { rear, front, points } = Object.fromEntries(
    Object.entries(example.dataset).map(([name, value]) => [name, Number(value)]),
  );
  const place = (/** @type {number} */ hole, /** @type {number} */ y) =>
    peg.setAttribute("transform", `translate(${FIRST + reach(hole)} ${y})`);
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;

  function walk() {
    clearInterval(timer);
    let counted = prefersReducedMotion() ? points : 0;
    const step = () => {
      place(counted ? front + counted : rear, counted === points ? DOWN : LIFTED);
      find(example, ".strip-sum", SVGTextElement)?.replaceChildren(counted ? String(counted) : "");
      if (counted === points) clearInterval(timer);
      counted += 1;
    };
    step();
    if (counted <= points) timer = setInterval(step, MS_A_HOLE);
  }

  button.addEventListener("click", walk);
  button.hidden = false;
}
