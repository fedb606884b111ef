// Figures that stand together: what is subtracted is what is printed.
import assert from "node:assert/strict";
import test from "node:test";
import { difference } from "../../src/fifteentwo/web/static/figures.js";

test("a difference is that of the printed figures", () => {
  assert.equal(difference(9.654, 4.445, 1), 5.3, "9.7 − 4.4, not 5.2");
  assert.equal(difference(29.44, 25.251, 1).toFixed(1), "4.1");
  let seed = 1;
  const next = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (let trial = 0; trial < 1000; trial += 1) {
    const [first, second, places] = [50 * next() - 20, 50 * next() - 20, trial % 3];
    const shown = Number(first.toFixed(places)) - Number(second.toFixed(places));
    assert.equal(difference(first, second, places) + 0, Number(shown.toFixed(places)) + 0);
  }
});
