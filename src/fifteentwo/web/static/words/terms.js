// Terms of the game are explained in place: press one, or press W for all visible ones. Highlighting does not change
// the page, so nothing is read twice.

import { cardElement } from "../cards/cards.js";
import { all, byId, find, isBrowserKey, make, pressed } from "../elements.js";
import { likes } from "../settings/settings.js";
import { cardName, lang, listed, text } from "../text.js";

/** Elements whose text is not explained because pressing them does something else. */
const SILENT = "button, a, input, select, summary, svg, dialog, .bar, [popover], [data-no-terms]";

/** @type {Terms.State} */
const state = { asked: null, terms: [], patterns: [] };

export function loadTerms() {
  state.asked ??= fetch(`/i18n/${document.documentElement.lang}/terms.json`).then(async (answer) => {
    state.terms = answer.ok ? await answer.json() : [];
    state.patterns = state.terms
      .flatMap((term) => term.names.map((name) => ({ name: pattern(name), term })))
      .sort((one, other) => other.name.source.length - one.name.source.length);
    return state.terms;
  });
  return state.asked;
}

/** @param {string} name */
function pattern(name) {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (!/[a-z]/i.test(name)) return new RegExp(`(?<![ァ-ヶー・])${plain}(?![ァ-ヶー・戦])`, "g");
  // The verb "count" is no term.
  const noun = name === "count" ? "(?:(?<=\\b(?:an?|the|this|new|same|one) )|^(?=count$))" : "";
  // "121 to go" and "go on" do not contain the term "go", nor "the last card played" the term "last card".
  return new RegExp(
    `(?<!\\bto )${noun}\\b${plain}${name.endsWith("skunk") ? "(?:s|ed)?" : "s?"}\\b(?! (?:on|to|back|played)\\b)`,
    "gi",
  );
}

/** Return every term in a text; longer names first, without overlaps. @param {string} text @returns {Terms.Place[]} */
export function placesIn(text) {
  /** @type {Terms.Place[]} */
  const places = [];
  for (const { name, term } of state.patterns)
    for (const match of text.matchAll(name)) {
      const [from, to] = [match.index, match.index + match[0].length];
      if (places.every((place) => to <= place.from || from >= place.to)) places.push({ term, from, to });
    }
  return places.sort((one, other) => one.from - other.from);
}

/** Yield the visible texts of a part of the page. @param {HTMLElement} root */
function* texts(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    if (node.textContent?.trim() && box && !box.closest(SILENT) && box.checkVisibility({ visibilityProperty: true }))
      yield node;
  }
}

/** @param {HTMLElement} root */
function mark(root) {
  /** @type {Range[]} */
  const ranges = [];
  for (const node of texts(root))
    for (const { from, to } of placesIn(node.textContent ?? "")) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      ranges.push(range);
    }
  if ("highlights" in CSS) CSS.highlights.set("term", new Highlight(...ranges));
}

/** Return the term under the pointer. @param {MouseEvent} event */
function termAt({ clientX, clientY, target }) {
  const token = target instanceof Element ? target.closest("[data-term]")?.getAttribute("data-term") : null;
  if (token) return state.terms.find((term) => term.id === token);
  if (target instanceof Element && target.closest(SILENT)) return undefined;
  // The standard function, and Safari's.
  const caret = document.caretPositionFromPoint?.(clientX, clientY);
  const range = caret ? null : document.caretRangeFromPoint?.(clientX, clientY);
  const [node, at] = caret ? [caret.offsetNode, caret.offset] : [range?.startContainer, range?.startOffset ?? 0];
  if (node?.nodeType !== Node.TEXT_NODE) return undefined;
  const place = placesIn(node.textContent ?? "").find(({ from, to }) => from <= at && at <= to);
  if (!place) return undefined;
  const seen = new Range();
  seen.setStart(node, place.from);
  seen.setEnd(node, place.to);
  const near = [...seen.getClientRects()].some(
    ({ left, right, top, bottom }) =>
      clientX > left - 6 && clientX < right + 6 && clientY > top - 6 && clientY < bottom + 6,
  );
  return near ? place.term : undefined;
}

/** Draw the meaning of a term and its example cards. @param {Wire.TableTerm} term */
const meaning = (term) => [
  make("p", term.meaning),
  term.cards.length > 0 &&
    make(
      "div.term-cards.flex.gap-1",
      { role: "img", "aria-label": listed(term.cards.map(cardName)) },
      term.cards.map((card) => cardElement(card, { size: "fill" })),
    ),
];

