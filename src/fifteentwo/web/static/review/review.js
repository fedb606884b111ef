// The review of a game: send the record, receive the review, step through the game.

import { all, byId, find, isBrowserKey, make, pressed, refresh } from "../elements.js";
import { likes, loadSettings } from "../settings/settings.js";
import { ownName } from "../play/state.js";
import { renderCourse } from "./course-panel.js";
import { lostChance, lostPoints, textOf } from "./figures.js";
import { followCurve } from "./hover.js";
import { judgedPanel } from "./judged.js";
import { carriesRecord, fragmentAt, fragmentOf, fragmentOfText, moveOf, recordOf } from "./link.js";
import { reviewed } from "./lines.js";
import { costlyChips, decisionTable, legend, totals } from "./lists.js";
import { reviewTable } from "./table.js";
import { Reviewed } from "./reviewed.js";
import { titleOf } from "./screens.js";
import { copyLink, playOn, save, shareReview } from "./share.js";
import { storyPanel } from "./story-panel.js";
import { cardsOf, costliest, isOfCards, lostWin } from "./story.js";
import { addWords, lang, loadWords, text } from "../text.js";
import { ignoreTapsOnNewButtons } from "../taps.js";
import { warn } from "../toast.js";

const page = byId("review");
/** The number of an own game on this server, or "". */
const own = page.dataset.game ?? "";
const game = new Reviewed();
game.race = (page.dataset.race || "").split(" ").filter(Boolean).map(Number);
const story = storyPanel(game, {
  full(decision) {
    leaveStory();
    go(decision);
  },
});
/** The decision of the full review that is tried again, if any. @type {Review.Decision | null} */
let trying = null;
/** Targets of the games in the Book. @type {Record<string, number>} */
const IN_BOOK = { "six-card": 121, "five-card": 61 };

// ── Source of the record ─────────────────────────────────────────────────────────────────────────

async function begin() {
  if (own) return review({ table: own, number: Number(page.dataset.number) });
  const kept = page.dataset.record;
  if (!kept && !carriesRecord(location.hash)) return;
  const carried = await recordOf(kept ? fragmentOfText(kept) : location.hash);
  if (carried === null) return refuse(text("review.link_broken"));
  await review({ record: carried });
}

/** @param {string} words */
function refuse(words) {
  byId("opening").hidden = Boolean(own);
  byId("game").hidden = !game.table;
  byId("refused").hidden = false;
  byId("refused").textContent = words;
  byId("working").hidden = true;
}

/** @param {Reviewed["source"]} source */
async function review(source) {
  const signal = game.begin(source, Number(page.dataset.seat ?? 0));
  byId("refused").hidden = true;
  byId("working").hidden = false;
  byId("working-words").textContent = text("review.working");
  try {
    for await (const line of reviewed(source, lang, signal)) {
      if (line.t === "refused") return refuse(line.d);
      game.take(line);
      if (line.t === "story") await show();
      else renderSoon();
    }
    if (!game.whole) refuse(text("review.broken_off"));
  } catch (error) {
    if (signal.aborted) return;
    console.warn(error);
    refuse(text("review.unreachable"));
  }
}

async function show() {
  // With the record, the address is a link to the game, and a reload shows it again.
  if ("record" in game.source && !page.dataset.record) game.link = await fragmentOf(game.source.record);
  byId("opening").hidden = true;
  byId("game").hidden = false;
  byId("head").hidden = true;
  game.at = Math.min(Math.max(moveOf(location.hash), 1), game.moments.length) - 1;
  if (own) game.names = ownName(game.names, game.seat);
  if (game.seat >= game.names.length) game.seat = 0;
  const role = own ? "player" : "spectator";
  game.table = reviewTable(game.names, game.pictures[0], role);
  byId("at", HTMLInputElement).max = String(game.moments.length - 1);
  renderTitle();
  renderSeats();
  setMode(moveOf(location.hash) ? "full" : "story");
  page.dataset.ready = "true";
  if (game.at) byId("review-table").scrollIntoView({ block: "nearest" });
}

/**
 * Show the story, one decision to try again, or the full review.
 * @param {"story" | "full"} mode @param {Review.Decision | null} [decision]
 */
