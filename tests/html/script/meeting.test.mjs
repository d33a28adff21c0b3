import assert from "node:assert/strict";
import test from "node:test";

import { madeOf, flatIndexOf, sentFrom } from "../../../minitape/html/assets/script/plain/meeting.js";

// [2, 3] @ [3, 2]: loops over row, column, and what is summed.
const MATMUL = {
  kind: "product", sizes: [2, 2, 3],
  at: [[[0, 0, 1], [0, 2, 1]], [[0, 2, 1], [0, 1, 1]], [[0, 0, 1], [0, 1, 1]]],
  shapes: [[2, 3], [3, 2], [2, 2]],
};
// A window of two that slides over four numbers with a border of one before them.
const WINDOW = { kind: "product", sizes: [4, 2], at: [[[-1, 0, 1, 1, 1]], [[0, 1, 1]], [[0, 0, 1]]], shapes: [[4], [2], [4]] };

test("an index is a place in a row of all elements", () => {
  assert.equal(flatIndexOf([1, 2], [2, 3]), 5);
  assert.equal(flatIndexOf([], []), 0);
});
test("an element of a factor is sent from the row that it was multiplied into", () => {
  const met = sentFrom(MATMUL, 1, flatIndexOf([2, 1], [3, 2]));
  assert.deepEqual(met.map(([, out, , [a]]) => [out, a]), [[1, 2], [3, 5]]);
});
test("an element of a product is made of a row and a column", () => {
  const met = madeOf(MATMUL, 0, flatIndexOf([1, 0], [2, 2]));
  assert.deepEqual(met.map(([, , , [a, b]]) => [a, b]), [[3, 0], [4, 2], [5, 4]]);
});
test("where a window looks over the border nothing meets", () => {
  assert.deepEqual(madeOf(WINDOW, 0, 0).map(([, , , [x, w]]) => [x, w]), [[0, 1]]);
  assert.deepEqual(sentFrom(WINDOW, 0, 3).map(([, out]) => out), [3]);
  assert.deepEqual(sentFrom(WINDOW, 1, 0).map(([, out, , [x]]) => [x, out]), [[0, 1], [1, 2], [2, 3]]);
});
test("an axis of length one stands still while the others go on", () => {
  const added = { kind: "each", sizes: [2, 3], at: [[[0, 0, 1], [0, 1, 1]], [[0], [0, 1, 1]], [[0, 0, 1], [0, 1, 1]]], shapes: [[2, 3], [1, 3], [2, 3]] };
  assert.deepEqual(sentFrom(added, 1, 2).map(([, out]) => out), [2, 5]);
  assert.deepEqual(madeOf(added, 0, 4).map(([position, at]) => [position, at]), [[0, 4], [1, 1]]);
});
test("maps are read from both sides", () => {
  const sum = { kind: "linear", maps: [[0, 0, "added", [0, 0, 1, 1], 1]] };
  assert.deepEqual(madeOf(sum, 0, 1).map(([, at]) => at), [2, 3]);
  assert.deepEqual(sentFrom(sum, 0, 1).map(([, at]) => at), [0]);
  const cut = { kind: "linear", maps: [[0, 0, "picked", [3, 1], 2]] };
  assert.deepEqual(sentFrom(cut, 0, 3), [[0, 0, 2, null]]);
  assert.deepEqual(sentFrom(cut, 0, 0), []);
  assert.deepEqual(madeOf(cut, 0, 1), [[0, 1, 2, null]]);
});
test("pairs have a factor each", () => {
  const pairs = { kind: "list", maps: [[0, 0, "pairs", [[0, 1, 1], [0, 0, 1], [0.5, 0.25, 3]]]] };
  assert.deepEqual(madeOf(pairs, 0, 0), [[0, 0, 0.5, null], [0, 1, 0.25, null]]);
  assert.deepEqual(sentFrom(pairs, 0, 1), [[0, 0, 0.25, null], [0, 1, 3, null]]);
});
