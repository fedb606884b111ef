// The story of a review: screens to swipe or step through, and one button that always leads on.

import { boardElement } from "../board/board.js";
import { byRank, toggled } from "../cards/deck.js";
import { all, byId, find, make, prefersReducedMotion, refresh } from "../elements.js";
import { playedNow } from "../play/events/follow.js";
import { boardOptions } from "../play/seats/seats.js";
import { faces, tableCard } from "../settings/settings.js";
import { cardName, readableCards, text } from "../text.js";
import { percent, textOf } from "./figures.js";
import { sharePicture, storyPicture } from "./picture.js";
import { answered, asked, isFine, nudge, screensOf } from "./screens.js";
import { cardsOf, choiceOf, viewFrom } from "./story.js";

/** Sentences of an answer before "More", besides that about a new choice. */
const FIRST_SENTENCES = 2;

/** @typedef {import("./reviewed.js").Reviewed} Reviewed */

/** Milliseconds without scrolling after which a swipe has ended. */
const SWIPE_END_MS = 120;

/** Scroll opened details into view. @param {Event} event */
const intoView = ({ target }) =>
  target instanceof HTMLDetailsElement && target.open && target.scrollIntoView({ block: "nearest" });

/** Create the story of a game. @param {Reviewed} game @param {{full: (decision: Review.Decision) => void}} on */
export function storyPanel(game, { full }) {
  const [track, bar] = [byId("story-screens"), byId("story-bar")];
  /** The reader's choice at each mistake, by its step, and a first wrong one. @type {Map<number, {picked: string[], first: string[], done: boolean}>} */
  let tries = new Map();
  let [at, swipe] = [0, 0];
  /** The screen that was read before a reload. @type {number} */
  let resumed = history.state?.screen ?? 0;
  /** The decision of the full review that is tried again, alone. @type {Review.Decision | null} */
  let single = null;
  /** @type {Review.Screen[]} */
  let screens = [];

  const tryAt = (/** @type {Review.Decision} */ one) => tries.get(one.step) ?? { picked: [], first: [], done: false };
  /** Return the mistake that waits for the reader's choice, if any. */
  const open = () => {
    const { kind, decision } = screens[at] ?? {};
    return kind === "mistake" && decision && !tryAt(decision).done ? decision : null;
  };

  function render() {
    const begins = refresh(track, [Boolean(game.whole), game.seat, game.names, single?.step], () => {
      screens = single ? [asked(game, single)] : screensOf(game);
      [tries, at] = [new Map(), single ? 0 : Math.min(resumed, Math.max(screens.length - 1, 0))];
      if (screens.length) resumed = 0;
      if (!screens.length) return [make("li.story-screen.felt")];
      return screens.map(({ kind }) => make("li.story-screen.felt", { "data-kind": kind }));
    });
    for (const [place, screen] of screens.entries()) {
      const host = /** @type {HTMLElement} */ (track.children[place]);
      host.toggleAttribute("inert", place !== at);
      refresh(host, [screen.decision && tryAt(screen.decision), faces()], () => drawn(screen));
    }
    renderBar();
    if (!begins) return;
    track.scrollLeft = at * track.clientWidth;
    reveal();
  }

  /** Scroll to the end of the page if large letters make it higher than the window. */
  function reveal() {
    const { scrollHeight } = document.documentElement;
    if (scrollHeight > innerHeight + 1) scrollTo({ top: scrollHeight, behavior: "instant" });
  }

  /** @param {Review.Screen} screen */
  function drawn(screen) {
    const { kind, title, lines, decision, drill, shown } = screen;
    const mistake = kind === "mistake" && decision;
    const { picked, first: failed, done } = mistake ? tryAt(mistake) : { picked: [], first: [], done: true };
    const tried = mistake && choiceOf(mistake, failed);
    const asking = tried ? [nudge(game, mistake, tried)] : lines.slice(1);
    const said = mistake ? (done ? answered(game, mistake, picked) : asking) : lines;
    const isResult = kind === "result";
    const first = FIRST_SENTENCES + Math.sign(picked.length);
    const asks = screens.flatMap((one) => (one.kind === "mistake" && one.decision ? [one.decision.step] : []));
    const sentence = (/** @type {string} */ words, /** @type {boolean} */ isBold) =>
      make(`p.flush${isBold ? ".bold" : ""}`, ...readableCards(words));
    const side = [
      !isResult && make("h2.flush", { tabindex: -1 }, title),
      mistake && make("p.story-place.flush.small", lines[0], mistake.kind === "play" && ` · ${cribOf(mistake)}`),
      (mistake || kind === "well") && decision && borderKey(decision),
      make(
        "div.story-words.grid.gap-2",
        { role: "status" },
        said
          .slice(0, mistake ? first : undefined)
          .map((words, place) => sentence(words, !place && (isResult || (picked.length > 0 && done)))),
        mistake &&
          done &&
          make(
            "details.flush",
            { ontoggle: intoView },
            make("summary", text("story.details")),
            said.slice(first).map((words) => sentence(words, false)),
            mistake.win !== null &&
              make("p", text("story.figures", { win: percent(mistake.win), other: percent(mistake.win_chosen ?? 0) })),
            !single && make("button.button", { onclick: () => full(mistake) }, text("story.table")),
          ),
      ),
      isResult &&
        make(
          "div.story-sharing.flex.wraps.centred.gap-2.small",
          make("button.button", { onclick: () => sharePicture(game) }, text("story.share-picture")),
          !byId("review").dataset.record &&
            !game.onward &&
            make("button.button", { "data-action": "share" }, text("review.share.short")),
        ),
      kind === "well" && decision && make("button.button", { onclick: () => full(decision) }, text("story.table")),
      drill && make("a.button", { href: drill.href, "data-drill": true }, drill.words),
      drill && make("button.button", { "data-action": "full" }, drill.full),
    ];
    const isEnd = kind === "drill" || kind === "onward";
    const end = game.pictures[game.pictures.length - 1];
    const drawing = isResult
      ? storyPicture(game, asks)
      : isEnd
        ? make("div.story-position.full-width", boardAt(end))
        : decision && position(decision, picked, done, failed);
    return [drawing || (shown && pileOf(shown.starter, shown.cards)), make("div.story-side", side)];
  }

  const cribOf = (/** @type {Review.Decision} */ one) =>
    text(game.ownCrib(one) ? "practice.solve.own-crib" : "practice.solve.other-crib");

  /** Say which of the played cards are the reader's, if any. @param {Review.Decision} one */
  const borderKey = (one) =>
    one.kind === "play" &&
    game.before(one).played.some(([seat]) => seat === one.seat) &&
    make("span.story-place.small", text("story.border"));

  /** Draw the board, before the end folded to the streets in play. @param {Review.Picture} picture */
  function boardAt({ front, rear, rules, won }) {
    const board = boardElement({ ...boardOptions(game.names, rules), layout: "wide" });
    board.setCollapsed(!won);
    board.update({ front, rear });
    return board;
  }

  /**
   * Draw the starter and the cards of a count or of a hand; of a pegging also the discard and earlier counts.
   * @param {string | null} starter @param {string[]} cards @param {Wire.View | null} [pegging]
   */
  function pileOf(starter, cards, pegging = null) {
    const { seat = 0, played = [], discarded = [], count_ends: ends = [], count = 0 } = pegging ?? {};
    const own = played.filter(([whose]) => whose === seat).map(([, card]) => card);
    const earlier = played.slice(0, ends.at(-1) ?? 0).map(([, card]) => card);
    const laid = (/** @type {string[]} */ some) =>
      make(
        "div.flex.centred",
        some.map((card) => {
          const isOwn = own.includes(card);
          const label = [cardName(card), ...(isOwn ? [text("home.you")] : [])].join(text("list.comma"));
          return make(`span.story-small.block${isOwn ? ".is-own" : ""}`, tableCard(card, { label }));
        }),
      );
    const figure = (/** @type {string} */ key, /** @type {string[]} */ some, kind = "") =>
      some.length > 0 && make(`figure.flush${kind}`, laid(some), make("figcaption.small", text(key)));
    return make(
      "div.story-pile.aligned.centred.gap-3.wraps",
      figure("check.starter", starter ? [starter] : []),
      figure("practice.solve.discarded", discarded),
      figure("practice.solve.before", earlier, ".story-earlier"),
      cards.length > 0 && laid(cards),
      cards.length > 0 && pegging && make("b.big-number", { "aria-label": text("table.count") }, String(count)),
    );
  }

  /** Draw the cards on the table and the hand. @param {Review.Decision} one @param {string[]} picked @param {boolean} done @param {string[]} first a wrong choice, which is not raised again */
  function position(one, picked, done, first) {
    const view = viewFrom(game.before(one), one.seat);
    const discards = one.kind === "discard";
    const pile = discards ? [] : playedNow(view).map(([, card]) => card);
    const best = cardsOf(one, one.best);
    // The new choice, if any; otherwise the one in the game, if it was not the best.
    const chosen = picked.length ? picked : one.chosen === one.best ? [] : cardsOf(one, one.chosen);
    const tag = textOf("review.chosen_short", picked.length ? text("home.you") : game.names[one.seat]);
    return make(
      "div.story-position.full-width.column.gap-2",
      boardAt(game.before(one)),
      (view.starter || pile.length > 0) && pileOf(view.starter, pile, discards ? null : view),
      make(
        "div.story-hand.flex.centred",
        { role: "group", "aria-label": text("review.hand") },
        [...one.hand]
          .sort((card, other) => byRank(card, other))
          .map((card) => {
            const fits = discards || one.options.some(({ choice }) => choice === card[0]);
            const tags = Object.entries({ [text("review.best")]: best, [tag]: chosen })
              .filter(([, cards]) => done && cards.includes(card))
              .map(([words]) => words);
            return make(
              "div.story-card.shrinks",
              make(
                `button.card-button${best.includes(card) && done ? ".is-best" : ""}`,
                {
                  "data-card": card,
                  "data-tag": tags.join("\n") || null,
                  "aria-label": [cardName(card), ...tags].join(text("list.comma")),
                  "aria-pressed": String(picked !== first && picked.includes(card)),
                  "aria-disabled": done || !fits ? "true" : null,
                  onclick: () => !done && fits && pick(one, card),
                },
                tableCard(card),
              ),
            );
          }),
      ),
    );
  }

  /** @param {Review.Decision} one @param {string} card */
  function pick(one, card) {
    const { picked, first } = tryAt(one);
    const most = one.kind === "discard" ? one.options[0].choice.split(" ").length : 1;
    tries.set(one.step, { picked: toggled(picked, card, most), first, done: false });
    render();
  }

  /** Show the answer, or the next screen. A choice that is not complete does not count; a first one may be tried again. */
  function goOn() {
    const one = open();
    if (!one) return step(1);
    const { picked, first } = tryAt(one);
    const own = choiceOf(one, picked);
    const again = own && !first.length && !isFine(one, own);
    tries.set(
      one.step,
      again ? { picked: [], first: picked, done: false } : { picked: own ? picked : first, first, done: true },
    );
    render();
    reveal();
  }

  function renderBar() {
    const [screen, one] = [screens[at], open()];
    const ready = one && choiceOf(one, tryAt(one).picked);
    const yours = one?.kind === "discard" ? "review.discard" : "story.play";
    const words = text(ready ? yours : one ? "review.show_answer" : single ? "review.leave" : "story.next");
    byId("story-marks").style.cssText = `--at: ${at + 1}; --of: ${Math.max(screens.length, 1)}`;
    refresh(bar, [at, screens.length, words], () => [
      make(
        "button.button.button--quiet",
        {
          "data-at": "story-back",
          "aria-disabled": at || single ? null : "true",
          "aria-label": text("story.back"),
          onclick: () => step(-1),
        },
        "‹",
      ),
      make("span.visually-hidden", screens.length > 1 && `${at + 1} / ${screens.length}`),
      screen?.href
        ? make(
            "a.button.button--primary",
            { href: screen.href, "data-primary": true },
            text(screen.kind === "onward" ? "first.on" : "story.again"),
          )
        : make(
            "button.button.button--primary",
            {
              // Another name for another action: a double tap does not skip the answer.
              "data-at": words,
              "data-primary": true,
              tabindex: 0,
              disabled: !screen,
              onclick: goOn,
            },
            words,
          ),
    ]);
  }

  /** Go to the next or the previous screen. @param {number} by */
  function step(by) {
    if (single) return full(single);
    // The browser's way back leads through the same screens.
    const { screen, from } = history.state ?? {};
    if (screen === at && from === at + by) return history.back();
    if (!screens[at + by]) return;
    history.pushState({ screen: at + by, from: at }, "");
    show(at + by);
  }

  /** @param {number} place */
  function show(place) {
    at = Math.min(place, Math.max(screens.length - 1, 0));
    // Opened details may have scrolled any of these.
    for (const one of [document.documentElement, track, track.children[at]]) if (one) one.scrollTop = 0;
    track.scrollTo({ left: at * track.clientWidth, behavior: prefersReducedMotion() ? "instant" : "smooth" });
    render();
    reveal();
    find(track.children[at], "h2")?.focus({ preventScroll: true });
  }

  track.addEventListener("scroll", () => {
    clearTimeout(swipe);
    swipe = window.setTimeout(() => {
      const there = Math.round(track.scrollLeft / Math.max(track.clientWidth, 1));
      // A hidden story has no width, and is not swiped.
      if (!track.clientWidth || there === at || !screens[there]) return;
      step(there - at);
    }, SWIPE_END_MS);
  });
  /** Choose a card by its number. @param {number} place */
  const choose = (place) => all(track.children[at], ".card-button")[place - 1]?.click();

  /** Ask about one decision; null shows the whole story. @param {Review.Decision | null} decision */
  function ask(decision) {
    single = decision;
    if (decision) tries.delete(decision.step);
    render();
    if (decision) find(track, "h2")?.focus({ preventScroll: true });
  }

  return { render, step, show, choose, ask };
}
