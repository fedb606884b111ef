// @ts-check
// The scoring pad for a game with real cards (R10, R123). Everything happens and stays in the browser.

import { boardElement, sideMark } from "./board.js";
import { canStayAwake, stayAwake } from "./pad/awake.js";
import { pieElement } from "./pad/pie.js";
import { FORMS, MOST_TARGET, begin, buttons, enter, lines, redo, restore, standing, undo } from "./pad/score.js";

/** @typedef {import("./pad/score.js").Pad} Pad */

const KEPT = "pad";
const MOST_POINTS = 99;
/** @type {Record<string, string>} */
const words = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("words")).textContent ?? "{}");
/** @param {string} key @param {Record<string, unknown>} [values] */
function text(key, values = {}) {
  const said = (values.n === 1 ? words[`${key}.one`] : undefined) ?? words[key] ?? key;
  return said.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}
/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

const form = byId("setup");
/** @type {Pad | null} */
let pad = restore(read(KEPT));
let active = 0;
let typed = "";
/** @type {ReturnType<typeof boardElement> | null} */
let board = null;
let boardFor = "";

function read(/** @type {string} */ key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
function keep(/** @type {string} */ key, /** @type {string} */ value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    byId("kept").textContent = text("pad.not-kept");
  }
}
const nameOf = (/** @type {number} */ side) => {
  const { names, form: kind } = /** @type {Pad} */ (pad).setup;
  return names[side] || text(FORMS[kind].teams ? "pad.team" : "pad.player", { n: side + 1 });
};
const shortcuts = () => byId("shortcuts").checked;

// ── Setting up ──────────────────────────────────────────────────────────────────────────────────────────

function drawSetup() {
  const kind = form.elements.form.value;
  const { sides, target, teams } = FORMS[kind];
  byId("sides-choice").hidden = sides !== null;
  if (sides !== null) form.elements.sides.value = String(sides);
  const number = Number(form.elements.sides.value);
  [...byId("names").children].forEach((field, side) => {
    field.hidden = side >= number;
    field.querySelector("span").textContent = text(teams ? "pad.team" : "pad.player", { n: side + 1 });
  });
  for (const option of form.elements.board) {
    if (option.value === "B") option.disabled = number !== 2;
    if (option.value === "B" && option.checked && number !== 2) form.elements.board.value = "A";
  }
  form.dataset.target = String(target);
}

function drawLines() {
  const target = Number(form.elements.target.value);
  const { skunk, doubleSkunk } = lines(target);
  form.elements.skunk_line.value = String(skunk ?? "");
  form.elements.double_line.value = String(doubleSkunk ?? "");
  linesOpen();
}
function linesOpen() {
  byId("skunk-line").hidden = !form.elements.skunk.checked;
  form.elements.double.disabled = !form.elements.skunk.checked;
  if (!form.elements.skunk.checked) form.elements.double.checked = false;
  byId("double-line").hidden = !form.elements.double.checked;
}

form.addEventListener("change", (/** @type {any} */ event) => {
  if (event.target.name === "form") {
    form.elements.target.value = String(FORMS[event.target.value].target);
    drawLines();
  }
  if (event.target.name === "target") drawLines();
  linesOpen();
  drawSetup();
});
form.addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const fields = form.elements;
  const number = Number(fields.sides.value);
  const target = Math.round(Number(fields.target.value));
  const valid = target >= 1 && target <= MOST_TARGET;
  fields.target.setAttribute("aria-invalid", String(!valid));
  byId("target-error").hidden = valid;
  if (!valid) return fields.target.focus();
  const line = (/** @type {string} */ name, /** @type {boolean} */ on) => {
    const below = Math.round(Number(fields[name].value));
    return on && below > 0 && below < target ? below : null;
  };
  const setup = {
    form: fields.form.value,
    names: [0, 1, 2, 3].slice(0, number).map((side) => fields[`name_${side}`].value.trim()),
    target,
    board: fields.board.value,
    skunk: line("skunk_line", fields.skunk.checked),
    doubleSkunk: line("double_line", fields.skunk.checked && fields.double.checked),
  };
  active = 0;
  change(begin(setup));
  byId("play-title").focus();
});

// ── Scoring ─────────────────────────────────────────────────────────────────────────────────────────────

