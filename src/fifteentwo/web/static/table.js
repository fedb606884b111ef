// The table in the browser: takes what the server tells in order, gives each event its moment, sends what you do.

import { cardElement } from "./cards.js";
import { byId, find, make, refresh } from "./elements.js";
import { challengeButtons, claimButton, claimed, renderPad } from "./play/claim.js";
import { opened, stageOf, whose } from "./play/desk.js";
import { press, renderBeside, renderHand } from "./play/hand.js";
import { callCoach, coachButtons, coachHolds, dropVerdict, renderCoach, takeVerdict } from "./play/coach.js";
import { renderHint, takeHint } from "./play/hint.js";
import { listenToKeys } from "./play/keys.js";
import { leadFocus } from "./play/lead.js";
import { beginLog, tell, watchLog } from "./play/log.js";
import { newScene } from "./play/pace.js";
import { andCutButton, carryCut, cutButton } from "./play/opening.js";
import { seeEvent, seePicture } from "./play/onlookers.js";
import { nextButton } from "./play/over.js";
import { perform } from "./play/perform.js";
import { carryOn, mayFollow, sayings } from "./play/saying.js";
import { sealOf } from "./play/seal.js";
import { boardFor, renderScores, renderSeats } from "./play/seats.js";
import { likes, openSettings } from "./play/settings.js";
import { connect } from "./play/socket.js";
import { renderStage } from "./play/stage.js";
import { readOn } from "./play/summary.js";
import { cardName, lang, listed, loadWords, say } from "./say.js";
import { warn } from "./toast.js";

/**
 * @typedef {Wire.TableMessage | Wire.EventMessage | Wire.ViewMessage | Wire.PassMessage} Scene what takes its time to
 *   be shown
 */

const root = byId("table");
/** @type {Scene[]} */
const waitingRoom = [];
/** @type {((scene: Scene) => void)[]} */
const watchers = [];
/** What the reader sees; nothing before the first message. @type {Wire.View | null} */
let view = null;
let running = false;
/** @type {(() => void) | null} */
let goOn = null;
let deadline = 0;
/** Set while an action is on its way, so that a double tap is one tap. */
let sent = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let giveUp;
/** What everyone does at once: no need to wait until the others' actions have been shown. */
const TOGETHER = ["Draw", "Discard"];

/** @type {import("./play/desk.js").Desk} */
const desk = {
  game: root.dataset.game ?? "",
  get view() {
    if (!view) throw new Error("nothing has come over the line yet");
    return view;
  },
  set view(next) {
    view = next;
  },
  names: [],
  levels: [],
  moment: null,
  trouble: [],
  people: null,
  match: null,
  daily: null,
  shared: "shared" in root.dataset,
  hints: false,
  closed: false,
  gathers: () => seal.waits() !== "",
  choices: [],
  settled: false,
  scene: "",
  picked: [],
  says: [],
  gains: [],
  shows: [],
  counting: null,
  lastClaim: null,
  face: "",
  board: null,
  open: null,
  may: (type) =>
    (desk.settled || TOGETHER.includes(type)) && !sent && desk.choices.some((choice) => choice.type === type),
  act(action) {
    if (sent || seal.waits() || !(desk.settled || TOGETHER.includes(action.type))) return;
    dropVerdict(desk);
    sent = line.send({ t: "act", d: action });
    clearTimeout(giveUp);
    giveUp = setTimeout(() => sent && arrived(), 8000);
    if (!sent) desk.warn(say("line.lost"));
    desk.render();
  },
  send: (message) => line.send(message),
  // The page commits once, like every other, when it hears that the new game waits for it.
  next: () => line.send({ t: "next", d: null }),
  warn,
  card(card, size, more = {}) {
    const svg = cardElement(card, { size, fourColour: likes.four, largePrint: likes.large });
    if (more.class) svg.classList.add(more.class);
    if (more.label) {
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", more.label);
      svg.removeAttribute("aria-hidden");
    }
    return svg;
  },
  pegTo(event) {
    desk.view = {
      ...desk.view,
      front: desk.view.front.with(event.side, event.score),
      rear: desk.view.rear.with(event.side, desk.view.front[event.side]),
    };
    renderScores(desk);
  },
  get fixed() {
    return seal.fixed();
  },
  render,
};

/** The server has answered. */
function arrived() {
  sent = false;
  clearTimeout(giveUp);
  desk.render();
}

