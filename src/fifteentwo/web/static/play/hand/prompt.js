// The prompt and its buttons.

import { byId, make, refresh } from "../../elements.js";
import { cardName, cardSigns, listed, text } from "../../text.js";
import { challengeButtons, claimButton, claimed } from "../claims/claim.js";
import { coachButtons, isCoachWaiting } from "../help/coach.js";
import { andCutButton, cutAfter, cutButton } from "../stage/opening.js";
import { nextButton } from "../stage/over.js";
import { claimStrip, canClaimWithCard, canAcceptByPlaying, playCard } from "../claims/card-and-claim.js";
import { gathers, waitsForSeeds } from "../dealing/seal.js";
import { likes } from "../../settings/settings.js";
import { canDo, opened, stageOf } from "../state.js";
import { delayedWords } from "./delayed.js";
import { mayTakeBack } from "./take-back.js";

/** Draw the prompt and the buttons of the present action. @param {Table.State} state @param {Table.Actions} actions */
export function renderPrompt(state, actions) {
  const words = promptOf(state);
  const place = byId("prompt");
  if (place.textContent !== words) place.textContent = words;
  const { view } = state;
  const strip = claimStrip(state, actions);
  // Undo is next to the buttons: if it appears or disappears, redraw both.
  const key = [
    state.resume !== null,
    state.question !== null,
    state.closed,
    isCoachWaiting(state),
    state.away?.offers,
    hostWaits(state),
    ["Discard", "Accept", "Claim", "Cut"].map((type) => canDo(state, /** @type {Wire.Choice["type"]} */ (type))),
    [state.picked.length, view.dealer, view.phase, state.settled],
    onlyCard(state),
    strip?.textContent,
    claimed(state),
    state.tally.chosen.length,
    state.names,
    state.undo,
    mayTakeBack(state),
  ];
  refresh(byId("buttons"), key, () => buttons(state, actions, strip));
}

/**
 * @param {Table.State} state @param {Table.Actions} actions @param {Element | null} strip the claims for the next card
 */
function buttons(state, actions, strip) {
  const { view, away } = state;
  if (state.question) return state.question.buttons();
  if (state.resume) return resumeButtons(state);
  if (state.closed)
    return [state.evening ? nextButton(state, actions) : primary("home", text("over.home"), { href: "/" })];
  if (isCoachWaiting(state)) return coachButtons(state, actions);
  const offers = (away?.offers ?? []).map((offer) => offerButton(actions, offer));
  if (away?.offers.some((offer) => offer.primary)) return offers;
  if (canDo(state, "Discard")) return discardButtons(state, actions);
  if (canDo(state, "Accept")) return [strip, ...challengeButtons(state, actions)];
  if (canDo(state, "Claim")) return [claimButton(state, actions)];
  if (canDo(state, "Cut")) return [cutButton(state, actions)];
  const only = onlyCard(state);
  if (only)
    return [
      strip,
      primary("play", text("play.this", { card: cardName(only) }), { onclick: () => playCard(state, actions, only) }),
    ];
  if (state.settled && view.phase === "over") return [nextButton(state, actions)];
  return [
    strip,
    ...offers,
    hostWaits(state) &&
      make("a.button", { href: `/game/${state.game}/waiting`, "data-action": "seats" }, text("table.seats")),
  ];
}

/**
 * @param {string} action @param {string} words @param {{href: string} | {onclick: () => void, disabled?: boolean, "data-cuts"?: boolean}} does
 */
const primary = (action, words, does) =>
  "href" in does
    ? make("a.button.button--primary", { "data-action": action, "data-primary": true, ...does }, words)
    : make("button.button.button--primary", { "data-action": action, "data-primary": true, ...does }, words);

/** @param {Table.State} state */
function resumeButtons(state) {
  const resume = () => state.resume?.();
  // The reader who cuts for the next deal does both with one press.
  return cutsAfter(state, 2) && state.view.rules.cut_before_deal
    ? [primary("continue", text("show.continue_cut"), { "data-cuts": true, onclick: () => cutAfter(state, resume) })]
    : [primary("continue", text("show.continue"), { onclick: resume })];
}

