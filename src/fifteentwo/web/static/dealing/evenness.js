// How even a count is: χ² over all cards and places, and how often chance alone brings as unusual a one.

/** Cards times places, less what the sums decide. */
export const FREEDOM = 51 * 51;

/** @param {number[][]} places how often each card was dealt to each place */
export function chiSquare(places) {
  const decks = places[0].reduce((sum, n) => sum + n, 0);
  const expected = decks / places.length;
  const sum = places.flat().reduce((all, n) => all + (n - expected) ** 2 / expected, 0);
  return sum;
}

/**
 * How often chance brings a χ² as far from the middle as this, on either side, by Wilson and Hilferty's cube root
 * (1931), which is right to about a thousandth at so many degrees of freedom.
 * @param {number} chi
 */
export function chance(chi) {
  const part = 2 / (9 * FREEDOM);
  const away = Math.abs((Math.cbrt(chi / FREEDOM) - (1 - part)) / Math.sqrt(part));
  return 2 * above(away);
}

/**
 * The part of a normal distribution above so many standard deviations (Abramowitz and Stegun 7.1.26).
 * @param {number} away
 */
function above(away) {
  const x = away / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return (sum * Math.exp(-x * x)) / 2;
}
