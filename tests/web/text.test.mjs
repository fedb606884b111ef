// Sentences with their values, in either language.
import assert from "node:assert/strict";
import test from "node:test";
import { cardName, lang, listed, text, useWords } from "../../src/fifteentwo/web/static/text.js";

const ENGLISH = {
  points: "{n} points",
  "points.one": "{n} point",
  happened: "{name}: {what}, {name}",
  "card.name": "{rank} of {suit}",
  "card.rank.5": "five",
  "card.suit.H": "hearts",
  "list.comma": ", ",
  "list.and": " and ",
  "list.last": " and ",
};

test("a sentence has its values, wherever and however often they stand", () => {
  useWords(ENGLISH);
  assert.equal(lang, "en");
  assert.equal(text("happened", { name: "Aki", what: "15" }), "Aki: 15, Aki");
  assert.equal(text("points", { n: 0 }), "0 points");
  assert.equal(cardName("5H"), "five of hearts");
});

test("one is said in the singular", () => {
  useWords(ENGLISH);
  assert.deepEqual(
    [1, 2].map((n) => text("points", { n })),
    ["1 point", "2 points"],
  );
  assert.equal(text("happened", { n: 1, name: "a", what: "b" }), "a: b, a");
});

test("what is missing can be seen, and what a person typed is never taken for a value", () => {
  useWords(ENGLISH);
  assert.equal(text("no.such.key"), "no.such.key");
  assert.equal(text("happened", { what: "15" }), "{name}: 15, {name}");
  assert.equal(text("happened", { name: "{what} $& $1", what: "15" }), "{what} $& $1: 15, {what} $& $1");
});

test("names are listed as each language lists them", () => {
  useWords(ENGLISH);
  assert.deepEqual([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(listed), ["", "a", "a and b", "a, b and c"]);
  useWords({ "list.comma": "、", "list.and": "と", "list.last": "、" });
  assert.deepEqual([["a"], ["a", "b"], ["a", "b", "c"]].map(listed), ["a", "aとb", "a、b、c"]);
});
