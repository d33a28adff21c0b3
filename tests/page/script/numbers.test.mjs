import assert from "node:assert/strict";
import test from "node:test";

import { colorOf, rowsOf, scaleOf, short } from "../../../minitape/page/assets/script/plain/numbers.js";

test("a number has four digits and no zeros behind them", () => {
  assert.equal(short(1.23456), "1.235");
  assert.equal(short(2), "2");
  assert.equal(short(0.1 + 0.2), "0.3");
  assert.equal(short(123456), "123500");
  assert.equal(short(1.5e-9), "1.5e-9");
});
test("what JSON has no number for is a word", () => {
  assert.equal(short("nan"), "nan");
  assert.equal(short("-inf"), "-inf");
});
test("a vector is one row, a matrix is its rows, a cube is the rows of its matrices", () => {
  assert.deepEqual(rowsOf({ shape: [2], data: [1, 2] }), [[1, 2]]);
  assert.deepEqual(rowsOf({ shape: [2, 1], data: [[1], [2]] }), [[1], [2]]);
  assert.deepEqual(rowsOf({ shape: [2, 1, 2], data: [[[1, 2]], [[3, 4]]] }), [[1, 2], [3, 4]]);
});
test("of a large tensor the means are the row, and of one without any there is none", () => {
  assert.deepEqual(rowsOf({ shape: [900], strip: [1, 2, 3] }), [[1, 2, 3]]);
  assert.deepEqual(rowsOf({ shape: [900], strip: null }), [[]]);
});
test("colours are measured by the largest finite number", () => {
  assert.equal(scaleOf([[1, -8], [3, "inf"]]), 8);
  assert.equal(scaleOf([["nan"], [0]]), 1);
});
test("the largest number is deep, zero is paper, and a sign is a hue", () => {
  assert.match(colorOf(8, 8), /--plus\) 70%/);
  assert.match(colorOf(-4, 8), /--minus\) 35%/);
  assert.match(colorOf(0, 8), / 0%/);
});
test("what is no finite number has the colour of what is lost", () => {
  for (const odd of ["nan", "inf", "-inf"]) assert.match(colorOf(odd, 8), /--none\) 100%/);
});