/** @param {Wire.TableTerm} term */
const entryLink = (term) =>
  make(
    "a.term-more.small",
    { href: `/glossary#${term.id}`, target: "_blank", rel: "noopener" },
    text("terms.entry", { term: term.name }),
  );

/** Open the explanation above or below the text of the pressed term. @param {Wire.TableTerm} term @param {MouseEvent} event */
function open(term, { clientX, target }) {
  find(document, "#term")?.remove();
  const back = document.activeElement;
  const title = make(
    "h2.entry-title",
    { id: "term-title" },
    term.name,
    " ",
    lang === "ja" && make("small", { lang: "en" }, term.other_name),
  );
  const close = make(
    "button.button.button--quiet.entry-close",
    { "aria-label": text("close"), onclick: () => entry.hidePopover() },
    make("span", { "aria-hidden": "true" }, "×"),
  );
  const entry = make(
    "div.entry",
    { id: "term", popover: "auto", role: "dialog", "aria-labelledby": "term-title", tabindex: -1 },
    title,
    close,
    ...meaning(term),
    entryLink(term),
  );
  document.body.append(entry);
  entry.addEventListener("toggle", (event) => {
    if (!(event instanceof ToggleEvent) || event.newState !== "closed") return;
    entry.remove();
    if (back instanceof HTMLElement && document.activeElement === document.body) back.focus({ preventScroll: true });
  });
  entry.showPopover();
  const { width, height } = entry.getBoundingClientRect();
  const words = target instanceof Element ? target.getBoundingClientRect() : new DOMRect();
  const [above, under] = [words.top - height - 8, words.bottom + 8];
  entry.style.left = `${Math.min(Math.max(8, clientX - width / 2), innerWidth - width - 8)}px`;
  // Above the hand if there is space below the text, otherwise above the text.
  const below = under + height <= 0.73 * innerHeight;
  entry.style.top = `${above >= 8 && !below ? above : Math.max(8, Math.min(under, innerHeight - height - 8))}px`;
  entry.focus({ preventScroll: true });
}

/** Open all visible terms, after a note how to continue. */
export async function openAll() {
  await loadTerms();
  const root = find(document, "#table") ?? byId("main");
  const seen = new Set([...texts(root)].flatMap((node) => placesIn(node.textContent ?? "").map(({ term }) => term)));
  for (const node of all(root, "[data-term]"))
    seen.add(state.terms.find((term) => term.id === node.dataset.term) ?? state.terms[0]);
  find(document, "#terms")?.remove();
  const list = [...seen].map((term) =>
    make("details.term-item", { name: "term" }, make("summary", term.name), ...meaning(term), entryLink(term)),
  );
  const dialog = make(
    "dialog.terms",
    { id: "terms", "aria-labelledby": "terms-title", onclose: () => dialog.remove() },
    make("h2", { id: "terms-title" }, text("terms.title")),
    list.length ? list : make("p", text("terms.none")),
    make(
      "form.dialog-actions",
      { method: "dialog" },
      make("a.button", { href: "/glossary", target: "_blank", rel: "noopener" }, text("Glossary")),
      make("button.button.button--primary", { type: "submit", value: "close" }, text("close")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

function ensureStyle() {
  if (!find(document, "#terms-style", Element))
    document.head.append(make("link", { id: "terms-style", rel: "stylesheet", href: "/static/words/terms.css" }));
}

/** Highlight the terms of a part of the page, and explain each when pressed. @param {HTMLElement} root */
export function explainTerms(root) {
  ensureStyle();
  let due = false;
  const remark = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      mark(root);
    });
  };
  void loadTerms().then(() => {
    remark();
    new MutationObserver(remark).observe(root, { childList: true, subtree: true, characterData: true });
  });
  document.addEventListener(
    "click",
    (event) => {
      const term = root.contains(event.target instanceof Node ? event.target : null) ? termAt(event) : undefined;
      if (!term) return;
      event.stopPropagation();
      open(term, event);
    },
    true,
  );
  document.addEventListener("click", (event) => {
    if (!pressed(event, '[data-action="terms"]')) return;
    for (const dialog of all(document, "dialog[open]", HTMLDialogElement)) dialog.close();
    void openAll();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "w" || isBrowserKey(event) || event.repeat || !likes.shortcuts) return;
    if (pressed(event, "input:not([type=range]), select, textarea, dialog")) return;
    event.preventDefault();
    void openAll();
  });
}
