// Scores in words for the page, as in the server's log (i18n/scores.py).
import assert from "node:assert/strict";
import test from "node:test";
import { aloud, useWords } from "../../src/fifteentwo/web/static/text.js";
import { scoreName, scoreText } from "../../src/fifteentwo/web/static/scores.js";

const ENGLISH = {
  "score.with-cards": "{name}: {cards}, for {points}",
  "score.without-cards.muggins": "muggins for {points}",
  "score.fifteen": "Fifteen",
  "name.fifteen": "fifteen",
  "name.run-of": "run of {length}",
  "number.3": "three",
  "card.name": "{rank} of {suit}",
  "card.rank.5": "five",
  "card.rank.6": "six",
  "card.rank.J": "jack",
  "card.rank.4": "four",
  "card.suit.S": "spades",
  "card.suit.C": "clubs",
  "list.comma": ", ",
  "list.and": " and ",
  "list.last": " and ",
};
const JAPANESE = {
  ...ENGLISH,
  "score.with-cards": "{name}：{cards}で{points}点",
  "score.fifteen": "フィフティーン",
  "name.fifteen": "フィフティーン",
  "name.run-of": "{length}枚のラン",
  "number.3": "3",
  "card.name": "{suit}の{rank}",
  "card.rank.5": "5",
  "card.rank.J": "ジャック",
  "card.suit.S": "スペード",
  "card.suit.C": "クラブ",
  "list.comma": "、",
  "list.and": "と",
  "list.last": "、",
};
const fifteen = { name: "fifteen", cards: ["5S", "JC"], points: 2 };

test("a score names its cards", () => {
  useWords(ENGLISH);
  assert.equal(scoreText(fifteen), "fifteen: five of spades and jack of clubs, for 2");
  useWords(JAPANESE);
  assert.equal(scoreText(fifteen), "フィフティーン：スペードの5とクラブのジャックで2点");
});

test("cards by their signs are heard in words", () => {
  useWords(ENGLISH, "en");
  assert.equal(aloud("Aiko plays 5♠: 15."), "Aiko plays five of spades: 15.");
  assert.equal(
    aloud("Run of three: 4♠ 5♣ 6♠, for 3."),
    "Run of three: four of spades, five of clubs and six of spades, for 3.",
  );
  assert.equal(aloud("You discard 5♠ J♣ now."), "You discard five of spades and jack of clubs now.");
  useWords(JAPANESE, "ja");
  assert.equal(aloud("フィフティーン：♠5と♣Jで2点。"), "フィフティーン：スペードの5とクラブのジャックで2点。");
  assert.equal(aloud("15対10、♠5を出して15。"), "15対10、スペードの5を出して15。");
});

test("a run is called by its length, however it is counted aloud", () => {
  useWords(ENGLISH);
  const run = { name: "run", cards: ["4S", "5C", "6S"], points: 3 };
  assert.equal(scoreName(run), "run of three");
  assert.equal(scoreText(run), "run of three: four of spades, five of clubs and six of spades, for 3");
});

test("what no card makes has none", () => {
  useWords(ENGLISH);
  assert.equal(scoreText({ name: "muggins", cards: [], points: 4 }), "muggins for 4");
});
