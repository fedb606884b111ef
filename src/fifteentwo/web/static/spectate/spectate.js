// The spectator's page: delayed public information about a table, without controls; and the shared board, the same
// without delay.

import { sideMark } from "../board/board.js";
import { cardElement } from "../cards/cards.js";
import { checkGame } from "../dealing/check.js";
import { linksDue, opened, wrongSeeds } from "../dealing/promises.js";
import { byId, make, refresh } from "../elements.js";
import { beginLog } from "../play/talk/log.js";
import { dealerMark, keepBoardFitted, renderScores, setBoard } from "../play/seats/seats.js";
import { tableCard } from "../settings/settings.js";
import { inOrder } from "../play/stage/show.js";
import { SPECTATOR, connect } from "../play/socket.js";
import { renderStage } from "../play/stage/stage.js";
import { bubblesOf, newState, stageOf } from "../play/state.js";
import { addWords, cardName, loadWords, text } from "../text.js";
import { toast } from "../toast.js";

const root = byId("table");
const delay = root.dataset.delay ?? "";
const isBoard = "sharedBoard" in root.dataset;
const state = newState("", "spectator");
const received = {
  /** @type {Wire.SpectatorTable | null} */
  table: null,
  /** @type {Wire.Dealing | null} */
  dealing: null,
};

/** @type {Table.Actions} */
const actions = { act: () => {}, send: () => false, render: () => {} };

/** Drawings need a seat: a spectator gets the first one. @param {Wire.SpectatorTable} table @returns {Wire.View} */
const viewOf = ({ view }) => ({ ...view, seat: 0, hand: [], kept: [], discarded: [], past: [] });

/** @param {Wire.SpectatorTable} shown */
function show(shown) {
  const { names, levels, match } = shown;
  const known = state.match?.game === match.game && state.names.join() === names.join();
  const view = viewOf(shown);
  const gains = Array(view.rules.sides).fill(0);
  Object.assign(state, { view, names, levels, match, gains, bubbles: bubblesOf(view, names), settled: true });
  if (!known) setBoard(state, view.rules, shown.options.board);
  root.dataset.phase = view.phase;
  root.dataset.counting = view.rules.counting;
  root.dataset.turn = "other";
  byId("scores").hidden = false;
  renderScores(state);
  state.board?.update({ front: view.front, rear: view.rear, games: shown.match.tally });
  const heading = text("table.heading", { game: shown.match.game, deal: Math.max(view.deal, 1) });
  refresh(byId("title"), [view.rules.variant, heading], () => [
    make("span.title-form.bold", text(`variant.${view.rules.variant}`)),
    " ",
    make("span.title-at", heading),
  ]);
  beginLog(state, shown.sentences);
  renderMiddle(shown);
  renderSeats(shown);
  renderLast(shown);
  byId("lead").textContent = shown.is_abandoned ? text("spectate.abandoned") : text("spectate.lead", { delay });
}

/** @param {Wire.SpectatorTable} shown */
function renderMiddle(shown) {
  const kind = stageOf(state);
  if (["draw", "cut", "play"].includes(kind) && !shown.is_awaiting_seeds) return renderStage(state, actions);
  root.dataset.stage = kind;
  const words =
    kind === "over" || shown.is_abandoned || (isBoard && shown.view.deal > 0)
      ? (shown.sentences.at(-1) ?? "")
      : text("spectate.before");
  refresh(byId("stage"), [kind, words], () => [make("div.words", make("p.stage-title.flush.text-center", words))]);
}

