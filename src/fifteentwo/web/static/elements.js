// Find, create and rebuild elements of the page.

/**
 * @template T
 * @typedef {new () => T} Kind a class of elements: HTMLButtonElement, …
 */
/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {string | number | boolean | null | undefined | ((event: never) => void)} Attribute */
/**
 * Class of the created element: "input.cut-slider" creates an HTMLInputElement.
 * @template {string} S
 * @typedef {S extends `${infer Name}.${string}` ? Made<Name> : S extends keyof HTMLElementTagNameMap ?
 *   HTMLElementTagNameMap[S] : HTMLElement} Made
 */

/**
 * Return the element with this id. Throw an error if the page has none.
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
 * Return all matching elements of a part of the page.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} host @param {string} selector @param {Kind<T>} [kind] @returns {T[]}
 */
export const all = (host, selector, kind) =>
  /** @type {T[]} */ ([...host.querySelectorAll(selector)].filter((node) => node instanceof (kind ?? HTMLElement)));

/**
 * Return the first matching element of a part of the page, if any.
 * @template {Element} [T=HTMLElement]
 * @param {ParentNode} host @param {string} selector @param {Kind<T>} [kind] @returns {T | undefined}
 */
export const find = (host, selector, kind) => all(host, selector, kind)[0];

/**
 * Return the field with this name. Throw an error if the form has none.
 * @template {HTMLElement} [T=HTMLInputElement]
 * @param {HTMLFormElement} form @param {string} name @param {Kind<T>} [kind] @returns {T}
 */
export function field(form, name, kind) {
  const node = find(form, `[name="${name}"]`);
  if (!(node instanceof (kind ?? HTMLInputElement))) throw new TypeError(`this form has no field ${name}`);
  return /** @type {T} */ (node);
}

/**
 * Return the matching element that contains the target of an event, or null.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {Event} event @param {string} selector @param {Kind<T>} [kind] @returns {T | null}
 */
export function pressed({ target }, selector, kind) {
  const node = target instanceof Element ? target.closest(selector) : null;
  return node instanceof (kind ?? HTMLElement) ? /** @type {T} */ (node) : null;
}

/** @param {Child} child @returns {child is Node | string} */
const isShown = (child) => child !== null && child !== undefined && child !== false && child !== "";

/** @param {unknown} value @returns {value is Record<string, Attribute>} */
const areAttributes = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Node);

/**
 * Create an element. Attributes that begin with "on" are listeners; false and null attributes are left out. A button
 * sends no form unless its type is given.
 * @template {string} S
 * @param {S} tag "button", or with classes: "button.button.button--primary"
 * @param {...(Record<string, Attribute> | Child | Child[])} rest the attributes, if any, then the children
 */
export function make(tag, ...rest) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  if (name === "button") node.setAttribute("type", "button");
  for (const [key, value] of Object.entries(areAttributes(rest[0]) ? (rest.shift() ?? {}) : {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (key.startsWith("--")) node.style.setProperty(key, String(value));
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(.../** @type {(Child | Child[])[]} */ (rest).flat().filter(isShown));
  return /** @type {Made<S>} */ (node);
}

/**
 * Create an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Record<string, string | number>} [attributes]
 */
export function makeSvg(tag, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

/** Keys of what each host element shows. @type {WeakMap<HTMLElement, string>} */
const shown = new WeakMap();

/** Return whether the part was rebuilt. @param {HTMLElement} host @param {unknown} key @param {() => Child[]} build */
export function refresh(host, key, build) {
  const stamp = JSON.stringify(key);
  if (shown.get(host) === stamp) return false;
  const active = document.activeElement;
  const had = active instanceof HTMLElement && host.contains(active) ? active : null;
  const mark = ["card", "at", "action"]
    .filter((name) => had?.dataset[name])
    .map((name) => `[data-${name}="${had?.dataset[name]}"]`)[0];
  host.replaceChildren(...build().filter(isShown));
  // Set after building, so that a failed build is repeated.
  shown.set(host, stamp);
  if (had)
    (
      (mark && find(host, `button${mark}`, HTMLButtonElement)) ||
      find(host, 'button[tabindex="0"]', HTMLButtonElement) ||
      find(host, "button:not(:disabled)", HTMLButtonElement)
    )?.focus({ preventScroll: true });
  return true;
}

/** Whether a key is the browser's own, not the page's. @param {KeyboardEvent} event */
export const isBrowserKey = ({ ctrlKey, metaKey, altKey }) => ctrlKey || metaKey || altKey;

export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @param {"table" | `table.${string}`} kind @param {Child[]} heads @param {Child[][]} rows */
export const makeTable = (kind, heads, rows) =>
  make(
    kind,
    null,
    make("thead", make("tr", heads)),
    make(
      "tbody",
      rows.map((cells) => make("tr", cells)),
    ),
  );

/** Save a file on the reader's device. @param {File} file */
export function download(file) {
  const link = make("a", { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
