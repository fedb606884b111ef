// @ts-check

/**
 * A new element. Attributes that start with "on" are listeners, false and null ones are left out.
 * @param {string} tag "button", or with classes: "button.button.button--primary"
 * @param {Record<string, any> | null} [attributes]
 * @param {...(Node | string | null | undefined | false | (Node | string)[])} children
 * @returns {HTMLElement}
 */
export function make(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) node.style.setProperty(key, String(value));
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false && child !== "") node.append(child);
  return node;
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/**
 * Rebuild a part of the page only when what it shows has changed, and keep the keyboard where it was.
 * @param {HTMLElement} host @param {unknown} key @param {() => (Node | null | false | undefined)[]} build
 */
export function refresh(host, key, build) {
  const stamp = JSON.stringify(key);
  if (host.dataset.shows === stamp) return false;
  const had = host.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const mark = had?.dataset.card ? `[data-card="${had.dataset.card}"]` : had?.dataset.action ? `[data-action="${had.dataset.action}"]` : null;
  host.replaceChildren(.../** @type {Node[]} */ (build().filter(Boolean)));
  // Set after building, so that a failure is not taken for a finished picture.
  host.dataset.shows = stamp;
  if (had) /** @type {HTMLElement | null} */ ((mark && host.querySelector(`button${mark}`)) || host.querySelector("button:not(:disabled)"))?.focus({ preventScroll: true });
  return true;
}
