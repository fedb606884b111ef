// The scoring pad for a game with real cards (R10, R123). It works without a server.

import { boardElement, sideMark } from "../board/board.js";
import { all, byId, find, isBrowserKey, make, pressed } from "../elements.js";
import { store, readStored } from "../storage.js";
import { pagesKept } from "../offline/offline.js";
import { canStayAwake, stayAwake } from "./awake.js";
import { pieElement } from "./pie.js";
import { FORMS, begin, buttons, enter, redo, restore, standing, undo } from "./score.js";
import { drawLines, drawSetup, focusSetup, listenToSetup } from "./setup.js";
import { lang, text, wordsInPage } from "../text.js";

/** @typedef {{side: number, from: number, to: number}} Move a peg's way */

wordsInPage();
const STORAGE_KEY = "pad";
const MOST_POINTS = 99;
const number = byId("number", HTMLInputElement);
/** @type {Scoring.State} */
const state = { pad: restore(readStored(STORAGE_KEY)), active: 0, typed: "", board: null, boardFor: "" };

/** Store a value, or show that the browser cannot store it. @param {string} name @param {string} value */
function keepOrWarn(name, value) {
  if (!store(name, value)) byId("kept").textContent = text("pad.not-kept");
}
const nameOf = (/** @type {number} */ side) => {
  const { names, form: kind } = /** @type {Scoring.Pad} */ (state.pad).setup;
  return names[side] || text(FORMS[kind].teams ? "pad.team" : "pad.player", { n: side + 1 });
};
const isOn = (/** @type {string} */ box) => byId(box, HTMLInputElement).checked;

// ── Scoring ─────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Scoring.Pad | null} next @param {string} [message] */
function change(next, message = "") {
  state.pad = next;
  keepOrWarn(STORAGE_KEY, JSON.stringify(state.pad));
  draw();
  if (message) byId("status").textContent = message;
}

/** @param {number} points @param {string} what */
function score(points, what) {
  if (!state.pad || standing(state.pad).won || !Number.isInteger(points) || points === 0) return;
  const side = state.active;
  const from = standing(state.pad).front[side];
  const next = enter(state.pad, { kind: "points", side, points, what });
  const now = standing(next);
  state.pad = next;
  keepOrWarn(STORAGE_KEY, JSON.stringify(state.pad));
  draw({ side, from, to: now.front[side] });
  const values = { what: whatText(what, points), points: pegged(points, from, now.front[side]) };
  const entry = text("pad.entry", { name: nameOf(side), score: now.front[side], ...values });
  byId("status").textContent = now.won ? `${entry} ${wonText(now)}` : entry;
  if (now.won) byId("next-game").focus();
}

/** A correction subtracts at most the score. @param {number} points @param {number} from @param {number} to */
const pegged = (points, from, to) => (points < 0 ? `−${Math.abs(to - from)}` : points);

/** @param {string} what @param {number} points */
const whatText = (what, points) => text(`pad.what.${what}`, { points, n: Math.abs(points) });

function pegTyped(/** @type {string} */ what) {
  const points = Number(state.typed);
  const good = /^-?\d+$/.test(state.typed) && Math.abs(points) <= MOST_POINTS && points !== 0;
  byId("number-error").hidden = good;
  number.setAttribute("aria-invalid", String(!good));
  if (!good) return number.focus();
  write("");
  score(points, points < 0 ? "correction" : what);
}
function write(/** @type {string} */ digits) {
  state.typed = digits;
  number.value = digits;
  if (!digits) {
    byId("number-error").hidden = true;
    number.removeAttribute("aria-invalid");
  }
}

