// Figures that stand together: what is subtracted is what is printed.

/**
 * What two figures differ by as they are printed: each rounded first.
 * @param {number} first @param {number} second @param {number} places
 */
export const difference = (first, second, places) =>
  Number((Number(first.toFixed(places)) - Number(second.toFixed(places))).toFixed(places));