/** Draw all players: dealer, turn, number of cards. @param {Wire.SpectatorTable} shown */
function renderSeats({ is_awaiting_seeds }) {
  const { view, names, levels, bubbles } = state;
  refresh(
    byId("spectate-seats"),
    [view.hand_sizes, view.to_act, view.dealer, names, levels, bubbles, is_awaiting_seeds],
    () =>
      names.map((name, seat) =>
        make(
          "div.spectate-seat.middle.grid",
          { "data-seat": seat },
          make(
            "div.plate.inline-flex.relative.gap-2.shrinks",
            { "data-turn": String(!is_awaiting_seeds && view.to_act.includes(seat)) },
            sideMark(seat % view.rules.sides),
            make("span.cut-off.bold.plate-name", name),
            levels[seat] && make("small.plate-level.shrinks.nowrap", text(`level.${levels[seat]}`)),
            view.dealer === seat && dealerMark(),
            bubbles[seat] && make("span.bubble.grid.nowrap", bubbles[seat]),
          ),
          make(
            "div.spectate-held.flex",
            { role: "img", "aria-label": text("table.holds", { name, n: view.hand_sizes[seat] }) },
            Array.from({ length: view.hand_sizes[seat] }, () => cardElement(null, { size: "fill" })),
          ),
        ),
      ),
  );
}

/** Draw hands and crib of the last finished deal. @param {Wire.SpectatorTable} shown */
function renderLast({ last_deal: last }) {
  const { names } = state;
  byId("last").hidden = !last;
  refresh(byId("last-hands"), [last, names], () => {
    if (!last) return [];
    const hand = (/** @type {string} */ words, /** @type {string[]} */ cards) =>
      make(
        "li",
        make("span", words),
        cards.length
          ? make(
              "span.spectate-cards.flex",
              inOrder(cards).map((card) => tableCard(card, { label: cardName(card) })),
            )
          : make("small", text("spectate.last.not-shown")),
      );
    return [
      ...last.hands.map((cards, seat) => hand(text("spectate.last.hand", { name: names[seat] }), cards)),
      hand(text("spectate.last.crib", { name: names[last.dealer] }), last.crib),
      last.starter && hand(text("spectate.last.starter"), [last.starter]),
    ];
  });
}

function renderDealing() {
  const { table, dealing } = received;
  if (!dealing || !table) return;
  const [words, checked] = dealingWords(table, dealing);
  byId("dealing").dataset.state = words;
  byId("dealing").textContent = text("spectate.dealing", { words: text(`spectate.dealing.${words}`, { n: checked }) });
}

/** @param {Wire.SpectatorTable} table @param {Wire.Dealing} dealing @returns {[words: string, checked: number]} */
function dealingWords({ view }, dealing) {
  if (!dealing.committed.length) return ["none", 0];
  const { rules } = view;
  const game = dealing.links.length
    ? checkGame(rules.first_dealer === "named" ? { ...rules, partners_by_draw: false } : rules, dealing)
    : null;
  const checked = game?.deals.length ?? 0;
  if (dealing.stage === "dealing" && opened(dealing) < linksDue(view)) return ["missing", checked];
  if (game && (wrongSeeds(dealing).length || game.begun.wrong || game.deals.some(({ wrong }) => wrong)))
    return ["wrong", checked];
  return checked ? ["fits", checked] : ["begun", 0];
}

/** @param {string} words */
function notify(words) {
  byId("line").hidden = !words;
  byId("line").textContent = words;
}

/** @param {Wire.SpectatorMessage} message */
function receive(message) {
  if (message.t === "spectator-table") {
    received.table = message.d;
    show(message.d);
    renderDealing();
  }
  if (message.t === "spectator-count") byId("number").textContent = text("spectate.number", { n: message.d.count });
  if (message.t === "dealing") received.dealing = message.d;
  if (message.t === "refused") notify(message.d.message);
}

/** @param {Table.State["connection"]} connection */
function setConnection(connection) {
  if (connection === "open") {
    if (!byId("line").hidden) toast(text("line.back"));
    notify("");
  } else if (connection === "lost") notify(text("spectate.lost"));
  // If the server has given a reason, keep it.
  else if (byId("line").hidden) notify(text("spectate.gone"));
}

await loadWords();
addWords(JSON.parse(byId("more-words").textContent ?? "{}"));
keepBoardFitted(state);
connect(root.dataset.line ?? "", { receive, state: setConnection }, SPECTATOR);