function back() {
  const last = state.pad?.entries.at(-1);
  if (!state.pad || !last) return;
  const [before, next] = [standing(state.pad), undo(state.pad)];
  if (last.kind !== "points") return change(next, text("pad.undone.step"));
  const score = standing(next).front[last.side];
  const points = pegged(last.points, score, before.front[last.side]);
  change(next, text("pad.undone", { what: whatText(last.what, last.points), points, name: nameOf(last.side), score }));
}
const again = () => state.pad?.undone.length && change(redo(state.pad), text("pad.redone"));
function nextDeal() {
  if (!state.pad || standing(state.pad).won || standing(state.pad).dealer === null) return;
  const next = enter(state.pad, { kind: "deal" });
  change(next, text("pad.deals", { name: nameOf(standing(next).dealer ?? 0) }));
}
function nextGame() {
  if (!state.pad || !standing(state.pad).won) return;
  write("");
  change(enter(state.pad, { kind: "next" }), text("pad.game", { n: standing(state.pad).game + 1 }));
  byId("play-title").focus();
}

/** @param {Scoring.Standing} now */
function wonText(now) {
  if (!state.pad || !now.won) return "";
  const { side, lost } = now.won;
  const others = now.front.filter((_, other) => other !== side).join(text("list.comma"));
  const sentences = [text("pad.won", { name: nameOf(side), score: now.front[side], others })];
  lost.forEach((games, other) => {
    if (games > 1) sentences.push(text(games === 4 ? "pad.double-skunked" : "pad.skunked", { name: nameOf(other) }));
  });
  return sentences.join(lang === "ja" ? "" : " ");
}

// ── Drawing ────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Move} [move] */
function draw(move) {
  const playing = state.pad !== null;
  byId("setup").hidden = playing;
  byId("game").hidden = !playing;
  byId("pad").dataset.stage = playing ? "game" : "setup";
  stayAwake(playing && isOn("awake"));
  if (!state.pad) return drawSetup();
  const now = standing(state.pad);
  state.active = Math.min(state.active, state.pad.setup.names.length - 1);
  byId("play-title").textContent = text("pad.heading", {
    variant: text(`game.${state.pad.setup.form}`),
    n: now.game,
    target: state.pad.setup.target,
  });
  drawSides(now);
  drawDealer(now);
  drawButtons(now);
  drawBoard(now, move);
  byId("pie").replaceChildren(pieElement(now.front, text("pad.pie", { scores: scoresText(now) })));
  byId("undo", HTMLButtonElement).disabled = state.pad.entries.length === 0;
  byId("redo", HTMLButtonElement).disabled = state.pad.undone.length === 0;
  byId("over").hidden = !now.won;
  byId("over-line").textContent = wonText(now);
  byId("scoring").hidden = Boolean(now.won);
  drawHistory(now);
}

/** @param {Scoring.Standing} now */
const scoresText = (now) => now.front.map((score, side) => `${nameOf(side)} ${score}`).join(text("list.comma"));

/** @param {Scoring.Standing} now */
function drawSides(now) {
  const { target } = /** @type {Scoring.Pad} */ (state.pad).setup;
  const list = byId("sides");
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(
    ...now.front.map((points, side) => {
      const radio = make("input.overlay", {
        type: "radio",
        name: "active",
        value: side,
        checked: side === state.active,
        onchange: () => choose(side),
      });
      const left = target - points;
      const games = now.games[side] ? ` · ${text("pad.games", { n: now.games[side] })}` : "";
      return make(
        `label.pad-side.ringed.grid.relative.rounded.surface.side-${side + 1}`,
        radio,
        make(
          "span.pad-who.aligned.gap-2.shrinks",
          make("span.cut-off.bold.pad-name", sideMark(side), ` ${nameOf(side)}`),
          side === now.dealer &&
            make(
              "span.pad-marker.inline-flex.rigid.centred.small",
              { title: text("pad.dealer") },
              text("pad.dealer-mark"),
            ),
        ),
        make("span.pad-score", String(points)),
        make("span.pad-rest.small.quiet-text", `${left ? text("pad.to-go", { n: left }) : text("pad.winner")}${games}`),
      );
    }),
  );
  if (hadFocus) find(list, "input:checked")?.focus();
}

