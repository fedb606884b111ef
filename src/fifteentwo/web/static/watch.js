// A table to look at: what everybody there knew a while ago, as the server tells it; nothing here can be done.

import { sideMark } from "./board.js";
import { cardElement } from "./cards.js";
import { checkGame } from "./dealing/check.js";
import { ALL_PLACES, linksDue, opened, wrongSeeds } from "./dealing/promises.js";
import { byId, make, refresh } from "./elements.js";
import { stageOf } from "./play/desk.js";
import { beginLog } from "./play/log.js";
import { boardFor, renderScores } from "./play/seats.js";
import { inOrder } from "./play/show.js";
import { PROTOCOL } from "./play/socket.js";
import { renderStage } from "./play/stage.js";
import { addWords, cardName, lang, loadWords, say } from "./say.js";

/** @typedef {import("./play/desk.js").Desk} Desk */

const root = byId("table");
const delay = root.dataset.delay ?? "";
/** @type {Desk | null} */
let desk = null;
/** @type {Wire.Watched | null} */
let shown = null;
/** @type {Wire.Dealing | null} */
let dealt = null;

const named = (/** @type {string} */ card) => {
  const svg = cardElement(card, { size: "fill" });
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", cardName(card));
  svg.removeAttribute("aria-hidden");
  return svg;
};

/**
 * The drawings of the table need somebody's place: they are given the first one's, with nothing in the hand.
 * @param {Wire.Watched} told @returns {Wire.View}
 */
const viewOf = ({ view }) => ({ ...view, seat: 0, hand: [], kept: [], discarded: [] });

/** @param {Wire.Watched} told @returns {Desk} */
function deskOf(told) {
  const { rules } = told.view;
  const sides = Array.from({ length: rules.sides }, (_, side) => side);
  return {
    ...{
      game: "",
      view: viewOf(told),
      names: told.names,
      levels: told.levels,
      moment: null,
      trouble: [],
      people: null,
      match: told.match,
      daily: null,
    },
    ...{
      hints: false,
      choices: [],
      settled: true,
      scene: "",
      picked: [],
      says: told.names.map(() => ""),
      gains: sides.map(() => 0),
      shows: [],
    },
    ...{ counting: null, lastClaim: null, face: "", fixed: false, open: null, onlooker: true },
    board: boardFor(rules, told.options.board, told.names),
    may: () => false,
    act: () => {},
    send: () => false,
    next: () => {},
    warn: () => {},
    card: (card, _, more = {}) => {
      const svg = cardElement(card, { size: "fill" });
      if (more.class) svg.classList.add(more.class);
      if (more.label) {
        svg.setAttribute("role", "img");
        svg.setAttribute("aria-label", more.label);
        svg.removeAttribute("aria-hidden");
      }
      return svg;
    },
    pegTo: () => {},
    render: () => {},
  };
}

/** @param {Wire.Watched} told */
function show(told) {
  if (!desk || !shown || shown.match.game !== told.match.game || shown.names.join() !== told.names.join()) {
    desk = deskOf(told);
    if (desk.board) byId("board").replaceChildren(desk.board);
    fitBoard();
  }
  shown = told;
  Object.assign(desk, { view: viewOf(told), names: told.names, levels: told.levels, match: told.match });
  const { view } = desk;
  desk.says = told.names.map((_, seat) => (view.gone.includes(seat) ? say("table.go") : ""));
  if (view.claim !== null && view.turn >= 0) desk.says[view.turn] = say("claim.bubble", { n: view.claim });
  root.dataset.phase = view.phase;
  root.dataset.counting = view.rules.counting;
  root.dataset.turn = "other";
  byId("scores").hidden = false;
  renderScores(desk);
  desk.board?.update({ front: view.front, rear: view.rear, games: told.match.tally });
  const heading = say("table.heading", { game: told.match.game, deal: Math.max(view.deal, 1) });
  refresh(byId("title"), [view.rules.variant, heading], () => [
    make("span.title-form", null, say(`form.${view.rules.variant}`)),
    " ",
    make("span.title-at", null, heading),
  ]);
  beginLog(told.told);
  renderMiddle(desk, told);
  renderSeats(desk, told);
  renderLast(desk, told);
  byId("lead").textContent = told.abandoned ? say("watch.abandoned") : say("watch.lead", { delay });
}

/** @param {Desk} now @param {Wire.Watched} told */
function renderMiddle(now, told) {
  const kind = stageOf(now);
  if (["draw", "cut", "play"].includes(kind) && !told.awaited) return renderStage(now);
  root.dataset.stage = kind;
  const words = kind === "over" || told.abandoned ? (told.told.at(-1) ?? "") : say("watch.before");
  refresh(byId("stage"), [kind, words], () => [make("div.words", null, make("p.stage-title", null, words))]);
}

