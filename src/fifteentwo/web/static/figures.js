// Differences of rounded figures.

/**
 * Return the difference of two figures, each rounded before subtraction, so that it fits the printed figures.
 * @param {number} first @param {number} second @param {number} places
 */
export const difference = (first, second, places) =>
  Number((Number(first.toFixed(places)) - Number(second.toFixed(places))).toFixed(places));