/** Show who deals, because real cards do not show it (R11). @param {Scoring.Standing} now */
function drawDealer({ dealer, won }) {
  byId("deal").hidden = dealer === null || won !== null;
  if (dealer !== null) byId("dealer").textContent = text("pad.deals", { name: nameOf(dealer) });
}

function choose(/** @type {number} */ side) {
  state.active = side;
  all(byId("sides"), "input", HTMLInputElement).forEach((radio, place) => {
    radio.checked = place === side;
  });
  byId("for").textContent = text("pad.for", { name: nameOf(side) });
  byId("status").textContent = text("pad.for", { name: nameOf(side) });
}

/** @param {Scoring.Standing} now */
function drawButtons(now) {
  byId("for").textContent = text("pad.for", { name: nameOf(state.active) });
  const { form: kind } = /** @type {Scoring.Pad} */ (state.pad).setup;
  const groups = byId("buttons");
  if (groups.dataset.form !== kind) {
    groups.dataset.form = kind;
    groups.replaceChildren();
    for (const [group, list] of Object.entries(buttons(kind))) {
      if (!list.length) continue;
      groups.append(
        make(
          "div.pad-group.grid.gap-2",
          { role: "group", "aria-labelledby": `group-${group}` },
          make("h3", { id: `group-${group}` }, text(`pad.group.${group}`)),
          list.map(scoreButton),
        ),
      );
    }
  }
  for (const key of all(groups, "kbd")) key.hidden = !isOn("shortcuts");
  for (const button of all(groups, "button", HTMLButtonElement)) button.disabled = Boolean(now.won);
}

/** @param {{what: string, points: number, key: string}} one */
function scoreButton({ what, points, key }) {
  const cap = key.toUpperCase();
  return make(
    "button.pad-button.small.down.relative.rounded.surface.aligned.centred",
    {
      "aria-keyshortcuts": cap || null,
      "data-key": key,
      "data-what": what,
      "data-points": points,
      onclick: () => score(points, what),
    },
    what !== "points" && make("span", text(`pad.button.${what}`, { n: points })),
    make("span", make("b", `+${points}`), key && make("kbd", { "aria-hidden": "true" }, cap)),
  );
}

const boardChoices = () => all(document, 'input[name="shown"]', HTMLInputElement);

/** @param {Scoring.Standing} now @param {Move} [move] */
function drawBoard(now, move) {
  const { setup } = /** @type {Scoring.Pad} */ (state.pad);
  const place = byId("board");
  const type =
    setup.board === "B" && setup.names.length === 2 && setup.target <= 121
      ? "B"
      : setup.board === "none" || setup.target < 2 || setup.target > 241
        ? "none"
        : "A";
  for (const radio of boardChoices()) {
    radio.checked = radio.value === setup.board;
    radio.disabled = radio.value === "B" && setup.names.length !== 2;
  }
  const wanted = JSON.stringify([type, setup]);
  if (wanted !== state.boardFor) {
    state.boardFor = wanted;
    state.board = null;
    place.replaceChildren();
    place.hidden = type === "none";
    if (type !== "none") {
      state.board = boardElement({
        type,
        sides: setup.names.length,
        target: setup.target,
        // A phone has space for the whole board above the buttons.
        layout: matchMedia(`(max-width: 619px) and (min-height: ${setup.names.length * 10 + 12}rem)`).matches
          ? "wide"
          : "auto",
        names: setup.names.map((_, side) => nameOf(side)),
        skunk: setup.skunk !== null,
        doubleSkunk: setup.doubleSkunk !== null,
        labels: { whole: text("board.whole"), fold: text("board.fold") },
        describe: (pegs, names) =>
          text("board.name", {
            scores: names.map((name, side) => `${name} ${pegs.front[side]}`).join(text("list.comma")),
          }),
      });
      place.append(state.board);
    }
  }
  if (!state.board) return;
  const pegs = { front: now.front, rear: now.rear, games: now.games };
  if (move && move.to > move.from)
    state.board.animate(move.side, move.from, move.to, 45).then(() => state.board?.update(pegs));
  else state.board.update(pegs);
}