function setMode(mode, decision = null) {
  page.dataset.mode = mode;
  trying = decision;
  byId("mode").textContent = text(mode === "story" ? "story.full" : "story.title");
  if (mode === "story") {
    story.ask(decision);
    writeAddress();
  }
  render();
  scrollTo({ top: 0, behavior: "instant" });
}

/** Write the address soon: browsers limit the number of changes, so fast stepping is collected. */
function writeAddressSoon() {
  clearTimeout(game.addressDue);
  game.addressDue = window.setTimeout(writeAddress, 300);
}

/** Write the present move into the address, for reloads, bookmarks and the back button. */
function writeAddress() {
  if (!game.table) return;
  // The address of the story names no move.
  const isStory = page.dataset.mode === "story" && !trying;
  const fragment = fragmentAt(game.link, isStory ? 1 : game.at + 1);
  if (fragment !== location.hash)
    history.replaceState(history.state, "", fragment || location.pathname + location.search);
  for (const link of all(document, 'a[href^="?"][hreflang]', HTMLAnchorElement)) {
    if (own) link.search = `?game=${page.dataset.number}&lang=${link.hreflang}`;
    link.hash = location.hash;
  }
}

async function readAddress() {
  const same = fragmentAt(location.hash, 1) === game.link;
  if (!game.table || !same) return begin();
  if (!moveOf(location.hash)) return;
  setMode("full");
  stepTo(moveOf(location.hash) - 1);
}

/** Return to a screen of the story by the browser's way back. @param {PopStateEvent} event */
function readState({ state }) {
  if (!game.table || moveOf(location.hash)) return;
  if (page.dataset.mode === "full" || trying) setMode("story");
  story.show(state?.screen ?? 0);
}

/** Show the full review; the browser's way back leads to the story. */
function leaveStory() {
  if (!trying) history.pushState(null, "");
  setMode("full");
}

function renderTitle() {
  const last = game.pictures[game.pictures.length - 1];
  byId("title").textContent = titleOf(game);
  byId("title-form").textContent =
    `${text(`variant.${last.rules.variant}`)}${last.won || game.race.length ? "" : ` · ${text("review.unfinished")}`}`;
}

function renderSeats() {
  byId("seat-choice").replaceChildren(
    ...game.names.map((name, seat) =>
      make(
        "label",
        make("input", {
          type: "radio",
          name: "seen-from",
          value: seat,
          checked: seat === game.seat,
          onchange: () => seeFrom(seat),
        }),
        name,
      ),
    ),
  );
}

/** @param {number} seat */
function seeFrom(seat) {
  game.seat = seat;
  render();
}

// ── Drawing ─────────────────────────────────────────────────────────────────────────────────────────────

/** Draw soon: lines that arrive together are drawn once. */
function renderSoon() {
  if (game.due) return;
  game.due = window.setTimeout(() => {
    game.due = 0;
    render();
  }, 120);
}

function render() {
  if (!game.table || !game.moment) return;
  renderProgress();
  if (page.dataset.mode === "story") return story.render();
  writeAddressSoon();
  renderCourse(game);
  renderSteps();
  renderTable();
  renderJudged();
  renderLists();
}

function renderProgress() {
  byId("working").hidden = game.whole !== null;
  if (game.whole) return;
  const bar = byId("progress", HTMLProgressElement);
  bar.max = game.length;
  bar.value = game.done;
  const words = game.ahead && !game.decisions.length ? text("review.ahead", { n: game.ahead }) : text("review.working");
  if (byId("working-words").textContent !== words) byId("working-words").textContent = words;
}

function renderSteps() {
  const slider = byId("at", HTMLInputElement);
  slider.value = String(game.at);
  const { deal } = game.moment;
  slider.setAttribute("aria-valuetext", text("review.step", { n: game.at + 1, of: game.moments.length, deal }));
  byId("step-words").textContent = deal
    ? text("review.step_short", { n: game.at + 1, of: game.moments.length, deal })
    : `${game.at + 1} / ${game.moments.length}`;
  for (const [step, there] of /** @type {const} */ ([
    ["first", game.at > 0],
    ["back", game.at > 0],
    ["on", game.at < game.moments.length - 1],
    ["last", game.at < game.moments.length - 1],
    ["mark-back", game.nextMark(-1) !== null],
    ["mark-on", game.nextMark(1) !== null],
  ])) {
    const button = find(byId("steps"), `[data-step="${step}"]`, HTMLButtonElement);
    // Not disabled, so that it keeps the keyboard focus.
    button?.setAttribute("aria-disabled", String(!there));
  }
}

