// What the eye sees after each event is what the server then says: whole games that the rules have played.
// The games are written by test_node.py, which says where.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import {
  cribAtRight,
  cribSize,
  dealtOut,
  follow,
  playedNow,
  others,
  sideOf,
} from "../../src/fifteentwo/web/static/play/events/follow.js";

const file = process.env.FIFTEENTWO_GAMES;
const games = file ? JSON.parse(readFileSync(file, "utf-8")) : [];
const skip = file ? false : "no games to follow: run by pytest";
/** What waits for the settled view: whose move it is, and who sat where. */
const LATER = ["phase", "to_act", "turn", "seating"];

test("R44: the crib lies at the right of a dealer who faces the middle, wherever the reader sits", () => {
  const right = { 2: [true, false], 3: [true, false, true], 4: [true, false, false, true] };
  for (const [seats, expected] of Object.entries(right)) {
    for (let seat = 0; seat < expected.length; seat += 1) {
      const places = expected.map((_, place) => (seat + place) % expected.length);
      const lies = places.map((dealer) => cribAtRight({ dealer, seat, rules: { seats: expected.length } }));
      assert.deepEqual(lies, expected, `${seats} seats, seen from ${seat}`);
    }
  }
});

test("every event is followed to what the server says, from every seat", { skip }, () => {
  const kinds = new Set();
  for (const { before, events, after } of games) {
    const kept = JSON.stringify(before);
    const seen = events.reduce(follow, before);
    for (const field of Object.keys(after)) {
      if (!LATER.includes(field))
        assert.deepEqual(seen[field], after[field], `${field} after ${JSON.stringify(events)}`);
    }
    assert.equal(JSON.stringify(before), kept, "a view is not changed but followed by another");
    for (const { type } of events) kinds.add(type);
  }
  const all = [
    "Picked",
    "Drew",
    "DrawTied",
    "PartnersMade",
    "DealerChosen",
    "DeckCut",
    "Dealt",
    "Discarded",
    "StockCut",
    "StarterTurned",
    "Played",
    "WentGo",
    "CountCleared",
    "Shown",
    "Claimed",
    "MugginsCalled",
    "Accepted",
    "ClaimSettled",
    "Pegged",
    "DealEnded",
    "GameWon",
  ];
  assert.deepEqual([...kinds].sort(), all.sort());
});

test("R40 R41 the crib has four cards once all have discarded, and never more", { skip }, () => {
  let full = 0;
  for (const { after } of games) {
    const size = cribSize(after);
    assert.ok(size >= 0 && size <= 4);
    if (!dealtOut(after)) assert.equal(size, 0);
    const waits = after.phase === "discard" ? after.to_act.length : 0;
    if (dealtOut(after) && after.phase !== "over")
      assert.equal(size, 4 - waits * after.rules.discards, JSON.stringify(after));
    full += size === 4;
  }
  assert.ok(full > 100);
});

test("the cards of the present count make the count", { skip }, () => {
  const value = (card) => ("A23456789".includes(card[0]) ? "A23456789".indexOf(card[0]) + 1 : 10);
  for (const { after } of games) {
    if (["play", "claim", "challenge"].includes(after.phase) && !after.open_hands.some((hand) => hand.length)) {
      assert.equal(
        playedNow(after).reduce((sum, [, card]) => sum + value(card), 0),
        after.count,
      );
    }
  }
});

test("others sit round the table from the reader's left, partners opposite", () => {
  const at = (seat, seats, sides) => ({ seat, rules: { seats, sides } });
  assert.deepEqual(others(at(0, 2, 2)), [1]);
  assert.deepEqual(others(at(2, 4, 2)), [3, 0, 1]);
  assert.equal(sideOf(at(0, 4, 2), 2), 0);
  assert.equal(sideOf(at(0, 4, 4), 2), 2);
});
