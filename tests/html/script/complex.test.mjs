import assert from "node:assert/strict";
import test from "node:test";

import { complexParts, fromParts, isComplexText, magnitudeOf, sumOf } from "../../../minitape/html/assets/script/plain/complex.js";
import { short } from "../../../minitape/html/assets/script/plain/numbers.js";

test("complex numbers are told from others by their last letter", () => {
  for (const each of ["(1+2j)", "2j", "(-0-1e-05j)", "(nan+infj)"]) assert.ok(isComplexText(each), each);
  for (const each of [1, "nan", "-inf", "Infinity", null, undefined]) assert.ok(!isComplexText(each), String(each));
});
test("both parts are read, also of one without a real part", () => {
  assert.deepEqual(complexParts("(1.5-2e-05j)"), [1.5, -2e-5]);
  assert.deepEqual(complexParts("-2j"), [0, -2]);
  assert.deepEqual(complexParts("(-inf+nanj)"), [-Infinity, NaN]);
});
test("what is written is read again", () => {
  for (const parts of [[1, 2], [-0.5, -1e-7], [0, 3], [NaN, -Infinity], [Infinity, NaN]]) assert.deepEqual(complexParts(fromParts(parts)), parts);
});
test("sizes and sums are of real and complex numbers alike", () => {
  assert.equal(magnitudeOf("(3-4j)"), 5);
  assert.equal(magnitudeOf(-2), 2);
  assert.equal(sumOf([1, 2]), 3);
  assert.equal(sumOf([1, "(2+1j)", "3j"]), "(3+4j)");
});
test("a complex number has four digits in each part", () => {
  assert.equal(short("(1.23456-0.1234567j)"), "(1.235-0.1235j)");
  assert.equal(short("2j"), "(0+2j)");
});
