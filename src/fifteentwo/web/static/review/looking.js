// A table that is looked at: the drawings of the table itself, fed with the pictures of a recorded game.

import { boardElement } from "../board.js";
import { cardElement } from "../cards.js";
import { all, byId, make, refresh } from "../elements.js";
import { renderBeside, renderHand } from "../play/hand.js";
import { renderScores, renderSeats } from "../play/seats.js";
import { likes } from "../play/settings.js";
import { renderStage } from "../play/stage.js";
import { listed, say } from "../say.js";
import { warn } from "../toast.js";
import { viewFrom } from "./story.js";

/** @typedef {import("../play/desk.js").Desk} Desk */
/** @typedef {import("./story.js").Picture} Picture */
/** @typedef {import("./story.js").Decision} Decision */

/**
 * What is to be seen.
 * @typedef {object} Sight
 * @property {Picture} picture @property {number} seat whose place it is seen from
 * @property {import("./story.js").Moment} moment
 * @property {boolean} open whether the others' cards lie open
 * @property {Decision | null} asks a decision that may be made anew
 * @property {string[]} lifted cards of the hand that lie higher @property {string[]} lit cards of the best choice, once
 *   told
 * @property {string} prompt
 */

export class LookedAt {
  /** @type {Sight | null} */
  #sight = null;
  /** @type {(cards: string[]) => void} */
  #chosen;
  /** @type {() => void} */
  #tell;
  /** @type {Desk} */
  desk;

  /**
   * @param {string[]} names @param {Picture} first
   * @param {{chosen: (cards: string[]) => void, tell: () => void}} asks
   */
  constructor(names, first, { chosen, tell }) {
    this.#chosen = chosen;
    this.#tell = tell;
    const { rules } = first;
    const sides = Array.from({ length: rules.sides }, (_, side) => side);
    this.desk = {
      ...{
        game: "",
        view: viewFrom(first, 0),
        names,
        levels: names.map(() => null),
        moment: null,
        trouble: [],
        people: null,
        match: null,
        daily: null,
      },
      ...{
        hints: false,
        choices: [],
        settled: true,
        scene: "",
        picked: [],
        says: names.map(() => ""),
        gains: sides.map(() => 0),
        shows: [],
      },
      ...{ counting: null, lastClaim: null, face: "", fixed: false, open: null },
      board: boardElement({
        sides: rules.sides,
        target: rules.target,
        layout: "fit",
        names: sides.map((side) => listed(names.filter((_, seat) => seat % rules.sides === side))),
        skunk: rules.skunk,
        doubleSkunk: rules.double_skunk,
        labels: { whole: say("board.whole"), fold: say("board.fold") },
        describe: (pegs, sideNames) =>
          say("board.name", {
            scores: pegs.front.map((score, side) => `${sideNames[side]} ${score}`).join(say("list.comma")),
          }),
      }),
      may: (type) => this.desk.choices.some((choice) => choice.type === type),
      act: (action) => this.#act(action),
      send: () => false,
      next: () => {},
      warn,
      card: (card, _, more = {}) => drawnCard(card, more),
      pegTo: () => {},
      render: () => this.#draw(),
    };
    if (this.desk.board) byId("board").replaceChildren(this.desk.board);
    const fit = () => {
      const place = byId("board");
      const most = Number.parseFloat(getComputedStyle(place).maxHeight);
      this.desk.board?.fit(place.clientWidth, Number.isNaN(most) ? place.clientHeight : most);
    };
    new ResizeObserver(fit).observe(byId("table"));
  }

  /** @param {Wire.Choice} action */
  #act(action) {
    if (action.type === "Play") this.#chosen([action.card]);
    if (action.type === "Discard") this.#chosen(action.cards);
  }

  /** @param {Sight} sight */
  show(sight) {
    const anew =
      sight.asks !== this.#sight?.asks || JSON.stringify(sight.lifted) !== JSON.stringify(this.#sight?.lifted);
    this.#sight = sight;
    const { desk } = this;
    const { picture, seat, moment, asks } = sight;
    desk.view = viewFrom(picture, seat);
    desk.choices = asks ? choicesOf(asks, desk.view) : [];
    if (anew || !asks) desk.picked = sight.lifted;
    const shown = picture.phase === "over" ? null : !asks && moment.counted;
    // What nobody claimed is no claim.
    desk.counting = shown ? { ...shown, claimed: shown.claimed ?? undefined } : null;
    desk.says = desk.names.map((_, who) => (picture.gone.includes(who) ? say("table.go") : ""));
    if (shown && typeof shown.claimed === "number") desk.says[shown.seat] = say("claim.bubble", { n: shown.claimed });
    desk.open = sight.open ? { hands: picture.hands, crib: picture.crib } : null;
    desk.board?.update({ front: picture.front, rear: picture.rear });
    this.#draw();
  }

  #draw() {
    const { desk } = this;
    const sight = this.#sight;
    if (!sight) return;
    const table = byId("table");
    table.dataset.phase = desk.view.phase;
    table.dataset.turn = sight.asks ? "own" : "other";
    desk.face = `${likes.four}${likes.large}`;
    byId("hand").hidden = false;
    renderScores(desk);
    renderStage(desk);
    renderSeats(desk);
    renderHand(desk);
    renderBeside(desk);
    for (const button of all(byId("hand"), "button"))
      button.classList.toggle("is-best", sight.lit.includes(button.dataset.card ?? ""));
    byId("latest").replaceChildren(
      ...(sight.asks ? [] : sight.moment.told.slice(-2).reverse()).map((line) => make("p", null, line)),
    );
    if (byId("prompt").textContent !== sight.prompt) byId("prompt").textContent = sight.prompt;
    this.#drawButtons();
  }

  /** The one thing to press: to say which cards are laid away. */
  #drawButtons() {
    const { desk } = this;
    const { rules, seat } = desk.view;
    const laying = this.#sight?.asks?.kind === "discard";
    const enough = desk.picked.length === rules.discards;
    const asked = this.#sight?.asks && !this.#sight.lit.length;
    refresh(byId("buttons"), [laying, enough, asked], () => [
      asked &&
        make(
          "button.button",
          { type: "button", "data-action": "tell", onclick: () => this.#tell() },
          say("review.tell"),
        ),
      laying &&
        make(
          "button.button.button--primary",
          {
            type: "button",
            "data-action": "choose",
            "data-primary": true,
            disabled: !enough,
            onclick: () => desk.act({ type: "Discard", seat, cards: desk.picked }),
          },
          say("review.throw"),
        ),
    ]);
  }
}

/** @param {string} card @param {{class?: string, label?: string}} more */
function drawnCard(card, more) {
  const svg = cardElement(card, { size: "fill", fourColour: likes.four, largePrint: likes.large });
  if (more.class) svg.classList.add(more.class);
  if (more.label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", more.label);
    svg.removeAttribute("aria-hidden");
  }
  return svg;
}

/**
 * What may be done at a decision: any of the cards that were a choice then.
 * @param {Decision} decision @param {Wire.View} view @returns {Wire.Choice[]}
 */
function choicesOf({ kind, options }, { seat, hand }) {
  if (kind === "discard") return options.map(({ choice }) => ({ type: "Discard", seat, cards: choice.split(" ") }));
  return hand
    .filter(([rank]) => options.some(({ choice }) => choice === rank))
    .map((card) => ({ type: "Play", seat, card }));
}