/** @param {Pad | null} next @param {string} [said] */
function change(next, said = "") {
  pad = next;
  keep(KEPT, JSON.stringify(pad));
  draw();
  if (said) byId("said").textContent = said;
}

/** @param {number} points @param {string} what */
function score(points, what) {
  if (!pad || standing(pad).won || !Number.isInteger(points) || points === 0) return;
  const side = active;
  const from = standing(pad).front[side];
  const next = enter(pad, { kind: "points", side, points, what });
  const now = standing(next);
  pad = next;
  keep(KEPT, JSON.stringify(pad));
  draw({ side, from, to: now.front[side] });
  const told = text("pad.told", { name: nameOf(side), what: whatText(what, points), points, score: now.front[side] });
  byId("said").textContent = now.won ? `${told} ${wonText(now)}` : told;
  if (now.won) byId("next-game").focus();
}

/** @param {string} what @param {number} points */
const whatText = (what, points) => text(`pad.what.${what}`, { points, n: Math.abs(points) });

function pegTyped(/** @type {string} */ what) {
  const points = Number(typed);
  const good = /^-?\d+$/.test(typed) && Math.abs(points) <= MOST_POINTS && points !== 0;
  byId("number-error").hidden = good;
  byId("number").setAttribute("aria-invalid", String(!good));
  if (!good) return byId("number").focus();
  write("");
  score(points, points < 0 ? "correction" : what);
}
function write(/** @type {string} */ number) {
  typed = number;
  byId("number").value = number;
  if (!number) {
    byId("number-error").hidden = true;
    byId("number").removeAttribute("aria-invalid");
  }
}

const back = () => pad?.entries.length && change(undo(pad), text("pad.undone"));
const again = () => pad?.undone.length && change(redo(pad), text("pad.redone"));
function nextGame() {
  if (!pad || !standing(pad).won) return;
  write("");
  change(enter(pad, { kind: "next" }), text("pad.game", { n: standing(pad).game + 1 }));
  byId("play-title").focus();
}

/** @param {import("./pad/score.js").Standing} now */
function wonText(now) {
  if (!pad || !now.won) return "";
  const { side, lost } = now.won;
  const others = now.front.filter((_, other) => other !== side).join(text("join.comma"));
  const told = [text("pad.won", { name: nameOf(side), score: now.front[side], others })];
  lost.forEach((games, other) => {
    if (games > 1) told.push(text(games === 4 ? "pad.double-skunked" : "pad.skunked", { name: nameOf(other) }));
  });
  return told.join(document.documentElement.lang === "ja" ? "" : " ");
}

// ── What is seen ────────────────────────────────────────────────────────────────────────────────────────

/** @param {{side: number, from: number, to: number}} [move] */
function draw(move) {
  const playing = pad !== null;
  form.hidden = playing;
  byId("game").hidden = !playing;
  byId("pad").dataset.stage = playing ? "game" : "setup";
  stayAwake(playing && byId("awake").checked);
  if (!pad) return drawSetup();
  const now = standing(pad);
  active = Math.min(active, pad.setup.names.length - 1);
  byId("play-title").textContent = text("pad.heading", { form: text(`game.${pad.setup.form}`), n: now.game, target: pad.setup.target });
  drawSides(now);
  drawButtons(now);
  drawBoard(now, move);
  byId("pie").replaceChildren(pieElement(now.front, text("pad.pie", { scores: scoresText(now) })));
  byId("undo").disabled = pad.entries.length === 0;
  byId("redo").disabled = pad.undone.length === 0;
  byId("over").hidden = !now.won;
  byId("over-line").textContent = wonText(now);
  byId("scoring").hidden = Boolean(now.won);
  drawHistory(now);
}

/** @param {import("./pad/score.js").Standing} now */
const scoresText = (now) => now.front.map((score, side) => `${nameOf(side)} ${score}`).join(text("join.comma"));

