import assert from "node:assert/strict";
import test from "node:test";

import { apart, chosen, differs, next } from "../../../minitape/html/assets/script/plain/comparison.js";

const ROWS = [[0, 0], [1, 1], [2, -1, "steps"], [3, 2], [4, 3], [5, 4], [6, 5, "value"], [7, 6]];

test("a row differs if it says in what", () => assert.deepEqual(ROWS.map(differs).indexOf(true), 2));
test("all rows, or those that differ with what is near", () => {
  assert.deepEqual(chosen(ROWS, false, 1), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(chosen(ROWS, true, 1), [1, 2, 3, 5, 6, 7]);
});
test("what is near two of them is shown once", () => assert.deepEqual(chosen(ROWS, true, 3), [0, 1, 2, 3, 4, 5, 6, 7]));
test("nothing differs: nothing is left to show", () => assert.deepEqual(chosen([[0, 0], [1, 1]], true, 3), []));
test("the next difference, and the one before", () => {
  assert.equal(next(ROWS, -1, 1), 2);
  assert.equal(next(ROWS, 2, 1), 6);
  assert.equal(next(ROWS, 6, 1), -1);
  assert.equal(next(ROWS, 6, -1), 2);
  assert.equal(next(ROWS, 2, -1), -1);
});
test("a fact that the other has not, or has otherwise", () => {
  assert.deepEqual(apart([["value", "1.0"], ["rule", "x"], ["keeps", "#1"]], [["value", "2.0"], ["rule", "x"]]), [true, false, true]);
});
