// The deck: read, ordered and drawn (R6–R9).
import assert from "node:assert/strict";
import test from "node:test";
import { PIPS, backMarkup, faceMarkup, spriteMarkup, suitMarkup } from "../../src/fifteentwo/web/static/cards/faces.js";
import { RANKS, SUITS, byRank, readCard } from "../../src/fifteentwo/web/static/cards/deck.js";

const STYLES = [{}, { largePrint: true }];
const deck = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => ({ rank, suit })));
const count = (text, part) => text.split(part).length - 1;

test("there are 52 cards, each read as it is written", () => {
  const read = deck.map(({ rank, suit }) => readCard(rank + suit));
  assert.equal(new Set(read.map((card) => card.rank + card.suit)).size, 52);
  assert.deepEqual(read, deck);
  assert.deepEqual(readCard("10H"), { rank: "T", suit: "H" });
});

test("what is no card is refused", () => {
  for (const text of ["", "5", "H", "1H", "5X", "HH", "55H", "5h", "A2S", " 5H", "5HH", "TTH"])
    assert.throws(() => readCard(text), RangeError, text);
});

test("R8 ranks go from ace to king, whatever the suit", () => {
  const shuffled = ["KH", "AS", "TC", "2D", "JH", "9S", "QC"];
  assert.deepEqual(shuffled.sort(byRank), ["AS", "2D", "9S", "TC", "JH", "QC", "KH"]);
  assert.equal(byRank("5H", "5S"), 0);
});

test("a card from two to ten shows as many pips as its rank", () => {
  for (const [place, rank] of [..."23456789T"].entries()) {
    assert.equal(PIPS[rank].length, place + 2);
    for (const suit of SUITS) assert.equal(count(faceMarkup(rank, suit, {}), 'width="42"'), place + 2, rank + suit);
  }
});

test("pips lie on the card, none on another, and those below the middle stand on their heads", () => {
  for (const [rank, pips] of Object.entries(PIPS)) {
    for (const [x, y] of pips) assert.ok(x > 21 && x < 229 && y > 21 && y < 329, rank);
    for (const [i, [x, y]] of pips.entries())
      for (const [x2, y2] of pips.slice(i + 1)) assert.ok(Math.hypot(x - x2, y - y2) > 30, rank);
    const turned = pips.filter(([, y]) => y > 175).length;
    assert.equal(count(faceMarkup(rank, "H", {}), 'transform="rotate(180'), turned + 1, rank);
  }
});

test("every shape that a card uses is in the sprite, once", () => {
  const sprite = spriteMarkup();
  const there = [...sprite.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
  assert.equal(new Set(there).size, there.length);
  const faces = STYLES.flatMap((style) => deck.map(({ rank, suit }) => faceMarkup(rank, suit, style)));
  const used = [...faces, backMarkup(), ...[...SUITS].map(suitMarkup), sprite].flatMap((text) =>
    [...text.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]),
  );
  assert.deepEqual(
    [...new Set(used)].filter((id) => !there.includes(id)),
    [],
  );
});

test("no two cards look alike, in any style", () => {
  const faces = STYLES.flatMap((style) => deck.map(({ rank, suit }) => faceMarkup(rank, suit, style)));
  assert.equal(new Set([...faces, backMarkup()]).size, 2 * 52 + 1);
});
