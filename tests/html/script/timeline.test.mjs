import assert from "node:assert/strict";
import test from "node:test";

import { barOf, dotsOf } from "../../../minitape/html/assets/script/plain/timeline.js";

test("with room for all, each step has a dot of its own", () => {
  assert.deepEqual([...dotsOf("ffbb", 40)], [[0, 0], [10, 1], [20, 2], [30, 3]]);
});
test("where steps share a dot, a walk back is shown", () => {
  const phase = "f".repeat(500) + "b" + "f".repeat(499);
  const dots = dotsOf(phase, 10);
  assert.ok(dots.size <= 11);
  assert.ok([...dots.values()].includes(500));
});
test("no more dots are painted than the line has", () => {
  assert.ok(dotsOf("fb".repeat(10_000), 900).size <= 901);
});
test("no steps, no dots", () => assert.equal(dotsOf("", 900).size, 0));
test("wide bars have a gap between them, narrow ones none", () => {
  assert.deepEqual(barOf(1, 10, 100, 1, 1), { from: 10, width: 9 });
  assert.deepEqual(barOf(1, 50, 100, 1, 1), { from: 2, width: 2 });
});
test("bars follow each other without holes, wherever they are rounded to", () => {
  for (let i = 0; i < 36; i++) {
    const { from, width } = barOf(i, 37, 100, 1, 1);
    assert.equal(from + width, barOf(i + 1, 37, 100, 1, 1).from);
  }
});
test("a problem is seen among twenty thousand steps", () => {
  assert.equal(barOf(7_000, 20_000, 1_800, 2, 3).width, 6);
});
