// What this browser keeps from one visit to the next. A private window keeps nothing, and nothing is lost by it.

/** What was kept under a name, or null. @param {string} name */
export function kept(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keep it; false where the browser refuses. @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/**
 * The same for a value of several fields; none where nothing was kept.
 * @param {string} name @returns {Record<string, unknown>}
 */
export function keptFields(name) {
  try {
    const fields = JSON.parse(kept(name) ?? "{}");
    return typeof fields === "object" && fields !== null ? fields : {};
  } catch {
    return {};
  }
}

/** The same for one window alone, until it is closed. @param {string} name @param {string} value */
export function keepHere(name, value) {
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // Then a reload shows the table as it is.
  }
}

/** @param {string} name */
export function keptHere(name) {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name */
export function forgetHere(name) {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}