function render() {
  if (!view) return;
  root.dataset.phase = view.phase;
  root.dataset.counting = view.rules.counting;
  root.dataset.turn = desk.settled && view.to_act.includes(view.seat) ? "own" : "other";
  root.dataset.settled = String(desk.settled && !sent && !seal.waits());
  desk.face = `${likes.four}${likes.large}`;
  renderScores(desk);
  renderStage(desk);
  renderSeats(desk);
  renderHand(desk);
  renderPad(desk);
  renderBeside(desk);
  renderHint(desk);
  renderCoach(desk);
  renderActions();
  byId("why").hidden = !desk.lastClaim;
  renderTitle();
  seal.render();
  seePicture(desk);
  leadFocus();
}

/** Which game this is: the form, then where in the match. */
function renderTitle() {
  const { variant } = desk.view.rules;
  const at = { game: desk.match?.game ?? 1, deal: Math.max(desk.view.deal, 1) };
  refresh(byId("title"), [variant, at], () => [
    make("span.title-form", null, say(`form.${variant}`)),
    document.createTextNode(" "),
    make("span.title-at", null, say(desk.match?.length === "nine" ? "table.heading.nine" : "table.heading", at)),
  ]);
}

/** One line says whose move it is; beside it the one button that matters. */
function renderActions() {
  const { view } = desk;
  const words = prompt();
  const place = byId("prompt");
  if (place.textContent !== words) place.textContent = words;
  const gate = goOn !== null;
  const laying = desk.may("Discard");
  const enough = desk.picked.length === view.rules.discards;
  const challenge = desk.may("Accept");
  const claim = desk.may("Claim") && claimed();
  const over = desk.settled && view.phase === "over";
  const cutting = desk.may("Cut") && view.phase;
  // Undo stands beside the button: where it comes or goes, both are set anew.
  const only = onlyCard();
  const strip = sayings(desk);
  const coached = coachHolds();
  const back = desk.clock?.button;
  const claims = desk.clock?.claims ?? [];
  const arranges = hostWaits();
  const layAway = () => desk.act({ type: "Discard", seat: view.seat, cards: desk.picked });
  refresh(
    byId("buttons"),
    [
      gate,
      coached,
      !!back,
      claims.length && claims[0].id,
      arranges,
      desk.closed,
      laying && [enough, view.dealer],
      challenge,
      claim,
      over,
      cutting,
      only,
      strip && strip.textContent + claimed(),
      desk.names,
      byId("undo").hidden,
    ],
    () => {
      if (gate)
        return [
          cutsAfter(view, 2) &&
            view.rules.cut_before_deal &&
            andCutButton("continue-cut", "show.continue_cut", false, () => goOn?.()),
          make(
            "button.button.button--primary",
            { type: "button", "data-action": "continue", "data-primary": true, onclick: () => goOn?.() },
            say("show.continue"),
          ),
        ];
      if (desk.closed)
        return [
          make(
            "a.button.button--primary",
            { href: "/", "data-action": "home", "data-primary": true },
            say("over.home"),
          ),
        ];
      if (coached) return coachButtons(desk);
      if (back) return [back];
      if (laying)
        return [
          view.rules.counting === "claimed" &&
            view.rules.starter === "cut" &&
            cutsAfter(view, 1) &&
            andCutButton("discard-cut", "discard.and_cut", !enough, layAway),
          make(
            "button.button.button--primary",
            { type: "button", "data-action": "discard", "data-primary": true, disabled: !enough, onclick: layAway },
            whose(
              desk,
              view.dealer,
              view.rules.discards === 1 ? "discard.one_own" : "discard.two_own",
              view.rules.discards === 1 ? "discard.one_other" : "discard.two_other",
            ),
          ),
        ];
      if (challenge) return [strip, ...challengeButtons(desk)];
      if (claim !== false) return [claimButton(desk)];
      if (cutting) return [cutButton(desk)];
      if (only)
        return [
          strip,
          make(
            "button.button.button--primary",
            { type: "button", "data-action": "play", "data-primary": true, onclick: () => press(desk, only) },
            say("play.this", { card: cardName(only) }),
          ),
        ];
      if (over) return [nextButton(desk)];
      return [
        strip,
        ...claims,
        arranges && make("a.button", { href: `/game/${desk.game}/room`, "data-action": "seats" }, say("table.seats")),
      ];
    },
  );
}

/** Whether the reader made this table, and pages have still to commit before its first card. */
const hostWaits = () =>
  !desk.closed && desk.people?.came[desk.view.seat] === 0 && desk.match?.game === 1 && seal.gathers();

/** Whether the reader cuts so many seats after the dealer. @param {Wire.View} view @param {number} seats */
const cutsAfter = ({ dealer, seat, rules }, seats) => (dealer + seats) % rules.seats === seat;

