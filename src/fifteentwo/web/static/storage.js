// Storage in this browser. A private window stores nothing, and everything works without it.

/** Return another value if the browser refuses. @template T @template U @param {() => T} access @param {U} otherwise */
function attempt(access, otherwise) {
  try {
    return access();
  } catch {
    return otherwise;
  }
}

/** Return a stored value, or null. @param {string} name */
export const readStored = (name) => attempt(() => localStorage.getItem(name), null);

/** Store a value. Return false if the browser refuses. @param {string} name @param {string} value */
export const store = (name, value) => attempt(() => localStorage.setItem(name, value) ?? true, false);

/** Return a stored object; an empty object if there is none. @param {string} name @returns {Record<string, unknown>} */
export function readStoredObject(name) {
  const fields = attempt(() => JSON.parse(readStored(name) ?? "{}"), null);
  return typeof fields === "object" && fields !== null ? fields : {};
}

/** Store a value for this window until it is closed. @param {string} name @param {string} value */
export const storeInWindow = (name, value) => attempt(() => sessionStorage.setItem(name, value), undefined);

/** @param {string} name */
export const readFromWindow = (name) => attempt(() => sessionStorage.getItem(name), null);

/** @param {string} name */
export const removeFromWindow = (name) => attempt(() => sessionStorage.removeItem(name), undefined);
