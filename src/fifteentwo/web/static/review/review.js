// The review of a game: sends the record, takes what the server sends back, and steps through the game.

import { all, byId, field, find, make, pressed, refresh } from "../elements.js";
import { handInOrder, press } from "../play/hand.js";
import { likes, recallLikes } from "../play/settings.js";
import { ownName } from "../play/state.js";
import { courseDrawing, pointTo, stepAt } from "./curve.js";
import { lostChance, lostPoints, percent, textOf, withoutLuck } from "./figures.js";
import { judgedPanel } from "./judged.js";
import { carriesRecord, fragmentOf, recordOf } from "./link.js";
import { reviewed } from "./lines.js";
import { costliestList, decisionTable, totals } from "./lists.js";
import { reviewTable } from "./table.js";
import { Reviewed } from "./reviewed.js";
import { choiceOf, isOfCards, lossOf, lostWin, momentOf } from "./story.js";
import { addWords, lang, listed, loadWords, text } from "../text.js";
import { warn } from "../toast.js";

/** @typedef {import("./story.js").Decision} Decision */
/** @typedef {import("./curve.js").Course} Course */

const page = byId("review");
/** A game of one's own, which has a place on this server. */
const own = page.dataset.game ?? "";
const game = new Reviewed();

// ── Where the record comes from ─────────────────────────────────────────────────────────────────────────

async function begin() {
  if (own) {
    const answer = await fetch(`/game/${own}/record?game=${page.dataset.number}`);
    if (answer.ok) return review(await answer.text());
    return refuse(text("review.unreachable"));
  }
  byId("opening").hidden = false;
  if (!carriesRecord(location.hash)) return;
  const carried = await recordOf(location.hash);
  if (carried === null) return refuse(text("review.link_broken"));
  await review(carried);
}

/** @param {string} words */
function refuse(words) {
  byId("opening").hidden = Boolean(own);
  byId("refused").hidden = false;
  byId("refused").textContent = words;
  byId("working").hidden = true;
}

