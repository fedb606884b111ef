// A deal entered from a real table: who plays next, what a go changes, and what is handed in (R50–R66).
import assert from "node:assert/strict";
import test from "node:test";
import {
  asks,
  back,
  begin,
  cards,
  count,
  enter,
  go,
  mayGo,
  next,
  written,
} from "../../src/fifteentwo/web/static/by-hand/deal.js";

const entered = (deal, ...words) =>
  words.reduce((so_far, word) => (word === "go" ? go(so_far) : enter(so_far, word)), deal);

test("R50 pone leads, and the cards go by turns", () => {
  const deal = entered(begin(0), "5H", "KS", "4D");
  assert.deepEqual(deal.play, [
    { card: "KS", who: 1 },
    { card: "4D", who: 0 },
  ]);
  assert.equal(next(deal), 1);
});

test("R55 a go has the same player play again, and can be taken back", () => {
  const deal = entered(begin(0), "5H", "KS", "KD", "9C");
  assert.equal(count(deal).total, 29);
  assert.equal(next(deal), 0);
  assert.equal(next(go(deal)), 1);
  assert.equal(next(go(go(deal))), 0);
  assert.equal(next(back(go(deal))), 0);
  assert.deepEqual(entered(deal, "go", "2C").play.at(-1), { card: "2C", who: 1 });
});

test("R64 a card past 31 leads a new count from the other side", () => {
  const deal = entered(begin(0), "5H", "KS", "KD", "9C", "8D");
  assert.deepEqual(deal.play.at(-1), { card: "8D", who: 0 });
  assert.equal(count(deal).total, 8);
});

test("R59 after 31 the count is nothing", () => {
  const deal = entered(begin(0), "5H", "KS", "KD", "AC", "JD");
  assert.equal(count(deal).total, 31);
  assert.equal(count(entered(deal, "2C")).total, 2);
});

test("a player without cards is passed over, and no one can say go for them", () => {
  let deal = entered(begin(0), "5H", "AS", "go", "AD", "go", "AC", "go", "AH");
  assert.equal(deal.play.filter((one) => one.who === 1).length, 4);
  assert.equal(next(deal), 0);
  assert.equal(mayGo(deal), false);
  deal = entered(deal, "go", "2S", "2H", "2D", "2C");
  assert.equal(asks(deal), "crib");
});

test("a card that is out is not entered twice, and a whole deal takes none", () => {
  const words = ["5H", "KS", "KD", "QS", "AD", "2S", "2D", "3S", "3D", "9H", "9D", "8H", "8D"];
  const deal = entered(begin(0), ...words);
  assert.equal(asks(deal), "whole");
  assert.equal(new Set(cards(deal)).size, 13);
  assert.deepEqual(entered(deal, "7H"), deal);
  assert.deepEqual(entered(begin(0), "5H", "5H").play, []);
});

test("taking back goes through everything to the start", () => {
  let deal = entered(begin(1), "5H", "KS", "KD", "QS", "AD", "2S", "2D", "3S", "3D", "9H");
  for (let left = 10; left > 0; left -= 1) deal = back(deal);
  assert.deepEqual(deal, begin(1));
  assert.deepEqual(back(deal), begin(1));
});

test("what is handed in has the second player's suits in small letters, the starter's alone", () => {
  const deal = entered(begin(0), "5H", "KS", "KD", "QS", "AD", "2S", "2D", "3S", "3D", "9H", "9D", "8H", "8D");
  const lines = written(["Aiko", "Ken"], [deal]).split("\n");
  assert.equal(lines[0], "Player A: Aiko (UPPER CASE)");
  assert.equal(lines[3], "Deal 1: 5H Ks KD Qs AD 2s 2D 3s 3D 9h 9d 8H 8D");
});
