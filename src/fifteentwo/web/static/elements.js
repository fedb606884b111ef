// What a script needs of its page: elements found, made, and rebuilt where what they show has changed.

/**
 * @template T
 * @typedef {new () => T} Kind a class of elements: HTMLButtonElement, …
 */
/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {string | number | boolean | null | undefined | ((event: never) => void)} Attribute */
/**
 * The class that a tag with its classes makes: "input.cut-slider" an HTMLInputElement.
 * @template {string} S
 * @typedef {S extends `${infer Name}.${string}` ? Made<Name> : S extends keyof HTMLElementTagNameMap ?
 *   HTMLElementTagNameMap[S] : HTMLElement} Made
 */

/**
 * The element with this id, which the page must have.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id @param {Kind<T>} [kind] @returns {T}
 */
export function byId(id, kind) {
  const node = document.getElementById(id);
  if (!(node instanceof (kind ?? HTMLElement)))
    throw new TypeError(`this page has no ${kind?.name ?? "element"} ${id}`);
  return /** @type {T} */ (node);
}

/**
 * All such elements in a part of the page.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} host @param {string} selector @param {Kind<T>} [kind] @returns {T[]}
 */
export const all = (host, selector, kind) =>
  /** @type {T[]} */ ([...host.querySelectorAll(selector)].filter((node) => node instanceof (kind ?? HTMLElement)));

/**
 * The first such element in a part of the page, if there is one.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} host @param {string} selector @param {Kind<T>} [kind] @returns {T | undefined}
 */
export const find = (host, selector, kind) => all(host, selector, kind)[0];

/**
 * The field of this name, which the form must have.
 * @template {HTMLElement} [T=HTMLInputElement]
 * @param {HTMLFormElement} form @param {string} name @param {Kind<T>} [kind] @returns {T}
 */
export function field(form, name, kind) {
  const node = find(form, `[name="${name}"]`);
  if (!(node instanceof (kind ?? HTMLInputElement))) throw new TypeError(`this form has no field ${name}`);
  return /** @type {T} */ (node);
}

/**
 * The element of this kind that was pressed, or in which something was.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {Event} event @param {string} selector @param {Kind<T>} [kind] @returns {T | null}
 */
export function pressed({ target }, selector, kind) {
  const node = target instanceof Element ? target.closest(selector) : null;
  return node instanceof (kind ?? HTMLElement) ? /** @type {T} */ (node) : null;
}

/** @param {Child} child @returns {child is Node | string} */
const isShown = (child) => child !== null && child !== undefined && child !== false && child !== "";

/**
 * A new element. Attributes that start with "on" are listeners, false and null ones are left out.
 * @template {string} S
 * @param {S} tag "button", or with classes: "button.button.button--primary"
 * @param {Record<string, Attribute> | null} [attributes]
 * @param {...(Child | Child[])} children
 */
export function make(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (key.startsWith("--")) node.style.setProperty(key, String(value));
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter(isShown));
  return /** @type {Made<S>} */ (node);
}

/**
 * A new part of a drawing.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Record<string, string | number>} [attributes]
 */
export function makeSvg(tag, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

/** What each part of the page shows. @type {WeakMap<HTMLElement, string>} */
const shown = new WeakMap();

/**
 * Rebuild a part of the page only when what it shows has changed, and keep the keyboard where it was.
 * @param {HTMLElement} host @param {unknown} key @param {() => Child[]} build
 */
export function refresh(host, key, build) {
  const stamp = JSON.stringify(key);
  if (shown.get(host) === stamp) return false;
  const active = document.activeElement;
  const had = active instanceof HTMLElement && host.contains(active) ? active : null;
  const mark = ["card", "at", "action"]
    .filter((name) => had?.dataset[name])
    .map((name) => `[data-${name}="${had?.dataset[name]}"]`)[0];
  host.replaceChildren(...build().filter(isShown));
  // Set after building, so that a failure is not taken for a finished picture.
  shown.set(host, stamp);
  if (had)
    (
      (mark && find(host, `button${mark}`, HTMLButtonElement)) ||
      find(host, 'button[tabindex="0"]', HTMLButtonElement) ||
      find(host, "button:not(:disabled)", HTMLButtonElement)
    )?.focus({ preventScroll: true });
  return true;
}

/** Whether the reader wants nothing on a page to move. */
export const wantsStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * A table: its heads, and its rows cell by cell.
 * @param {"table" | `table.${string}`} kind @param {Child[]} heads @param {Child[][]} rows
 */
export const makeTable = (kind, heads, rows) =>
  make(
    kind,
    null,
    make("thead", null, make("tr", null, heads)),
    make(
      "tbody",
      null,
      rows.map((cells) => make("tr", null, cells)),
    ),
  );
