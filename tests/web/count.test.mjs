// The hand checker's own count is the server's, to the last word: FIFTEENTWO_HANDS holds questions and answers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { counted } from "../../src/fifteentwo/web/static/check/count.js";
import { nothingInPlay } from "../../src/fifteentwo/web/static/check/nothing.js";
import { useWords } from "../../src/fifteentwo/web/static/text.js";

/**
 * @type {{words: Record<string, Record<string, string>>, hands: {lang: string, asked: string, answer: object | null}[],
 *   plays: {lang: string, played: string[], why: string[]}[]}}
 */
const { words, hands, plays } = JSON.parse(readFileSync(process.env.FIFTEENTWO_HANDS ?? "", "utf-8"));

test("every hand, crib and part is counted as the server counts it, and what is no hand is none here", () => {
  assert.ok(hands.length > 1000);
  for (const { lang, asked, answer } of hands) {
    useWords(words[lang]);
    assert.deepEqual(counted(new URLSearchParams(asked)), answer, `${lang} ${asked}`);
  }
});

test("cards that peg nothing have the same reasons here, and hands of nothing are among the others", () => {
  assert.ok(plays.length > 500);
  for (const { lang, played, why } of plays) {
    useWords(words[lang]);
    assert.deepEqual(nothingInPlay(played), why, `${lang} ${played}`);
  }
  for (const one of ["pair", "run"])
    assert.ok(plays.some(({ why }) => why.some((line) => line.includes(`is not a ${one}`))));
  assert.ok(hands.some(({ answer }) => answer?.nothing?.length > 1));
});
