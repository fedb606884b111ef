// The page's own dealing: its hash next to node's, the document's example, the count of a million decks.
import assert from "node:assert/strict";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";
import { chance, chiSquare, FREEDOM } from "../../src/fifteentwo/web/static/dealing/evenness.js";
import { hex, keyed, sha256, unhex } from "../../src/fifteentwo/web/static/dealing/hash.js";
import { linksDue } from "../../src/fifteentwo/web/static/dealing/promises.js";
import { checkRecord } from "../../src/fifteentwo/web/static/dealing/record.js";
import { ORDERED, streams } from "../../src/fifteentwo/web/static/dealing/streams.js";

const counting = (from) => Uint8Array.from({ length: 32 }, (_, at) => from + at);

test("the page's SHA-256 and HMAC are node's, at every length about a block's end", () => {
  for (let length = 0; length <= 200; length += 1) {
    const bytes = randomBytes(length);
    const key = randomBytes(1 + (length % 64));
    assert.equal(hex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
    assert.equal(hex(keyed(key)(bytes)), createHmac("sha256", key).update(bytes).digest("hex"));
  }
});

test("only 64 hexadecimal digits are bytes", () => {
  assert.equal(unhex("00".repeat(31)), null);
  assert.equal(unhex("0g".repeat(32)), null);
  assert.deepEqual(unhex("fF".repeat(32)), new Uint8Array(32).fill(255));
});

test("the document's example holds", () => {
  const document = readFileSync(new URL("../../docs/dealing.md", import.meta.url), "utf-8").replace(/\s+/g, " ");
  const own = streams(counting(0), [hex(counting(32))]);
  assert.ok(document.includes(`begins ${own.deck("deal-1").slice(0, 6).join(" ")},`));
  assert.ok(document.includes(`is cut at ${own.cut("cut-1", 52)}.`));
});

test("a deck has every card once, and other seeds make another", () => {
  const one = streams(counting(0), ["-"]).deck("deal-7");
  assert.deepEqual([...one].sort(), [...ORDERED].sort());
  assert.notDeepEqual(streams(counting(0), [hex(counting(1))]).deck("deal-7"), one);
  assert.notDeepEqual(streams(counting(1), ["-"]).deck("deal-7"), one);
});

test("a computer cuts and draws everywhere it may, and nowhere else", () => {
  const cuts = new Set();
  const places = new Set();
  for (let n = 0; n < 2000; n += 1) {
    const own = streams(counting(n % 200), [String(n)]);
    cuts.add(own.cut("starter-1", 40));
    places.add(own.draw(1, 0, [0, 3, 51]));
  }
  assert.deepEqual(
    [...cuts].sort((one, other) => one - other),
    Array.from({ length: 33 }, (_, at) => at + 4),
  );
  assert.equal(places.size, 49);
  assert.ok(![0, 3, 51].some((at) => places.has(at)));
});

test("χ² finds an even count even and an uneven one odd", () => {
  const even = Array.from({ length: 52 }, () => new Array(52).fill(100));
  assert.equal(chiSquare(even), 0);
  assert.ok(chance(0) < 1e-6);
  assert.ok(chance(FREEDOM) > 0.95);
  // The 97.5th of a hundred parts of χ² with 2,601 degrees of freedom, by any table: 2,744.
  assert.ok(Math.abs(chance(2744) - 0.05) < 0.002);
});

test("20,000 decks of the page's own program fall evenly", () => {
  const places = Array.from({ length: 52 }, () => new Array(52).fill(0));
  const index = Object.fromEntries(ORDERED.map((card, at) => [card, at]));
  const own = streams(counting(7), ["ab"]);
  for (let n = 0; n < 20_000; n += 1) own.deck(`deal-${n}`).forEach((card, place) => (places[index[card]][place] += 1));
  assert.ok(chance(chiSquare(places)) > 0.001, String(chiSquare(places)));
});

test("what is no record is called so", () => {
  for (const [text, wrong] of [
    ["", "not-a-record"],
    ["fifteentwo record 1\nvariant six-card\n", "cut-short"],
    ["fifteentwo record 1\nend 0\nsum 00", "damaged"],
    ["fifteentwo record 1\nvariant whist\nend 0", "not-a-record"],
    ["fifteentwo record 1\nvariant six-card\nend 0", "nothing-committed"],
    ["fifteentwo record 3\nvariant six-card\nend 0", "not-a-record"],
  ])
    assert.equal(checkRecord(text).wrong, wrong, text);
});

test("a link is due with the dealer, and with the end of each deal", () => {
  const due = (view) => linksDue({ won: null, dealer: 0, deal: 0, phase: "play", ...view });
  assert.equal(due({ dealer: -1, phase: "draw" }), 0);
  assert.equal(due({ phase: "cut" }), 1);
  assert.equal(due({ deal: 1, phase: "discard" }), 1);
  assert.equal(due({ deal: 1, phase: "cut-stock" }), 1);
  assert.equal(due({ deal: 1, phase: "claim" }), 1);
  assert.equal(due({ deal: 1, phase: "cut" }), 2);
  assert.equal(due({ deal: 1, phase: "deal" }), 2);
  assert.equal(due({ deal: 2, phase: "over", won: { type: "GameWon" } }), 3);
  assert.equal(due({ deal: 0, dealer: -1, phase: "over", won: { type: "GameWon" } }), 1);
  assert.equal(due({ deal: 300, phase: "cut" }), 255);
  assert.equal(due({ deal: 300, phase: "over", won: { type: "GameWon" } }), 256);
});
