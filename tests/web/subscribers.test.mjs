// A subscriber is notified of every picture, whether their script came before the first one or after.
import assert from "node:assert/strict";
import test from "node:test";
import { subscribe, publishPicture } from "../../src/fifteentwo/web/static/play/subscribers.js";

test("a script that comes after a picture sees that one and every later one", () => {
  const [early, late] = [[], []];
  const [first, second] = [{ game: "first" }, { game: "second" }];
  subscribe({ picture: (state) => early.push(state) });
  assert.deepEqual(early, []);
  publishPicture(first);
  subscribe({ picture: (state) => late.push(state) });
  subscribe({});
  publishPicture(second);
  assert.deepEqual(early, [first, second]);
  assert.deepEqual(late, [first, second]);
});