/**
 * Everybody in a row: who deals, whose turn it is, how many cards they hold.
 * @param {Desk} now @param {Wire.Watched} told
 */
function renderSeats({ view, names, levels, says }, { awaited }) {
  refresh(byId("watch-seats"), [view.held, view.to_act, view.dealer, names, levels, says, awaited], () =>
    names.map((name, seat) =>
      make(
        "div.watch-seat",
        { "data-seat": seat },
        make(
          "div.plate",
          { "data-turn": String(!awaited && view.to_act.includes(seat)) },
          sideMark(seat % view.rules.sides),
          make("span.plate-name", null, name),
          levels[seat] && make("small.plate-level", null, say(`level.${levels[seat]}`)),
          view.dealer === seat &&
            make(
              "span.dealer",
              { title: say("table.dealer") },
              make("span", { "aria-hidden": "true" }, say("table.dealer_mark")),
              make("span.visually-hidden", null, say("table.dealer")),
            ),
          says[seat] && make("span.bubble", null, says[seat]),
        ),
        make(
          "div.watch-held",
          { role: "img", "aria-label": say("table.holds", { name, n: view.held[seat] }) },
          Array.from({ length: view.held[seat] }, () => cardElement(null, { size: "fill" })),
        ),
      ),
    ),
  );
}

/** The deal that ended last: hands and crib, for the first time. @param {Desk} now @param {Wire.Watched} told */
function renderLast({ names }, { last }) {
  byId("last").hidden = !last;
  refresh(byId("last-hands"), [last, names], () => {
    if (!last) return [];
    const hand = (/** @type {string} */ words, /** @type {string[]} */ cards) =>
      make(
        "li",
        null,
        make("span", null, words),
        cards.length
          ? make("span.watch-cards", null, inOrder(cards).map(named))
          : make("small", null, say("watch.last.not-shown")),
      );
    return [
      ...last.hands.map((cards, seat) => hand(say("watch.last.hand", { name: names[seat] }), cards)),
      hand(say("watch.last.crib", { name: names[last.dealer] }), last.crib),
      last.starter && hand(say("watch.last.starter"), [last.starter]),
    ];
  });
}

/** Whether what was opened of the dealing is what was committed to: by this page's own reckoning. */
function renderDealing() {
  const place = byId("dealing");
  if (!dealt || !shown) return;
  const { rules } = shown.view;
  let state = "begun";
  let checked = 0;
  if (!dealt.committed.length) state = "none";
  else if (dealt.links.length) {
    const { begun, deals } = checkGame(
      rules.first_dealer === "named" ? { ...rules, partners_by_draw: false } : rules,
      dealt,
    );
    checked = deals.length;
    if (wrongSeeds(dealt).length || begun.wrong || deals.some(({ wrong }) => wrong)) state = "wrong";
    else if (checked) state = dealt.rules >= ALL_PLACES ? "fits" : "free-places";
  }
  if (dealt.rules >= ALL_PLACES && dealt.stage === "dealing" && opened(dealt) < linksDue(shown.view)) state = "missing";
  place.dataset.state = state;
  place.textContent = say("watch.dealing", { words: say(`watch.dealing.${state}`, { n: checked }) });
}

function fitBoard() {
  const place = byId("board");
  const most = Number.parseFloat(getComputedStyle(place).maxHeight);
  desk?.board?.fit(place.clientWidth, Number.isNaN(most) ? place.clientHeight : most);
}

/** @param {string} words */
function lineSays(words) {
  byId("line").hidden = !words;
  byId("line").textContent = words;
}

let wait = 1000;
function open() {
  const address = new URL(root.dataset.line ?? "", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.searchParams.set("protocol", PROTOCOL);
  address.searchParams.set("lang", lang);
  const socket = new WebSocket(address);
  socket.addEventListener("open", () => {
    wait = 1000;
    lineSays("");
  });
  socket.addEventListener("message", ({ data }) => {
    /** @type {Wire.WatchMessage} */
    const message = JSON.parse(data);
    if (message.t === "watched") {
      show(message.d);
      renderDealing();
    }
    if (message.t === "watching") byId("number").textContent = say("watch.number", { n: message.d.number });
    if (message.t === "dealing") dealt = message.d;
    if (message.t === "refused") lineSays(message.d.message);
  });
  socket.addEventListener("close", ({ code }) => {
    if (code === 1008) return byId("line").hidden && lineSays(say("watch.gone"));
    lineSays(say("watch.lost"));
    setTimeout(open, wait);
    wait = Math.min(wait * 1.7, 15000);
  });
}

await loadWords();
addWords(JSON.parse(byId("more-words").textContent ?? "{}"));
new ResizeObserver(fitBoard).observe(root);
open();