function renderTable() {
  const { moment, decision } = game;
  game.table?.show({
    // A discard is shown before it, with all cards.
    picture: game.pictures[decision?.kind === "discard" ? moment.before : moment.after],
    seat: game.seat,
    moment,
    open: game.open,
    prompt: decision?.mark ? costOf(decision) : "",
    best: decision ? cardsOf(decision, decision.best) : [],
    chosen: decision ? cardsOf(decision, decision.chosen) : [],
    tag: decision ? textOf("review.chosen_short", game.names[decision.seat]) : "",
  });
}

function renderJudged() {
  const { decision } = game;
  const known = decision && (decision.step < game.done || game.whole);
  const actions = byId("judged-actions");
  refresh(byId("judged"), [game.at, decision?.step, likes.four, likes.large, known], () => {
    if (!decision)
      return [
        make("p.judged-at.small.quiet-text", momentWords()),
        make(
          "div.judged-events",
          game.moment.sentences.map((line) => make("p", line)),
        ),
        actions,
      ];
    return judgedPanel(decision, game.names[decision.seat], game.ownCrib(decision), actions);
  });
  const playable = decision !== null && isOfCards(decision);
  actions.hidden = !playable;
  const book = find(actions, '[data-action="book"]', HTMLAnchorElement);
  if (!playable || !book) return;
  book.hidden = decision.kind !== "discard" || IN_BOOK[game.rules.variant] !== game.rules.target;
  const [ours, theirs] = [decision.score[game.sideOf(decision.seat)], decision.score[1 - game.sideOf(decision.seat)]];
  book.href = `/book/${decision.hand.join("")}/${game.ownCrib(decision) ? "dealer" : "pone"}/${ours}-${theirs}`;
}

const momentWords = () =>
  game.moment.deal
    ? text("review.at", { deal: game.moment.deal, score: game.pictures[game.moment.after].front.join("–") })
    : text("review.opening");

function renderLists() {
  const sideOf = (/** @type {number} */ seat) => game.sideOf(seat);
  const ownCrib = (/** @type {Review.Decision} */ decision) => game.ownCrib(decision);
  const more = { sideOf, names: game.names, ownCrib, go };
  const stamp = [game.decisions.length, Boolean(game.whole), game.names, likes.four];
  const every = byId("every", HTMLInputElement).checked;
  refresh(byId("decisions"), [stamp, every], () => decisionTable(game.decisions, { ...more, all: every }));
  refresh(byId("costliest"), [stamp, game.seat], () => costlyChips(game, go));
  refresh(byId("legend"), [game.names], () => legend(game));
  const { whole } = game;
  byId("totals-panel").hidden = !whole;
  if (whole) refresh(byId("totals"), [stamp], () => totals(whole, game.decisions, game.names, sideOf));
}

// ── Actions ─────────────────────────────────────────────────────────────────────────────────────

/** Show a decision of cards to try again. */
function tryAgain() {
  const { decision } = game;
  if (decision && isOfCards(decision)) setMode("story", decision);
}

/** Show the full review; before any step, at the reader's or otherwise anybody's costliest mistake. */
function openFull() {
  leaveStory();
  const { decisions, seat } = game;
  const first = costliest(decisions, seat)[0] ?? costliest(decisions)[0] ?? decisions[0];
  if (!game.at && first) go(first);
}

/** @param {Review.Decision} decision */
function go(decision) {
  game.goTo(decision);
  render();
  const [felt, judged] = [byId("felt"), byId("judged")];
  // Where the explanation stands below the cards, both are shown rather than the board.
  const below = judged.getBoundingClientRect().top > felt.getBoundingClientRect().bottom;
  if (below) felt.scrollIntoView({ block: "start" });
  else byId("review-table").scrollIntoView({ block: "nearest" });
  announce(momentText());
}

/** @param {number} at */
function stepTo(at) {
  if (at < 0 || at >= game.moments.length) return;
  game.go(at);
  render();
  announce(momentText());
}

