// What the table shows after each event, until the settled view arrives. The server alone judges.

/** @param {Wire.View} view @param {number} seat */
export const sideOf = (view, seat) => seat % view.rules.sides;

/** Return the number of cards in the crib. @param {Wire.View} view */
export function cribSize(view) {
  if (!view.deal || view.dealer < 0 || !view.hand_sizes.length) return 0;
  const { rules } = view;
  let given = rules.dealt_to_crib;
  for (let seat = 0; seat < rules.seats; seat += 1) {
    const out = view.played.filter(([owner]) => owner === seat).length;
    if (rules.dealt && view.hand_sizes[seat] + out <= rules.dealt - rules.discards && dealtOut(view))
      given += rules.discards;
  }
  return dealtOut(view) ? given : 0;
}

/**
 * Whether the crib is on the reader's right. The crib lies on the dealer's right (R44), and all players face the
 * middle: so it is on the right if the reader deals or, with three or more players, the player on the right.
 * @param {Pick<Wire.View, "dealer" | "seat"> & {rules: Pick<Wire.Rules, "seats">}} view
 */
export function cribAtRight({ dealer, seat, rules: { seats } }) {
  const place = (dealer - seat + seats) % seats;
  return place === 0 || (seats > 2 && place === seats - 1);
}

/** @param {Wire.View} view */
export const dealtOut = (view) => !["draw", "draw-turn", "name-dealer", "cut", "deal"].includes(view.phase);

/** Return the number of the present deal, or of the one being prepared. @param {Wire.View} view */
export const dealNumber = (view) => view.deal + (dealtOut(view) ? 0 : 1);

/** Return the cards of the present count. @param {Wire.View} view */
export const playedNow = (view) => view.played.slice(view.count_ends.at(-1) ?? 0);

/** Return the other seats, clockwise from the reader's left. @param {Wire.View} view */
export const others = (view) =>
  Array.from({ length: view.rules.seats - 1 }, (_, i) => (view.seat + 1 + i) % view.rules.seats);

/**
 * @typedef {(next: Wire.View, view: Wire.View, event: Wire.Event) => void} Follows what one part of a deal changes in
 *   the next picture
 */

/** @type {Follows} */
function beforeTheDeal(next, view, event) {
  switch (event.type) {
    case "Picked":
      next.drawn_at.push(event.at);
      next.phase = "draw-turn";
      break;
    case "Drew":
      next.drawn[event.seat].push(event.card);
      next.drawing = next.drawing.filter((seat) => seat !== event.seat);
      next.phase = "draw";
      break;
    case "DrawTied":
      next.drawing = event.seats;
      next.drawn_at = [];
      break;
    case "PartnersMade":
      next.seat = event.seating.indexOf(view.seat);
      next.drawn = event.seating.map((from) => view.drawn[from]);
      break;
    case "DealerChosen":
      next.dealer = event.dealer;
      break;
    case "DeckCut":
      next.phase = "deal";
  }
}

/** @type {Follows} */
function theDeal(next, view, event) {
  const { rules, seat } = view;
  switch (event.type) {
    case "Dealt":
      Object.assign(next, {
        ...noCards(rules),
        hand: event.hands[seat] ?? [],
        hand_sizes: Array(rules.seats).fill(rules.dealt),
        deal: view.deal + 1,
        phase: "discard",
      });
      break;
    case "Discarded":
      next.hand_sizes[event.seat] -= rules.discards;
      if (event.seat !== seat) break;
      next.hand = view.hand.filter((card) => !event.cards.includes(card));
      next.kept = next.hand;
      next.discarded = event.cards;
      break;
    case "StockCut":
      next.phase = "starter";
      break;
    case "StarterTurned":
      next.starter = event.card;
      next.phase = "play";
      break;
    case "DealEnded":
      Object.assign(next, { ...noCards(rules), dealer: event.dealer, phase: "cut" });
  }
}

/** @param {Wire.Rules} rules @returns {Partial<Wire.View>} */
const noCards = ({ seats }) => ({
  ...{ hand: [], kept: [], discarded: [], hand_sizes: Array(seats).fill(0), starter: null },
  ...{ played: [], count_ends: [], count: 0, said_go: [] },
  ...{ open_hands: Array.from({ length: seats }, () => []), open_crib: [] },
});

/** @type {Follows} */
function thePlay(next, view, event) {
  switch (event.type) {
    case "Played":
      next.played.push([event.seat, event.card]);
      next.count = event.count;
      next.hand_sizes[event.seat] -= 1;
      next.hand = view.hand.filter((card) => card !== event.card);
      break;
    case "WentGo":
      next.said_go.push(event.seat);
      break;
    case "CountCleared":
      next.count = 0;
      next.said_go = [];
      next.count_ends.push(view.played.length);
  }
}

/** @type {Follows} */
function theScore(next, view, event) {
  switch (event.type) {
    case "Shown":
      if (event.crib) next.open_crib = event.cards;
      else next.open_hands[event.seat] = event.cards;
      next.turn = event.seat;
      break;
    case "Claimed":
      next.claim = event.points;
      break;
    case "ClaimSettled":
      next.claim = null;
      break;
    case "Pegged":
      next.rear[event.side] = view.front[event.side];
      next.front[event.side] = event.score;
      break;
    case "GameWon":
      next.won = event;
      next.phase = "over";
  }
}

/** @param {Wire.View} view @param {Wire.Event} event @returns {Wire.View} */
export function follow(view, event) {
  const next = structuredClone(view);
  for (const part of [beforeTheDeal, theDeal, thePlay, theScore]) part(next, view, event);
  return next;
}
