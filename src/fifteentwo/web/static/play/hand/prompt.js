// What the table waits for, in one line, and the buttons next to it.

import { byId, make, refresh } from "../../elements.js";
import { cardName, listed, text } from "../../text.js";
import { challengeButtons, claimButton, claimed } from "../claims/claim.js";
import { coachButtons, coachWaits } from "../help/coach.js";
import { andCutButton, cutButton } from "../stage/opening.js";
import { nextButton } from "../stage/over.js";
import { claimStrip, mayClaimWith, mayFollow, playCard } from "../claims/card-and-claim.js";
import { gathers, sealWaits } from "../dealing/seal.js";
import { likes } from "../../settings/settings.js";
import { may, opened, stageOf, whose } from "../state.js";
import { mayTakeBack } from "./take-back.js";

/**
 * One line says whose move it is; next to it the one button that matters.
 * @param {Table.State} state @param {Table.Actions} actions
 */
export function renderPrompt(state, actions) {
  const words = promptOf(state);
  const place = byId("prompt");
  if (place.textContent !== words) place.textContent = words;
  const { view } = state;
  const strip = claimStrip(state, actions);
  // Undo stands next to the buttons: where it comes or goes, both are drawn again.
  const key = [
    state.goOn !== null,
    state.asks !== null,
    state.closed,
    coachWaits(state),
    state.away?.offers,
    hostWaits(state),
    ["Discard", "Accept", "Claim", "Cut"].map((type) => may(state, /** @type {Wire.Choice["type"]} */ (type))),
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
 * @param {Table.State} state @param {Table.Actions} actions
 * @param {Element | null} strip what may be claimed with the next card
 */
function buttons(state, actions, strip) {
  const { view, away } = state;
  if (state.asks) return state.asks.buttons();
  if (state.goOn) return goOnButtons(state);
  if (state.closed) return [primary("home", text("over.home"), { href: "/" })];
  if (coachWaits(state)) return coachButtons(state, actions);
  const offers = (away?.offers ?? []).map((offer) => offerButton(actions, offer));
  if (away?.offers.some((offer) => offer.primary)) return offers;
  if (may(state, "Discard")) return discardButtons(state, actions);
  if (may(state, "Accept")) return [strip, ...challengeButtons(state, actions)];
  if (may(state, "Claim")) return [claimButton(state, actions)];
  if (may(state, "Cut")) return [cutButton(state, actions)];
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
 * @param {string} action @param {string} words
 * @param {{href: string} | {onclick: () => void, disabled?: boolean}} does
 */
const primary = (action, words, does) =>
  "href" in does
    ? make("a.button.button--primary", { "data-action": action, "data-primary": true, ...does }, words)
    : make(
        "button.button.button--primary",
        { type: "button", "data-action": action, "data-primary": true, ...does },
        words,
      );

/** @param {Table.State} state */
function goOnButtons(state) {
  const goOn = () => state.goOn?.();
  return [
    cutsAfter(state, 2) &&
      state.view.rules.cut_before_deal &&
      andCutButton(state, "continue-cut", "show.continue_cut", false, goOn),
    primary("continue", text("show.continue"), { onclick: goOn }),
  ];
}

/** @param {Table.State} state @param {Table.Actions} actions */
function discardButtons(state, actions) {
  const { view, picked } = state;
  const { discards, counting, starter } = view.rules;
  const disabled = picked.length !== discards;
  const discard = () => actions.act({ type: "Discard", seat: view.seat, cards: state.picked });
  const number = discards === 1 ? "one" : "two";
  return [
    counting === "claimed" &&
      starter === "cut" &&
      cutsAfter(state, 1) &&
      andCutButton(state, "discard-cut", "discard.and_cut", disabled, discard),
    primary("discard", whose(state, view.dealer, `discard.${number}_own`, `discard.${number}_other`), {
      disabled,
      onclick: discard,
    }),
  ];
}

/** @param {Table.Actions} actions @param {Table.Offer} offer */
const offerButton = (actions, { id, action, words, primary, message, counts, open }) =>
  make(
    `button.button${primary ? ".button--primary" : ""}`,
    {
      type: "button",
      id,
      "data-action": action,
      "data-primary": primary,
      disabled: !open,
      onclick: () => actions.send(message),
    },
    words,
    counts !== null && make("span.claim-left", { "aria-hidden": "true" }),
  );

/**
 * Whether the reader made this table, and pages have still to commit before its first card.
 * @param {Table.State} state
 */
const hostWaits = (state) =>
  !state.closed && state.people?.player_numbers[state.view.seat] === 0 && state.match?.game === 1 && gathers(state);

/** Whether the reader cuts so many seats after the dealer. @param {Table.State} state @param {number} seats */
const cutsAfter = ({ view: { dealer, seat, rules } }, seats) => (dealer + seats) % rules.seats === seat;

/** The card that is to be played: raised, or without another choice. @param {Table.State} state */
function onlyCard(state) {
  if (!may(state, "Play")) return null;
  if (likes.confirm && state.picked.length) return state.picked[0];
  const cards = state.choices.flatMap((choice) => (choice.type === "Play" ? [choice.card] : []));
  return cards.length === 1 ? cards[0] : null;
}

/** What the table waits for, in the reader's words. @param {Table.State} state */
function promptOf(state) {
  const { view, names } = state;
  if (state.asks) return state.asks.words;
  if (state.goOn) return text("show.read");
  if (coachWaits(state)) return text("coach.prompt");
  if (state.closed) return text("table.closed");
  if (view.phase === "over") return stageOf(state) === "over" ? text("over.prompt") : "";
  if (!state.settled || state.sent) return state.counting ? text("show.skip") : "";
  if (state.away?.prompt) return state.away.prompt;
  const waits = sealWaits(state);
  if (waits) return waits;
  const { rules } = view;
  if (may(state, "Draw")) return text("draw.prompt");
  if (view.phase === "name-dealer") return text("name_dealer.ask");
  if (may(state, "Cut")) return text(view.phase === "cut" ? "cut.prompt" : "cut.prompt_starter");
  if (may(state, "Discard")) {
    const number = rules.discards === 1 ? "one" : "two";
    return whose(state, view.dealer, `discard.prompt_${number}_own`, `discard.prompt_${number}_other`);
  }
  if (may(state, "Play")) return text(mayClaimWith(state) ? "play.prompt_claimed" : "play.prompt");
  if (may(state, "Claim")) {
    const show = opened(state);
    return text(!show ? "claim.prompt_card" : show.crib ? "claim.prompt_crib" : "claim.prompt_hand");
  }
  if (may(state, "Accept"))
    return text(mayFollow(state) ? "claim.challenge_card" : "claim.challenge", {
      name: names[view.turn],
      n: view.claim ?? 0,
    });
  const others = view.to_act.filter((seat) => seat !== view.seat).map((seat) => names[seat]);
  return others.length ? text("table.waiting", { names: listed(others) }) : "";
}