/** Describe a mark and its cost. @param {Review.Decision} decision */
const costOf = (decision) => {
  const win = lostWin(decision);
  return `${text(`review.mark.${decision.mark ?? "none"}`)} ${win === null ? lostPoints(decision.loss_points) : lostChance(win)}`;
};

function momentText() {
  const { decision, moment } = game;
  return [...moment.sentences, decision?.mark ? costOf(decision) : ""].filter(Boolean).join(" ");
}

/** @param {string} words */
function announce(words) {
  byId("status").textContent = words;
}

/** @type {Record<string, () => void>} */
const STEPS = {
  first: () => stepTo(0),
  back: () => stepTo(game.at - 1),
  on: () => stepTo(game.at + 1),
  last: () => stepTo(game.moments.length - 1),
  "mark-back": () => toMark(-1),
  "mark-on": () => toMark(1),
};

/** @param {1 | -1} way */
function toMark(way) {
  const next = game.nextMark(way);
  if (!next) return;
  go(next);
  if (byId("ask-first", HTMLInputElement).checked) tryAgain();
}

/** @type {Record<string, () => void>} */
const ACTIONS = {
  try: tryAgain,
  full: openFull,
  save: () => void reached(save),
  link: () => void reached(copyLink),
  share: () => void reached(shareReview),
  another: () => {
    byId("opening").hidden = false;
    byId("record-text", HTMLTextAreaElement).focus();
  },
};

/** @param {(game: Reviewed) => Promise<void>} work */
async function reached(work) {
  try {
    await work(game);
  } catch (error) {
    console.warn(error);
    warn(text("review.unreachable"));
  }
}

// ── Keys, pointer, files ────────────────────────────────────────────────────────────────────────────────

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (
    !game.table ||
    isBrowserKey(event) ||
    pressed(event, "input:not([type=radio], [type=checkbox]), select, textarea")
  )
    return;
  if (page.dataset.mode === "story") {
    if (event.key === "Escape") return openFull();
    if (likes.shortcuts && /^[1-6]$/.test(event.key)) return story.choose(Number(event.key));
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by || pressed(event, ".segments")) return;
    // The browser would scroll the screens too, by one more.
    event.preventDefault();
    return story.step(by);
  }
  const step = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last" }[event.key];
  if (step && !pressed(event, "input, .segments")) {
    event.preventDefault();
    return STEPS[step]();
  }
  if (!likes.shortcuts) return;
  if (event.key === "n") STEPS["mark-on"]();
  if (event.key === "p") STEPS["mark-back"]();
  if (event.key === "t") tryAgain();
}

/** @param {File | null | undefined} file */
async function takeFile(file) {
  if (!file) return;
  if (file.size > 65536) return refuse(text("review.too_long"));
  await review({ record: await file.text() });
}

function listen() {
  document.addEventListener("click", (event) => {
    const step = pressed(event, "[data-step]", HTMLButtonElement)?.dataset.step;
    if (step && STEPS[step]) STEPS[step]();
    const action = pressed(event, "[data-action]")?.dataset.action;
    if (action && ACTIONS[action]) ACTIONS[action]();
  });
  byId("mode").addEventListener("click", () => (page.dataset.mode === "story" ? openFull() : setMode("story")));
  document.addEventListener("keydown", onKey);
  byId("at").addEventListener("input", () => stepTo(Number(byId("at", HTMLInputElement).value)));
  followCurve(game, stepTo);
  byId("every").addEventListener("change", render);
  byId("open-cards").addEventListener("change", () => {
    game.open = byId("open-cards", HTMLInputElement).checked;
    render();
  });
  byId("play-on").addEventListener("submit", (event) => {
    event.preventDefault();
    void reached(playOn);
  });
  new ResizeObserver(() => render()).observe(byId("course"));
  byId("record-file").addEventListener("change", () => void takeFile(byId("record-file", HTMLInputElement).files?.[0]));
  byId("record-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void review({ record: byId("record-text", HTMLTextAreaElement).value });
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    void takeFile(event.dataTransfer?.files[0]);
  });
  addEventListener("hashchange", () => void readAddress());
  addEventListener("popstate", readState);
  // Before leaving by a link, write the present move into the address.
  document.addEventListener("click", writeAddress, { capture: true });
}

await loadWords();
addWords(JSON.parse(byId("words").textContent ?? "{}"));
loadSettings();
ignoreTapsOnNewButtons();
listen();
await begin();
