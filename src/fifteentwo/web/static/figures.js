// Differences of rounded figures.

/** Round both before subtracting, as printed. @param {number} first @param {number} second @param {number} places */
export const difference = (first, second, places) =>
  Number((Number(first.toFixed(places)) - Number(second.toFixed(places))).toFixed(places));