/** @param {import("./pad/score.js").Standing} now */
function drawSides(now) {
  const { target } = /** @type {Pad} */ (pad).setup;
  const list = byId("sides");
  const hadFocus = list.contains(document.activeElement);
  list.replaceChildren(
    ...now.front.map((points, side) => {
      const item = document.createElement("label");
      item.className = `pad-side side-${side + 1}`;
      const radio = document.createElement("input");
      radio.type = "radio";
      radio.name = "active";
      radio.value = String(side);
      radio.checked = side === active;
      radio.addEventListener("change", () => choose(side));
      const head = document.createElement("span");
      head.className = "pad-name";
      head.append(sideMark(side), ` ${nameOf(side)}`);
      const number = document.createElement("span");
      number.className = "pad-score";
      number.textContent = String(points);
      const rest = document.createElement("span");
      rest.className = "pad-rest";
      const left = target - points;
      const games = now.games[side] ? ` · ${text("pad.games", { n: now.games[side] })}` : "";
      rest.textContent = `${left ? text("pad.to-go", { n: left }) : text("pad.winner")}${games}`;
      item.append(radio, head, number, rest);
      return item;
    }),
  );
  if (hadFocus) list.querySelector("input:checked")?.focus();
}

function choose(/** @type {number} */ side) {
  active = side;
  [...byId("sides").querySelectorAll("input")].forEach((radio, place) => {
    radio.checked = place === side;
  });
  byId("for").textContent = text("pad.for", { name: nameOf(side) });
  byId("said").textContent = text("pad.for", { name: nameOf(side) });
}

/** @param {import("./pad/score.js").Standing} now */
function drawButtons(now) {
  byId("for").textContent = text("pad.for", { name: nameOf(active) });
  const { form: kind } = /** @type {Pad} */ (pad).setup;
  const groups = byId("buttons");
  if (groups.dataset.form !== kind) {
    groups.dataset.form = kind;
    groups.replaceChildren();
    for (const [group, list] of Object.entries(buttons(kind))) {
      if (!list.length) continue;
      const set = document.createElement("div");
      set.className = "pad-group";
      set.setAttribute("role", "group");
      set.setAttribute("aria-label", text(`pad.group.${group}`));
      set.append(...list.map(scoreButton));
      groups.append(set);
    }
  }
  for (const key of groups.querySelectorAll("kbd")) key.hidden = !shortcuts();
  for (const button of groups.querySelectorAll("button")) button.disabled = Boolean(now.won);
}

/** @param {{what: string, points: number, key: string}} one */
function scoreButton({ what, points, key }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "pad-button";
  const name = document.createElement("span");
  name.textContent = text(`pad.button.${what}`, { n: points });
  const number = document.createElement("b");
  number.textContent = `+${points}`;
  const worth = document.createElement("span");
  worth.append(number);
  button.append(name, worth);
  if (key) {
    const cap = document.createElement("kbd");
    cap.textContent = key.toUpperCase();
    cap.setAttribute("aria-hidden", "true");
    worth.append(cap);
    button.setAttribute("aria-keyshortcuts", key.toUpperCase());
  }
  button.dataset.key = key;
  button.dataset.what = what;
  button.dataset.points = String(points);
  button.addEventListener("click", () => score(points, what));
  return button;
}

/** @param {import("./pad/score.js").Standing} now @param {{side: number, from: number, to: number}} [move] */
function drawBoard(now, move) {
  const { setup } = /** @type {Pad} */ (pad);
  const place = byId("board");
  const type = setup.board === "B" && setup.names.length === 2 && setup.target <= 121 ? "B" : setup.board === "none" || setup.target < 2 || setup.target > 241 ? "none" : "A";
  for (const radio of document.querySelectorAll('input[name="shown"]')) {
    radio.checked = radio.value === setup.board;
    radio.disabled = radio.value === "B" && setup.names.length !== 2;
  }
  const wanted = JSON.stringify([type, setup]);
  if (wanted !== boardFor) {
    boardFor = wanted;
    board = null;
    place.replaceChildren();
    place.hidden = type === "none";
    if (type !== "none") {
      board = boardElement({
        type,
        sides: setup.names.length,
        target: setup.target,
        names: setup.names.map((_, side) => nameOf(side)),
        skunk: setup.skunk !== null,
        doubleSkunk: setup.doubleSkunk !== null,
        labels: { whole: text("board.whole"), fold: text("board.fold") },
        describe: (pegs, names) => text("board.name", { scores: names.map((name, side) => `${name} ${pegs.front[side]}`).join(text("join.comma")) }),
      });
      place.append(board);
    }
  }
  if (!board) return;
  const pegs = { front: now.front, rear: now.rear, games: now.games };
  if (move && move.to > move.from) board.animate(move.side, move.from, move.to, 45).then(() => board?.update(pegs));
  else board.update(pegs);
}

