// A list of examples, each a list of steps. One example is open; buttons step through it.

import { all, find, pressed } from "../elements.js";

/**
 * @param {HTMLElement} list the examples: `details` elements with an ordered list
 * @param {HTMLElement} felt the place for the drawings, with buttons `data-to`
 * @param {number} first the step shown at the beginning; 0 is before the first step
 * @param {(example: number, at: number, before: number) => void} show
 */
export function stepThrough(list, felt, first, show) {
  const examples = all(list, "details", HTMLDetailsElement);
  let example = Math.max(
    0,
    examples.findIndex(({ open }) => open),
  );
  let at = first;
  const lines = () => all(examples[example], "li");

  /** @param {number} wanted */
  function go(wanted) {
    const before = at;
    at = Math.min(Math.max(wanted, first), lines().length);
    for (const line of all(list, "li")) line.removeAttribute("aria-current");
    lines()[at - 1]?.setAttribute("aria-current", "step");
    for (const button of all(felt, "[data-to]", HTMLButtonElement))
      button.disabled = at === (button.dataset.to === "next" ? lines().length : first);
    show(example, at, before);
  }

  examples.forEach((one, number) => {
    one.addEventListener("toggle", () => {
      if (!one.open || number === example) return;
      example = number;
      for (const other of examples) other.open = other === one;
      go(first);
    });
    all(one, "li").forEach((line, index) =>
      line.addEventListener("click", (event) => {
        if (!pressed(event, "a")) go(index + 1);
      }),
    );
  });
  felt.addEventListener("click", (event) => {
    const to = pressed(event, "[data-to]")?.dataset.to;
    if (!to) return;
    go(to === "first" ? first : at + (to === "next" ? 1 : -1));
    // Move the focus away from a button that has just been disabled.
    if (document.activeElement === document.body)
      find(felt, `[data-to="${at === first ? "next" : "back"}"]`)?.focus({ preventScroll: true });
  });
  felt.hidden = false;
  go(first);
}
