// What a person waits at Normal, added up from the pauses themselves over whole games that the rules have played.
// test_node.py writes the games to the file that it names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { follow } from "../../src/fifteentwo/web/static/play/events/follow.js";
import { beat, countBeats, pegsShown, setSpeed, stride } from "../../src/fifteentwo/web/static/settings/pace.js";

const file = process.env.FIFTEENTWO_SKILLED;
const games = file ? JSON.parse(readFileSync(file, "utf-8")) : [];
const skip = file ? false : "no games to time: run by pytest";

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/**
 * All that an event makes a table wait that counts by itself, in milliseconds at Normal.
 * @param {Wire.View} view before it @param {Wire.Event} event @param {Wire.Event} [next] the one after it
 */
function lasting(view, event, next) {
  const { before, after } = beat(event.type, "seat" in event && event.seat === view.seat);
  let ms = before + after;
  const scores =
    event.type === "Pegged" && pegsShown(event)
      ? event.scores.length
      : event.type === "Shown" && !pegsShown(next)
        ? 0
        : null;
  if (scores !== null) {
    const { each, whole } = countBeats(scores, view.deal);
    ms += each * scores + whole;
  }
  if (event.type !== "Pegged") return ms;
  const holes = event.score - view.front[event.side];
  return ms + stride(holes) * holes;
}

/** Seconds by deal: all of it, and its hands shown. @param {{before: Wire.View, events: Wire.Event[]}[]} moves */
function waited(moves) {
  const deals = [];
  for (const { before, events } of moves) {
    let view = before;
    for (const [index, event] of events.entries()) {
      // The cut of the deck belongs to the deal that it opens, the draw for the first deal to none.
      const deal = view.deal + (event.type === "Dealt" || event.type === "DeckCut");
      deals[deal] ??= { deal, all: 0, hands: [] };
      const seconds = lasting(view, event, events[index + 1]) / 1000;
      deals[deal].all += seconds;
      if (event.type === "Shown") deals[deal].hands.push(seconds);
      else if (deals[deal].hands.length && event.type !== "GameWon")
        deals[deal].hands[deals[deal].hands.length - 1] += seconds;
      view = follow(view, event);
    }
  }
  return deals.filter(Boolean);
}

test("a deal at Normal keeps no one waiting for more than 12 seconds, a game for no more than 120", { skip }, () => {
  setSpeed("normal");
  const all = games.map(waited);
  for (const deals of all) {
    for (const { deal, all: seconds } of deals) assert.ok(seconds <= 12, `deal ${deal}: ${seconds} s`);
    assert.ok(sum(deals.map((one) => one.all)) <= 120);
  }
  assert.ok(all.flat().length > 8 * all.length, "these are whole games");
  if (process.env.FIFTEENTWO_CLOCK) {
    const deals = all.flat().map((one) => one.all);
    console.log(`deal: mean ${(sum(deals) / deals.length).toFixed(1)} s, longest ${Math.max(...deals).toFixed(1)} s`);
    const long = all.map((one) => sum(one.map(({ all: seconds }) => seconds)));
    console.log(`game: mean ${(sum(long) / long.length).toFixed(1)} s, longest ${Math.max(...long).toFixed(1)} s`);
  }
});

test("a hand of the show takes a second and a half from the third deal on, and never three", { skip }, () => {
  for (const { deal, hands } of games.flatMap(waited)) {
    for (const seconds of hands) {
      assert.ok(seconds <= (deal < 3 ? 2 : 1.5), `deal ${deal}: ${seconds} s`);
      assert.ok(seconds >= 0.4, "long enough to be seen");
    }
  }
});

test("many scores take no longer than a few, and a long walk no longer than a short one", () => {
  for (const deal of [1, 3, 9]) {
    const whole = [1, 4, 12]
      .map((scores) => countBeats(scores, deal))
      .map(({ each, whole: rest }, index) => each * [1, 4, 12][index] + rest);
    assert.ok(Math.max(...whole) <= (deal < 3 ? 1250 : 900));
    assert.ok(countBeats(4, 1).each > countBeats(4, 3).each || deal !== 1);
  }
  assert.ok([1, 2, 12, 29].every((holes) => stride(holes) * holes <= 301));
});