/** @param {import("./pad/score.js").Standing} now */
function drawHistory(now) {
  byId("history").replaceChildren(
    ...now.log
      .map((entry) => {
        const item = document.createElement("li");
        const who = document.createElement("span");
        who.append(sideMark(entry.side), ` ${nameOf(entry.side)}`);
        const what = document.createElement("span");
        what.textContent = whatText(entry.what, entry.points);
        const sum = document.createElement("b");
        sum.textContent = `${entry.points > 0 ? "+" : "−"}${Math.abs(entry.points)} → ${entry.score}`;
        item.append(who, what, sum);
        if (now.game > 1) item.dataset.game = text("pad.game", { n: entry.game });
        return item;
      })
      .reverse(),
  );
  byId("history-empty").hidden = now.log.length > 0;
}

// ── Keys and switches ───────────────────────────────────────────────────────────────────────────────────

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!pad || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const inNumber = target.id === "number";
  if (event.key === "Enter" && inNumber) {
    event.preventDefault();
    return pegTyped("points");
  }
  if (target.matches("input[type=text], textarea, select") && !inNumber) return;
  if (!shortcuts()) return;
  const key = event.key.toLowerCase();
  const sides = pad.setup.names.length;
  if (/^[0-9-]$/.test(key) && !inNumber && !standing(pad).won) {
    event.preventDefault();
    byId("number").focus();
    write(typed + key);
  } else if ((key === "arrowdown" || key === "arrowup") && !target.matches("input[type=radio]")) {
    event.preventDefault();
    choose((active + (key === "arrowdown" ? 1 : sides - 1)) % sides);
  } else if (key === "z") {
    event.preventDefault();
    back();
  } else if (key === "y") {
    event.preventDefault();
    again();
  } else if (key === "m" && typed) {
    event.preventDefault();
    pegTyped("muggins");
  } else if (/^[a-z]$/.test(key)) {
    const button = byId("buttons").querySelector(`[data-key="${key}"]`);
    if (button) {
      event.preventDefault();
      button.click();
    }
  }
});
byId("number").addEventListener("input", () => {
  write(byId("number").value.replace(/[０-９]/g, (/** @type {string} */ c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0)).replace(/[^\d-]/g, ""));
});
byId("peg").addEventListener("click", () => pegTyped("points"));
byId("muggins").addEventListener("click", () => pegTyped("muggins"));
byId("undo").addEventListener("click", back);
byId("redo").addEventListener("click", again);
byId("over-undo").addEventListener("click", back);
byId("next-game").addEventListener("click", nextGame);
byId("new").addEventListener("click", () => byId("sure").showModal());
byId("sure").addEventListener("close", () => {
  if (byId("sure").returnValue !== "new") return;
  change(null);
  form.elements.form.focus();
});
for (const radio of document.querySelectorAll('input[name="shown"]')) {
  radio.addEventListener("change", () => {
    if (pad) change({ ...pad, setup: { ...pad.setup, board: radio.value } });
  });
}
for (const name of ["awake", "shortcuts"]) {
  const box = byId(name);
  box.checked = read(`pad-${name}`) !== "no";
  box.addEventListener("change", () => {
    keep(`pad-${name}`, box.checked ? "yes" : "no");
    draw();
  });
}
byId("awake-choice").hidden = !canStayAwake;
addEventListener("storage", (event) => {
  if (event.key !== KEPT) return;
  pad = restore(event.newValue);
  draw();
});

drawLines();
draw();

if ("serviceWorker" in navigator) {
  navigator.serviceWorker
    .register("/sw.js", { scope: "/pad" })
    .then(() => navigator.serviceWorker.getRegistration("/pad"))
    .then((registration) => {
      const worker = registration?.active ?? registration?.waiting ?? registration?.installing;
      const ready = () => {
        byId("offline").hidden = false;
        document.documentElement.dataset.offline = "ready";
      };
      if (registration?.active) ready();
      else worker?.addEventListener("statechange", () => worker.state === "activated" && ready());
    })
    .catch(() => {});
}