/** The card that is to be laid, where there is no choice. */
function onlyCard() {
  const cards = desk.may("Play") ? desk.choices.flatMap((choice) => (choice.type === "Play" ? [choice.card] : [])) : [];
  return cards.length === 1 ? cards[0] : null;
}

/** What the table waits for, in the reader's words. */
function prompt() {
  const { view } = desk;
  if (goOn) return say("show.read");
  if (coachHolds()) return say("coach.prompt");
  if (desk.closed) return say("table.closed");
  if (view.phase === "over") return stageOf(desk) === "over" ? say("over.prompt") : "";
  if (!desk.settled || sent) return desk.counting ? say("show.skip") : "";
  const told = desk.clock?.words();
  if (told) return told;
  if (seal.waits()) return seal.waits();
  const { rules } = view;
  if (desk.may("Draw")) return say("draw.prompt");
  if (view.phase === "name-dealer") return say("name_dealer.ask");
  if (desk.may("Cut")) return view.phase === "cut" ? say("cut.prompt") : say("cut.prompt_starter");
  if (desk.may("Discard"))
    return whose(
      desk,
      view.dealer,
      rules.discards === 1 ? "discard.prompt_one_own" : "discard.prompt_two_own",
      rules.discards === 1 ? "discard.prompt_one_other" : "discard.prompt_two_other",
    );
  if (desk.may("Play")) return say(rules.counting === "claimed" ? "play.prompt_claimed" : "play.prompt");
  if (desk.may("Claim")) {
    const show = opened(desk);
    return say(!show ? "claim.prompt_card" : show.crib ? "claim.prompt_crib" : "claim.prompt_hand");
  }
  if (desk.may("Accept"))
    return say(mayFollow(desk) ? "claim.challenge_card" : "claim.challenge", {
      name: desk.names[view.turn],
      n: view.claim ?? 0,
    });
  const waits = view.to_act.filter((seat) => seat !== view.seat).map((seat) => desk.names[seat]);
  return waits.length ? say("table.waiting", { names: listed(waits) }) : "";
}

/** Events in order, each in its time; the settled view closes the scene. */
async function run() {
  if (running) return;
  running = true;
  for (let scene = waitingRoom.shift(); scene; scene = waitingRoom.shift()) {
    try {
      if (scene.t === "table") await begin(scene.d);
      else if (scene.t === "view") settle(scene.d);
      else if (scene.t === "pass") (await import("./play/one_screen.js")).passOn(desk, scene.d, view);
      else if (view) {
        const { event } = scene.d;
        desk.settled = false;
        if (event && (("seat" in event && event.seat === view.seat) || event.type === "DealerChosen")) {
          // What was open is done; the settled view says what is next.
          sent = false;
          desk.choices = [];
        }
        if (event) await seeEvent("before", desk, event);
        await perform(desk, scene.d, upcoming, gate);
        if (event) await seeEvent("after", desk, event);
      }
    } catch (error) {
      // Whatever went wrong in the showing, the server's view puts the table right.
      console.error(error);
      desk.counting = null;
      desk.scene = "";
    }
  }
  running = false;
}

/** The event that follows, once it is here; null where none does. @returns {Promise<Wire.Event | null>} */
async function upcoming() {
  const scene =
    waitingRoom[0] ?? (await new Promise((/** @type {(scene: Scene) => void} */ resolve) => watchers.push(resolve)));
  return scene.t === "event" ? scene.d.event : null;
}

/** @param {Scene} scene */
function arrive(scene) {
  waitingRoom.push(scene);
  watchers.splice(0).forEach((watch) => watch(scene));
  void run();
}

/** @returns {Promise<void>} */
function gate() {
  return new Promise((resolve) => {
    goOn = () => {
      goOn = null;
      resolve();
    };
    desk.render();
  });
}

/** Who gave no name is "You" to themselves. @param {string[]} names @param {number} seat */
const ownName = (names, seat) =>
  names.map((name, other) => (other === seat && name === say("name.guest") ? say("home.you") : name));

/** @param {Wire.WholeTable} data */
async function begin(data) {
  desk.names = ownName(data.names, data.view.seat);
  desk.levels = data.levels;
  desk.daily = data.options.daily;
  desk.moment = data.options.moment;
  desk.scene = "";
  desk.counting = null;
  desk.shows = [];
  desk.lastClaim = null;
  desk.hints = data.hints;
  callCoach(desk, true);
  const board = boardFor(data.view.rules, data.options.board, desk.names);
  desk.board = board;
  byId("board").replaceChildren(board);
  fitBoard();
  beginLog(data.told);
  await readOn(desk, data.view, gate);
  settle(data);
}

