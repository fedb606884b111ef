// Parts of all problems: the signs of answers, cards and digits to choose, sending, keys.

import { cardElement } from "../cards/cards.js";
import { all, byId, isBrowserKey, make, pressed } from "../elements.js";
import { cardName, listed, text } from "../text.js";

/** The points of the best hand. */
const MAX_POINTS = 29;
/** Pixels of the button's bar at the bottom of small windows. */
const BUTTON_BAR = 60;
/** Signs of an answer by what it loses: ◎ is right. @type {Record<string, string>} */
export const SIGNS = { tiny: "◎", small: "△", mistake: "△", blunder: "×" };

/** The printed loss: games of 100, or points. @param {boolean} byChance @param {number} loss */
export const costOf = (byChance, loss) => (byChance ? (100 * loss).toFixed(1) : loss.toFixed(2));

/** Name what an answer loses. @param {Wire.JudgedAnswer} judged */
export const markOf = ({ mark, by_chance, loss }) =>
  text(`review.mark.${mark ?? (Number(costOf(by_chance, loss)) > 0 ? "tiny" : "none")}`);

/** Scroll to the felt if the window does not hold all of the page down to the felt's end. */
export function scrollToFelt() {
  scrollTo(0, 0);
  if (byId("felt").getBoundingClientRect().bottom > innerHeight - BUTTON_BAR) byId("felt").scrollIntoView();
}

/**
 * Send an answer. Without a connection the reply says so.
 * @template T
 * @param {string} path @param {unknown} answer @returns {Promise<T | Pick<Wire.Refusal, "message">>}
 */
export async function send(path, answer) {
  try {
    const headers = { "Content-Type": "application/json" };
    return await (await fetch(path, { method: "POST", headers, body: JSON.stringify(answer) })).json();
  } catch {
    return { message: text("practice.solve.unreachable") };
  }
}

/**
 * Return the sign of a card: ✓ for a best one, ✗ for a chosen one that is worse, otherwise nothing.
 * @param {Pick<Wire.JudgedAnswer, "right" | "best">} judged @param {string} card @param {boolean} isChosen @param {string} [kind]
 */
export function signOf({ right, best }, card, isChosen, kind) {
  // In pegging every card of the best rank is right.
  const isBest = kind === "play" ? best.some((one) => one[0] === card[0]) : best.includes(card);
  return (right ? isChosen : isBest) ? "✓" : isChosen ? "✗" : "";
}

/** Say whether a choice is the best or the user's. @param {boolean} isBest @param {boolean} isOwn @param {boolean} [isRight] */
export const marksOf = (isBest, isOwn, isRight = isBest) =>
  make(
    "small",
    isBest || (isOwn && isRight) ? "✓ " : isOwn ? "✗ " : "",
    [isBest && text("practice.solve.best"), isOwn && text("practice.solve.yours")]
      .filter(Boolean)
      .join(text("list.comma")),
  );

/** Draw the small cards of a choice. @param {string[]} cards @param {HTMLElement} [marks] */
export const choiceCards = (cards, marks) => [
  make("span.visually-hidden", listed(cards.map(cardName))),
  make(
    "span.solve-mini.inline-flex.wraps",
    cards.map((card) => cardElement(card, { size: "s" })),
    marks,
  ),
];

/**
 * Draw a card of a hand to count, as a button if its attributes are given; the fifth card is the starter.
 * @param {string} card @param {number} place @param {{"aria-pressed": string, onclick: () => void} | false} [button]
 */
export function handCard(card, place, button = false) {
  const isStarter = place === 4;
  const name = isStarter ? text("practice.count.starter", { card: cardName(card) }) : cardName(card);
  const svg = cardElement(card, { size: "fill", label: button ? "" : name });
  return make(
    `div.drill-card.shrinks.text-center.felt-quiet${isStarter ? ".drill-card--starter" : ""}`,
    { "data-card": card },
    button ? make("button.card-button.full-width", { "data-card": card, "aria-label": name, ...button }, svg) : svg,
    isStarter && make("small", { "aria-hidden": "true" }, text("check.starter")),
  );
}

/** Return the typed number after a key. A digit that would pass 29 begins a new number. @param {string} typed @param {string} key */
export function typedAfter(typed, key) {
  if (key === "Backspace") return typed.slice(0, -1);
  const number = Number(typed + key);
  return String(number > MAX_POINTS ? Number(key) : number);
}

/** Return buttons that pass a digit or "Backspace" on. @param {(key: string) => void} type */
export const digitPad = (type) =>
  [..."123456789", "Backspace", "0"].map((key) =>
    make(
      "button.button",
      {
        "data-key": key,
        "aria-label": key === "Backspace" ? text("practice.count.back") : null,
        onclick: () => type(key),
      },
      key === "Backspace" ? "⌫" : key,
    ),
  );

/** Choose cards by digits and press the button by Enter. @param {() => unknown} go @param {(key: string) => boolean} [type] takes a key of the pad */
export const listenToKeys = (go, type = () => false) =>
  document.addEventListener("keydown", (event) => {
    const { key } = event;
    if (isBrowserKey(event) || byId("felt").hidden || type(key)) return;
    if (/^[1-6]$/.test(key)) all(byId("hand"), "button")[Number(key) - 1]?.click();
    if (key !== "Enter") return;
    if (event.target !== document.body && !pressed(event, "#hand, #pad, #verdict, #felt:not(:has(:focus))")) return;
    event.preventDefault();
    go();
  });