/** @param {Scoring.Standing} now */
function drawHistory(now) {
  byId("history").replaceChildren(
    ...now.log
      .map((entry) =>
        make(
          "li.grid.gap-2.small",
          { "data-game": now.game > 1 ? text("pad.game", { n: entry.game }) : null },
          make("span.cut-off", sideMark(entry.side), ` ${nameOf(entry.side)}`),
          make("span", whatText(entry.what, entry.points)),
          make("b.text-end", `${entry.points > 0 ? "+" : "−"}${Math.abs(entry.points)} → ${entry.score}`),
        ),
      )
      .reverse(),
  );
  byId("history-empty").hidden = now.log.length > 0;
}

// ── Keys and switches ───────────────────────────────────────────────────────────────────────────────────

/** @type {Record<string, () => unknown>} */
const KEYS = { z: back, y: again, e: nextDeal };
document.addEventListener("keydown", (event) => {
  const { pad } = state;
  if (!pad || isBrowserKey(event) || find(document, "dialog[open]")) return;
  const inNumber = event.target === number;
  if (event.key === "Enter" && inNumber) {
    event.preventDefault();
    return pegTyped("points");
  }
  if (pressed(event, "input[type=text], textarea, select") && !inNumber) return;
  if (!isOn("shortcuts")) return;
  const key = event.key.toLowerCase();
  const sides = pad.setup.names.length;
  const does = () => {
    if (/^[0-9-]$/.test(key) && !inNumber && !standing(pad).won) {
      number.focus();
      return write(state.typed + key);
    }
    if ((key === "arrowdown" || key === "arrowup") && !pressed(event, "input[type=radio]"))
      return choose((state.active + (key === "arrowdown" ? 1 : sides - 1)) % sides);
    if (key === "m" && state.typed) return pegTyped("muggins");
    if (KEYS[key]) return KEYS[key]();
    const button = /^[a-z]$/.test(key) ? find(byId("buttons"), `[data-key="${key}"]`) : undefined;
    return button ? button.click() : false;
  };
  if (does() !== false) event.preventDefault();
});
number.addEventListener("input", () => {
  write(
    number.value
      .replace(/[０-９]/g, (/** @type {string} */ c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
      .replace(/[^\d-]/g, ""),
  );
});
byId("peg").addEventListener("click", () => pegTyped("points"));
byId("muggins").addEventListener("click", () => pegTyped("muggins"));
byId("undo").addEventListener("click", back);
byId("redo").addEventListener("click", again);
byId("over-undo").addEventListener("click", back);
byId("next-game").addEventListener("click", nextGame);
byId("next-deal").addEventListener("click", nextDeal);
const sure = byId("sure", HTMLDialogElement);
byId("new").addEventListener("click", () => sure.showModal());
sure.addEventListener("close", () => {
  if (sure.returnValue !== "new") return;
  change(null);
  focusSetup();
});
listenToSetup((setup) => {
  state.active = 0;
  change(begin(setup));
  byId("play-title").focus();
});
for (const radio of boardChoices()) {
  radio.addEventListener("change", () => {
    if (state.pad)
      change({
        ...state.pad,
        setup: { ...state.pad.setup, board: radio.value === "A" || radio.value === "B" ? radio.value : "none" },
      });
  });
}
for (const name of ["awake", "shortcuts"]) {
  const box = byId(name, HTMLInputElement);
  box.checked = readStored(`pad-${name}`) !== "no";
  box.addEventListener("change", () => {
    keepOrWarn(`pad-${name}`, box.checked ? "yes" : "no");
    draw();
  });
}
byId("awake-choice").hidden = !canStayAwake;
addEventListener("storage", (event) => {
  if (event.key !== STORAGE_KEY) return;
  state.pad = restore(event.newValue);
  draw();
});

drawLines();
draw();

pagesKept
  .then(() => {
    byId("offline").hidden = false;
  })
  .catch(() => {});