/** As large as its place allows, which only grows so high in an upright room. */
function fitBoard() {
  const place = byId("board");
  const most = Number.parseFloat(getComputedStyle(place).maxHeight);
  desk.board?.fit(place.clientWidth, Number.isNaN(most) ? place.clientHeight : most);
}

/** @param {Wire.Settled} data */
function settle(data) {
  desk.view = data.view;
  desk.choices = data.choices;
  desk.match = data.match;
  desk.hints = data.hints;
  desk.closed = data.closed;
  const { rules } = desk.view;
  desk.says = Array(rules.seats).fill("");
  desk.gains = Array(rules.sides).fill(0);
  if (desk.view.claim !== null && desk.view.turn >= 0)
    desk.says[desk.view.turn] = say("claim.bubble", { n: desk.view.claim });
  for (const seat of desk.view.gone) desk.says[seat] = say("table.go");
  desk.settled = true;
  const showing = desk.view.open_crib.length || desk.view.open_hands.some((hand) => hand.length);
  if (!showing || desk.view.phase === "over") desk.counting = null;
  byId("undo").hidden = !data.undo;
  tellTrouble(data.trouble);
  desk.board?.update({ front: desk.view.front, rear: desk.view.rear, games: data.match.tally });
  // Who skips a show skips all of it, between claims too.
  if (!showing) newScene();
  carryOn(desk);
  carryCut(desk);
  desk.render();
}

/**
 * Why a computer plays below its level is said once, aloud and in the log; beside the player it stays.
 * @param {Wire.Trouble[]} trouble
 */
function tellTrouble(trouble) {
  /** @param {string} words */
  const sayOnce = (words) => {
    tell(words);
    desk.warn(words);
  };
  for (const { seat, table, level } of trouble) {
    if (desk.trouble.some((known) => known.seat === seat && known.table === table)) continue;
    const values = { name: desk.names[seat], level: say(`level.${level}`) };
    sayOnce(table === null ? say("trouble.instead", values) : say("trouble.told", { ...values, table }));
  }
  for (const { seat } of desk.trouble) {
    if (!trouble.some((one) => one.seat === seat)) sayOnce(say("trouble.over", { name: desk.names[seat] }));
  }
  desk.trouble = trouble;
}

/** Who is here is shown at once, whatever is still being played out. @param {Wire.People} people */
function meet(people) {
  desk.people = people;
  byId("invite-button").hidden = !people.open.includes(true);
  if (view) renderActions();
  if (root.dataset.watched) void import("./play/watching.js").then(({ tellNumber }) => tellNumber(people.watching));
  if (view) renderSeats(desk);
}

/** @param {Wire.Awaited} data */
function waitUntil({ until }) {
  deadline = until === null ? 0 : Date.now() + until * 1000;
}
setInterval(() => {
  const clock = find(document, "#countdown");
  if (!clock) return;
  const left = Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
  const words = deadline ? say("claim.seconds", { n: left }) : "";
  if (clock.textContent !== words) clock.textContent = words;
}, 250);

/** @param {"open" | "lost" | "gone"} state */
function lineState(state) {
  const notice = byId("line");
  notice.hidden = state === "open";
  root.dataset.line = state;
  notice.textContent = state === "open" ? "" : say(state === "lost" ? "line.lost" : "line.gone");
  if (state !== "open") sent = false;
}

const seal = sealOf(desk);
await loadWords();
openSettings(() => {
  callCoach(desk);
  desk.render();
});
watchLog();
new ResizeObserver(fitBoard).observe(root);
const line = connect(desk.game, lang, {
  opening: seal.opening,
  message(message) {
    const answer = seal.hear(message);
    if (answer) line.send(answer);
    if (message.t === "dealing") return view && !running && desk.render();
    if (message.t === "waiting") return waitUntil(message.d);
    if (message.t === "people") return meet(message.d);
    if (message.t === "clock")
      return import("./play/move_clock.js").then(({ takeClock }) => takeClock(desk, message.d));
    if (message.t === "courtesy") return root.dispatchEvent(new CustomEvent("courtesy", { detail: message.d }));
    if (message.t === "hint") return takeHint(desk, message.d);
    if (message.t === "coach") return takeVerdict(desk, message.d);
    if (message.t === "refused") {
      // What was asked for has come about already: its seed was promised or sent twice, or somebody else began the next
      // game first.
      if (!["committed-already", "seed-not-awaited", "game-not-over"].includes(message.d.code))
        desk.warn(message.d.message);
      return arrived();
    }
    if (message.t === "table") {
      sent = false;
      waitingRoom.length = 0;
      if (view) dropVerdict(desk);
      goOn?.();
    }
    arrive(message);
  },
  state: lineState,
});
listenToKeys(desk);
