// Measure the evenness of a count: χ² over all cards and places, and its probability under chance.

/** Degrees of freedom: 52 × 52 counts with fixed sums of rows and columns. */
export const FREEDOM = 51 * 51;

/** @param {number[][]} places how often each card was dealt to each place */
export function chiSquare(places) {
  const decks = places[0].reduce((sum, n) => sum + n, 0);
  const expected = decks / places.length;
  const sum = places.flat().reduce((all, n) => all + (n - expected) ** 2 / expected, 0);
  return sum;
}

/**
 * Return the two-sided probability of a χ² this far from its mean. Wilson and Hilferty's approximation (1931) is right
 * to about 0.001 here.
 * @param {number} chi
 */
export function chance(chi) {
  const part = 2 / (9 * FREEDOM);
  const away = Math.abs((Math.cbrt(chi / FREEDOM) - (1 - part)) / Math.sqrt(part));
  return 2 * above(away);
}

/** Return the upper tail of the normal distribution (Abramowitz and Stegun 7.1.26). @param {number} away */
function above(away) {
  const x = away / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return (sum * Math.exp(-x * x)) / 2;
}
