// Who else looks on at a table sees its picture, whether their script came before the first one or after.
import assert from "node:assert/strict";
import test from "node:test";
import { lookOn, seePicture } from "../../src/fifteentwo/web/static/play/onlookers.js";

test("a script that comes after a picture sees that one and every later one", () => {
  const [early, late] = [[], []];
  const [first, second] = [{ game: "first" }, { game: "second" }];
  lookOn({ picture: (desk) => early.push(desk) });
  assert.deepEqual(early, []);
  seePicture(first);
  lookOn({ picture: (desk) => late.push(desk) });
  lookOn({});
  seePicture(second);
  assert.deepEqual(early, [first, second]);
  assert.deepEqual(late, [first, second]);
});