/** @param {string} source */
async function review(source) {
  const signal = game.begin(source, Number(page.dataset.seat ?? 0));
  byId("refused").hidden = true;
  byId("working").hidden = false;
  byId("working-words").textContent = text("review.working");
  try {
    for await (const line of reviewed(source, lang, signal, own ? game.seat : undefined)) {
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

/** The game is there: from now on it can be stepped through. */
async function show() {
  byId("opening").hidden = true;
  byId("game").hidden = false;
  byId("head").hidden = true;
  if (own) game.names = ownName(game.names, game.seat);
  if (game.seat >= game.names.length) game.seat = 0;
  const role = own ? "player" : "spectator";
  game.table = reviewTable(game.names, game.pictures[0], role, { chosen, reveal: showAnswer });
  byId("at", HTMLInputElement).max = String(game.moments.length - 1);
  renderTitle();
  renderSeats();
  render();
  page.dataset.ready = "true";
  // With the record in it, the address is a link to it, and a reload shows it again.
  if (!own) history.replaceState(null, "", await fragmentOf(game.record));
  for (const link of all(document, 'a[href^="?lang="]', HTMLAnchorElement)) link.hash = location.hash;
}

function renderTitle() {
  const last = game.pictures[game.pictures.length - 1];
  const sides = last.front.map(
    (points, side) => `${listed(game.names.filter((_, seat) => game.sideOf(seat) === side))} ${points}`,
  );
  byId("title").textContent = sides.join(" – ");
  byId("title-form").textContent =
    `${text(`variant.${last.rules.variant}`)}${last.won ? "" : ` · ${text("review.unfinished")}`}`;
}

/** From whose place it is seen. */
function renderSeats() {
  byId("seat-choice").replaceChildren(
    ...game.names.map((name, seat) =>
      make(
        "label",
        null,
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
  game.leave();
  render();
}

// ── Drawing ─────────────────────────────────────────────────────────────────────────────────────────────

/** While much arrives at once it is drawn now and then. */
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
  renderCourse();
  renderSteps();
  renderTable();
  renderJudged();
  renderLists();
}

function renderProgress() {
  const working = byId("working");
  working.hidden = game.whole !== null;
  if (game.whole) return;
  const bar = byId("progress", HTMLProgressElement);
  bar.max = game.length;
  bar.value = game.done;
  const words = game.ahead && !game.decisions.length ? text("review.ahead", { n: game.ahead }) : text("review.working");
  if (byId("working-words").textContent !== words) byId("working-words").textContent = words;
}

/** @returns {Course} */
function courseNow() {
  const { rules, length } = game;
  const deals = game.moments.flatMap(({ deal, first }, place) =>
    deal && deal !== game.moments[place - 1]?.deal ? [{ step: first, words: String(deal) }] : [],
  );
  const side = game.sideOf(game.seat);
  if (!byChance()) {
    const lines = Array.from({ length: rules.sides }, (_, which) => ({
      side: which,
      points: [
        { step: -1, value: 0 },
        ...game.moments.map(({ last, after }) => ({ step: last, value: game.pictures[after].front[which] })),
      ],
    }));
    const marks = game.decisions.flatMap(({ mark, step, seat, score }) =>
      mark ? [{ step, mark, side: game.sideOf(seat), value: score[game.sideOf(seat)] }] : [],
    );
    return {
      length,
      top: rules.target,
      lines,
      middle: null,
      deals,
      marks,
      turns: [],
      rules: [0, rules.target / 2, rules.target].map(Math.round),
      write: String,
      name: text("review.course.points_name"),
    };
  }
  const course = game.course;
  const at = (/** @type {number} */ step) => course.findLast((point) => point.step <= step)?.win ?? 0.5;
  const turns = game.turns;
  return {
    ...{ length, top: 1, middle: 0.5, deals, rules: [0, 0.5, 1], write: (value) => percent(value, 0) },
    lines: [
      {
        side,
        points: [
          ...course.map(({ step, win }) => ({ step, value: win })),
          ...(game.whole ? [{ step: length - 1, value: at(length) }] : []),
        ],
      },
    ],
    marks: game.decisions.flatMap(({ mark, step, seat }) =>
      mark ? [{ step, mark, side: game.sideOf(seat), value: at(step) }] : [],
    ),
    turns: game.whole
      ? turns.map(({ step, win }, place) => ({
          step,
          value: win,
          words: percent(win, 0),
          low: win < (turns[place - 1] ?? turns[place + 1] ?? course[0]).win,
        }))
      : [],
    name: textOf("review.course.name", game.names[game.seat], {
      now: percent(at(length)),
      turns:
        turns
          .map((turn) => text("review.course.turn", { deal: turn.deal, at: percent(turn.win, 0) }))
          .join(text("list.comma")) || "–",
    }),
  };
}

/** Whether chances of winning are known for this game. */
const byChance = () =>
  game.whole?.by_chance ??
  (game.points.length > 0 ||
    (game.rules.variant === "six-card" && !game.decisions.some((one) => one.loss_win === null && isOfCards(one))));

function renderCourse() {
  const place = byId("course");
  const size = { width: place.clientWidth, height: place.clientHeight };
  if (!size.width) return;
  const key = [game.points.length, game.decisions.length, Boolean(game.whole), game.seat, size];
  if (
    refresh(place, key, () => {
      const course = courseNow();
      game.drawn = { course, size, svg: courseDrawing(course, size) };
      return [game.drawn.svg];
    })
  )
    renderCourseTable();
  const { drawn } = game;
  if (drawn) pointTo(drawn.svg, drawn.course, drawn.size, game.moment.last, game.chance);
  byId("course-title").textContent = byChance()
    ? textOf("review.course.of", game.names[game.seat])
    : text("review.course.points");
  byId("no-chance").hidden = byChance();
  byId("chance").textContent = game.chance === null ? "" : percent(game.chance);
}

/** The same for those who read it: deal by deal. */
function renderCourseTable() {
  const ends = game.moments.filter(({ deal }, place) => deal && deal !== game.moments[place + 1]?.deal);
  const chances = byChance();
  const course = game.course;
  const turns = game.turns;
  byId("course-table").replaceChildren(
    make(
      "table",
      null,
      make(
        "thead",
        null,
        make(
          "tr",
          null,
          make("th", { scope: "col" }, text("review.column.deal")),
          make("th.number-cell", { scope: "col" }, text("review.column.after")),
          chances && make("th.number-cell", { scope: "col" }, text("review.column.chance")),
          chances && make("th", { scope: "col" }, text("review.column.turn")),
        ),
      ),
      make(
        "tbody",
        null,
        ends.map(({ deal, last, after }) => {
          const turned = turns.filter((turn) => turn.deal === deal).map(({ win }) => percent(win, 0));
          return make(
            "tr",
            null,
            make("th", { scope: "row" }, String(deal)),
            make("td.number-cell", null, game.pictures[after].front.join("–")),
            chances &&
              make("td.number-cell", null, percent(course.findLast((point) => point.step <= last)?.win ?? 0.5)),
            chances && make("td", null, turned.join(text("list.comma")) || "–"),
          );
        }),
      ),
    ),
  );
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
    // Not disabled: a keyboard user who stands on it stays there.
    button?.setAttribute("aria-disabled", String(!there));
  }
}

function renderTable() {
  const { trying, moment, answered, again } = game;
  const { lifted, lit } = game.marked;
  const asked = trying && !answered;
  const prompt = !trying
    ? ""
    : asked
      ? text(trying.kind === "discard" ? "review.prompt.discard" : "review.prompt.play")
      : again
        ? verdict(trying, again)
        : "";
  const cost = trying || !game.decision?.mark ? "" : costOf(game.decision);
  const picture = trying ? game.before(trying) : game.pictures[moment.after];
  game.table?.show({
    picture,
    seat: game.seat,
    moment,
    open: game.open && !asked,
    asks: trying,
    lifted,
    lit,
    prompt: prompt || cost,
  });
}

/** The value of this choice, in one line. @param {Decision} decision @param {string[]} cards */
function verdict(decision, cards) {
  const option = choiceOf(decision, cards);
  if (!option) return "";
  if (option.choice === decision.best) return text("review.sentence.best");
  const { win, points } = lossOf(decision, option);
  return win === null
    ? text("review.sentence.points", { points: lostPoints(points) })
    : text("review.sentence.loses", { win: lostChance(win) });
}

function renderJudged() {
  const { decision, trying, again, answered } = game;
  const host = byId("judged");
  const known = decision && (decision.step < game.done || game.whole);
  refresh(host, [game.at, decision?.step, trying !== null, again, answered, likes.four, likes.large, known], () => {
    if (!decision)
      return [
        make("p.judged-at", null, momentWords()),
        make(
          "div.judged-events",
          null,
          game.moment.sentences.map((line) => make("p", null, line)),
        ),
      ];
    return judgedPanel({
      decision,
      name: game.names[decision.seat],
      ownCrib: game.ownCrib(decision),
      asks: trying !== null,
      again,
      answered,
      look: (option) => looked(decision, option.choice),
      tryAgain: () => again,
      leave,
    });
  });
  const playable = decision !== null && isOfCards(decision);
  byId("judged-actions").hidden = !playable;
  if (!playable) return;
  find(byId("judged-actions"), '[data-action="try"]')?.toggleAttribute("hidden", trying !== null && !answered);
  find(byId("judged-actions"), '[data-action="leave"]')?.toggleAttribute("hidden", trying === null);
  const book = find(byId("judged-actions"), '[data-action="book"]', HTMLAnchorElement);
  if (!book) return;
  book.hidden =
    decision.kind !== "discard" ||
    decision.hand.length !== 6 ||
    decision.win === null ||
    (trying !== null && !answered);
  const [ours, theirs] = [decision.score[game.sideOf(decision.seat)], decision.score[1 - game.sideOf(decision.seat)]];
  book.href = `/book/${decision.hand.join("")}/${game.ownCrib(decision) ? "dealer" : "pone"}/${ours}-${theirs}`;
}

const momentWords = () =>
  game.moment.deal
    ? text("review.at", { deal: game.moment.deal, score: game.pictures[game.moment.after].front.join("–") })
    : text("review.opening");

function renderLists() {
  const sideOf = (/** @type {number} */ seat) => game.sideOf(seat);
  const ownCrib = (/** @type {Decision} */ decision) => game.ownCrib(decision);
  const more = { sideOf, names: game.names, ownCrib, go };
  const stamp = [game.decisions.length, Boolean(game.whole), game.names, likes.four];
  refresh(byId("costliest"), [stamp, game.seat], () =>
    costliestList(game.decisions, game.seat, { ...more, done: Boolean(game.whole) }),
  );
  byId("costliest-title").textContent = textOf("review.costliest", game.names[game.seat]);
  const every = byId("every", HTMLInputElement).checked;
  refresh(byId("decisions"), [stamp, every], () => decisionTable(game.decisions, { ...more, all: every, seat: null }));
  const { whole } = game;
  byId("totals-panel").hidden = !whole;
  if (whole) refresh(byId("totals"), [stamp], () => totals(whole, game.decisions, game.names, sideOf));
  const adjusted = whole?.seats[game.seat]?.adjusted_result;
  byId("without-luck").textContent = typeof adjusted === "number" ? withoutLuck(adjusted, game.names[game.seat]) : "";
  byId("luck-note").hidden = !whole?.by_chance;
}

// ── What one does ───────────────────────────────────────────────────────────────────────────────────────

/** @param {string[]} cards */
function chosen(cards) {
  const { decision } = game;
  if (!decision) return;
  game.choose(decision, cards);
  render();
  announce(verdict(decision, cards));
}

function showAnswer() {
  game.reveal();
  render();
  byId("judged-title").focus({ preventScroll: true });
}

/** Show another choice on the table. @param {Decision} decision @param {string} choice */
function looked(decision, choice) {
  const cards =
    decision.kind === "discard" ? choice.split(" ") : decision.hand.filter(([rank]) => rank === choice).slice(0, 1);
  chosenSeat(() => game.choose(decision, cards));
  announce(verdict(decision, cards));
}

function again() {
  const { decision } = game;
  if (decision) go(decision, true);
}

function leave() {
  chosenSeat(() => game.leave());
}

/** Something that may change from whose place it is seen. @param {() => void} change */
function chosenSeat(change) {
  const before = game.seat;
  change();
  if (game.seat !== before) renderSeats();
  render();
}

/** @param {Decision} decision @param {boolean} trying */
function go(decision, trying) {
  chosenSeat(() => game.goTo(decision, trying));
  byId("review-table").scrollIntoView({ block: "nearest" });
  if (trying) find(byId("hand"), "button:not([aria-disabled])")?.focus({ preventScroll: true });
  announce(trying ? byId("prompt").textContent : momentText());
}

/** @param {number} at */
function stepTo(at) {
  if (at < 0 || at >= game.moments.length) return;
  game.go(at);
  render();
  announce(momentText());
}

/** A mark and what it cost. @param {Decision} decision */
const costOf = (decision) => {
  const win = lostWin(decision);
  return `${text(`review.mark.${decision.mark ?? "none"}`)} ${win === null ? lostPoints(decision.loss_points) : lostChance(win)}`;
};

/** A moment in words: what happened, and what it cost. */
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
  if (next) go(next, byId("ask-first", HTMLInputElement).checked);
}

/** @type {Record<string, () => void>} */
const ACTIONS = {
  try: again,
  leave,
  save,
  link: () => void copyLink(),
  another: () => {
    byId("opening").hidden = false;
    byId("record-text", HTMLTextAreaElement).focus();
  },
};

/** The record as a file: it is all there is to a review, which anybody can have worked out from it. */
function save() {
  const link = make("a", {
    href: URL.createObjectURL(new Blob([game.record], { type: "text/plain" })),
    download: "fifteentwo-game.txt",
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copyLink() {
  const address = `${location.origin}/review${await fragmentOf(game.record)}`;
  const place = byId("link", HTMLInputElement);
  place.value = address;
  place.hidden = false;
  place.select();
  try {
    await navigator.clipboard.writeText(address);
    warn(text("review.link_copied"));
  } catch {
    warn(text("review.link_copy"));
  }
}

/** A new table that goes on from here. @param {SubmitEvent} event */
async function playOn(event) {
  event.preventDefault();
  const { decision } = game;
  if (!decision) return;
  const level = field(byId("play-on", HTMLFormElement), "level", HTMLSelectElement).value;
  try {
    const answer = await fetch(`/api/play-on?lang=${lang}`, {
      method: "POST",
      body: JSON.stringify({ record: game.record, step: decision.step, level }),
      headers: { "Content-Type": "application/json" },
    });
    const { path, message } = await answer.json();
    if (answer.ok) location.assign(path);
    else warn(message);
  } catch {
    warn(text("review.unreachable"));
  }
}

// ── Keys, pointer, files ────────────────────────────────────────────────────────────────────────────────

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (
    !game.table ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    pressed(event, "input:not([type=radio], [type=checkbox]), select, textarea")
  )
    return;
  if (event.key.startsWith("Arrow") && pressed(event, "#hand") && game.trying) return alongHand(event);
  const step = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last" }[event.key];
  if (step && !pressed(event, "input, .segments")) {
    event.preventDefault();
    return STEPS[step]();
  }
  if (event.key === "Escape" && game.trying) return leave();
  if (!likes.shortcuts) return;
  if (/^[1-6]$/.test(event.key)) {
    const card = handInOrder(game.table.state)[Number(event.key) - 1];
    if (card) press(game.table.state, game.table.actions, card);
  }
  if (event.key === "n") STEPS["mark-on"]();
  if (event.key === "p") STEPS["mark-back"]();
  if (event.key === "t" && game.decision && isOfCards(game.decision)) again();
}

/** @param {KeyboardEvent} event */
function alongHand(event) {
  const cards = all(byId("hand"), "button");
  const here = cards.findIndex((card) => card === document.activeElement);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (here < 0 || !step) return;
  event.preventDefault();
  cards[(here + step + cards.length) % cards.length].focus();
}

/** @param {PointerEvent} event */
function onCourse(event) {
  const { drawn } = game;
  if (!drawn || (event.type === "pointermove" && !event.buttons)) return;
  const { left } = byId("course").getBoundingClientRect();
  stepTo(momentOf(game.moments, Math.max(0, stepAt(drawn.course, drawn.size, event.clientX - left))));
}

/** @param {File | null | undefined} file */
async function takeFile(file) {
  if (!file) return;
  if (file.size > 65536) return refuse(text("review.too_long"));
  await review(await file.text());
}

function listen() {
  document.addEventListener("click", (event) => {
    const step = pressed(event, "[data-step]", HTMLButtonElement)?.dataset.step;
    if (step && STEPS[step]) STEPS[step]();
    const action = pressed(event, "[data-action]")?.dataset.action;
    if (action && ACTIONS[action]) ACTIONS[action]();
  });
  document.addEventListener("keydown", onKey);
  byId("at").addEventListener("input", () => stepTo(Number(byId("at", HTMLInputElement).value)));
  byId("course").addEventListener("pointerdown", onCourse);
  byId("course").addEventListener("pointermove", onCourse);
  byId("every").addEventListener("change", render);
  byId("open-cards").addEventListener("change", () => {
    game.open = byId("open-cards", HTMLInputElement).checked;
    render();
  });
  byId("play-on").addEventListener("submit", (event) => void playOn(event));
  new ResizeObserver(() => render()).observe(byId("course"));
  byId("record-file").addEventListener("change", () => void takeFile(byId("record-file", HTMLInputElement).files?.[0]));
  byId("record-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void review(byId("record-text", HTMLTextAreaElement).value);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    void takeFile(event.dataTransfer?.files[0]);
  });
  addEventListener("hashchange", () => void begin());
}

await loadWords();
addWords(JSON.parse(byId("words").textContent ?? "{}"));
recallLikes();
listen();
await begin();