/** @param {Table.State} state @param {Table.Actions} actions */
function discardButtons(state, actions) {
  const { view, picked } = state;
  const { discards, counting, starter } = view.rules;
  const disabled = picked.length !== discards;
  const discard = () => actions.act({ type: "Discard", seat: view.seat, cards: state.picked });
  const number = discards === 1 ? "one" : "two";
  return [
    counting === "claimed" && starter === "cut" && cutsAfter(state, 1) && andCutButton(state, disabled, discard),
    primary("discard", whoseCrib(state, `discard.${number}`), {
      disabled,
      onclick: discard,
    }),
  ];
}

/** The sentence addresses the player who discards, also in pass-and-play. @param {Table.State} state @param {string} key */
const whoseCrib = ({ view: { dealer, seat }, names }, key) =>
  dealer === seat ? text(`${key}_own`) : text(`${key}_other`, { name: names[dealer] });

/** @param {Table.Actions} actions @param {Table.Offer} offer */
const offerButton = (actions, { id, action, words, primary, message, counts, open }) =>
  make(
    `button.button${primary ? ".button--primary" : ""}`,
    {
      id,
      "data-action": action,
      "data-primary": primary,
      disabled: !open,
      onclick: () => actions.send(message),
    },
    words,
    counts !== null && make("span.claim-left", { "aria-hidden": "true" }),
  );

/** Whether the reader created this table and other pages must still commit. @param {Table.State} state */
const hostWaits = (state) =>
  !state.closed &&
  !state.evening &&
  state.people?.player_numbers[state.view.seat] === 0 &&
  state.match?.game === 1 &&
  gathers(state);

/** Whether the reader's seat is this many seats after the dealer. @param {Table.State} state @param {number} seats */
const cutsAfter = ({ view: { dealer, seat, rules } }, seats) => (dealer + seats) % rules.seats === seat;

/** Return the card that Enter plays: the raised one, or the only playable one. @param {Table.State} state */
function onlyCard(state) {
  if (!canDo(state, "Play")) return null;
  if (likes.confirm && state.picked.length) return state.picked[0];
  const cards = state.choices.flatMap((choice) => (choice.type === "Play" ? [choice.card] : []));
  return cards.length === 1 ? cards[0] : null;
}

/** Say what was drawn if it was a tie. @param {Wire.View} view */
function drawPrompt({ drawn, seat }) {
  const last = drawn[seat].length - 1;
  const tied = drawn.flatMap((cards) => cards.slice(last, last + 1)).filter(([rank]) => rank === drawn[seat][last][0]);
  return last < 0 ? text("draw.prompt") : text("draw.again", { cards: listed(tied.map((card) => cardSigns([card]))) });
}

/** Return what the table waits for. @param {Table.State} state */
function promptOf(state) {
  const { view, names } = state;
  if (state.question) return state.question.words;
  if (state.delayed) return delayedWords(state);
  if (state.resume) return text("show.read");
  if (isCoachWaiting(state)) return state.verdict?.verdict.mark ? text("coach.prompt") : "";
  if (state.closed) return text("table.closed");
  if (view.phase === "over") return stageOf(state) === "over" ? text("over.prompt") : "";
  const skip = matchMedia("(pointer: coarse)").matches ? "show.skip.tap" : "show.skip";
  if (!state.settled || state.sent) return state.counting ? text(skip) : "";
  if (state.away?.prompt) return state.away.prompt;
  const waits = waitsForSeeds(state);
  if (waits) return waits;
  const { rules } = view;
  if (canDo(state, "Draw")) return drawPrompt(view);
  if (view.phase === "name-dealer") return text("name_dealer.ask");
  if (canDo(state, "Cut")) return text(view.phase === "cut" ? "cut.prompt" : "cut.prompt_starter");
  if (canDo(state, "Discard")) {
    const number = rules.discards === 1 ? "one" : "two";
    return whoseCrib(state, `discard.prompt_${number}`);
  }
  if (canDo(state, "Play")) return text(canClaimWithCard(state) ? "play.prompt_claimed" : "play.prompt");
  if (canDo(state, "Claim")) {
    const show = opened(state);
    return text(!show ? "claim.prompt_card" : show.crib ? "claim.prompt_crib" : "claim.prompt_hand");
  }
  if (canDo(state, "Accept"))
    return text(canAcceptByPlaying(state) ? "claim.challenge_card" : "claim.challenge", {
      name: names[view.turn],
      n: view.claim ?? 0,
    });
  const others = view.to_act.filter((seat) => seat !== view.seat).map((seat) => names[seat]);
  return others.length ? text("table.waiting", { names: listed(others) }) : "";
}
