// How fast things happen at the table.
import assert from "node:assert/strict";
import test from "node:test";
import {
  SPEEDS,
  skipNextPause,
  beat,
  besides,
  busy,
  endScene,
  newScene,
  pause,
  rest,
  setSpeed,
  time,
} from "../../src/fifteentwo/web/static/settings/pace.js";

test("each speed is slower than the one before, and nothing takes time at the first", () => {
  const times = SPEEDS.map((speed) => {
    setSpeed(speed);
    return time(100);
  });
  assert.deepEqual(
    [...times].sort((a, b) => a - b),
    times,
  );
  assert.equal(new Set(times).size, 4);
  assert.equal(times[0], 0);
  setSpeed("normal");
  assert.equal(time(100), 100);
  setSpeed("no such speed");
  assert.equal(time(100), 100);
});

test("one tap ends every pause of the scene, and the next scene has its time again", async () => {
  setSpeed("slow");
  const long = [pause(60_000), pause(60_000), pause(60_000)];
  assert.ok(busy());
  endScene();
  await Promise.all(long);
  assert.ok(!busy());
  assert.equal(time(100), 0);
  await pause(60_000);
  newScene();
  assert.ok(time(100) > 100);
});

test("a pause takes its time and leaves nothing behind", async () => {
  setSpeed("normal");
  const began = performance.now();
  await pause(30);
  assert.ok(performance.now() - began >= 28);
  assert.ok(!busy());
});

test("another speed counts at once, also for what is already waited for", async () => {
  setSpeed("slow");
  const began = performance.now();
  const long = pause(60_000);
  setSpeed("instant");
  await long;
  assert.ok(performance.now() - began < 1000);
  setSpeed("fast");
  const short = pause(100);
  setSpeed("slow");
  await short;
  assert.ok(performance.now() - began >= 180);
  setSpeed("normal");
});

test("each step is one speed faster or slower, and ends at the ends", () => {
  assert.deepEqual(
    SPEEDS.map((speed) => besides(speed, 1)),
    ["instant", "instant", "fast", "normal"],
  );
  assert.deepEqual(
    SPEEDS.map((speed) => besides(speed, -1)),
    ["fast", "normal", "slow", "slow"],
  );
});

test("what was waited before a card was sent is not waited again for its answer", async () => {
  setSpeed("normal");
  skipNextPause();
  const began = performance.now();
  await rest(beat("Played", true).after);
  await rest(beat("Played").before);
  assert.ok(performance.now() - began < 20);
  await rest(40);
  assert.ok(performance.now() - began >= 38);
});
