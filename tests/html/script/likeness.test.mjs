import assert from "node:assert/strict";
import test from "node:test";

import { isSame, lineNow, nearest } from "../../../minitape/html/assets/script/live/likeness.js";

const OLD = ["import", "w = 1", "y = w * 3", "print(y)"];
const step = (at, change) => ({
  at, words: "Mul", phase: "f", code: "w * 3", file: "a.py", line: 3, column: 4, call: 1, visit: 1, ...change,
});

test("a line below one that was added has moved down", () => {
  assert.equal(lineNow(OLD, ["import", "new", "w = 1", "y = w * 3", "print(y)"], 3), 4);
});
test("a line above a change stays", () => assert.equal(lineNow(OLD, ["import", "w = 1", "y = w * 4", "print(y)"], 2), 2));
test("a line that was changed is where it was", () => {
  assert.equal(lineNow(OLD, ["import", "w = 1", "y = w * 4", "print(y)"], 3), 3);
});
test("a line that was taken out is where the change is", () => {
  assert.equal(lineNow(OLD, ["import", "w = 1", "print(y)"], 3), 3);
  assert.equal(lineNow(OLD, ["import"], 4), 2);
});
test("a step is the same though its line has moved and its number is another", () => {
  assert.ok(isSame(step(5), step(9, { line: 7 })));
  assert.ok(!isSame(step(5), step(5, { visit: 2 })));
  assert.ok(!isSame(step(5), step(5, { line: 7, code: "w * 4" })));
});
test("of two like steps the one nearest in time is taken", () => {
  const steps = [step(0), step(1, { words: "Add", code: "b", line: 9 }), step(2), step(3, { phase: "b" })];
  assert.equal(nearest(step(3), (i) => steps[i], steps.length), 2);
  assert.equal(nearest(step(0), (i) => steps[i], steps.length), 0);
});
test("the same words at the same visit weigh more than the time between", () => {
  const steps = [step(0, { visit: 1 }), step(1, { visit: 2 }), step(2, { visit: 3 })];
  assert.equal(nearest(step(2, { visit: 1 }), (i) => steps[i], steps.length), 0);
});
