import assert from "node:assert/strict";
import test from "node:test";

import { isLogarithmic, portion, rangeOf, stride, ticks, timesOf, unlogged } from "../../../minitape/html/assets/script/plain/scale.js";

test("a range is that of the finite numbers", () => assert.deepEqual(rangeOf([NaN, 3, -Infinity, -1, Infinity]), [-1, 3]));
test("a range of one number has it in its middle, one of none is none", () => {
  assert.deepEqual(rangeOf([2, 2]), [1.5, 2.5]);
  assert.equal(portion(2, rangeOf([2])), .5);
  assert.equal(rangeOf([NaN]), null);
});
test("what lies outside of a range is at its end", () => {
  assert.equal(portion(-5, [0, 10]), 0);
  assert.equal(portion(50, [0, 10]), 1);
});
test("a loss that shrinks a hundredfold is told by its logarithm, one that reaches 0 or below is not", () => {
  assert.ok(isLogarithmic([1, .5, .01]));
  assert.ok(!isLogarithmic([1, .5, .02]));
  assert.ok(!isLogarithmic([1, .001, 0]));
  assert.ok(!isLogarithmic([-1, -100]));
  assert.ok(!isLogarithmic([NaN]));
});
test("ticks stand at every 1, 2, 5, 10 ... rounds, and keep their distance", () => {
  assert.equal(stride(40, 900, 4), 1);
  assert.equal(stride(10_000, 900, 60), 1000);
  assert.equal(stride(10_000, 900, 4), 50);
  for (const turns of [1, 30, 777, 10_000]) assert.ok(900 / turns * stride(turns, 900, 60) >= 60);
});
test("a logarithm is told as its number, in four digits", () => {
  assert.equal(unlogged(0), "1");
  assert.equal(unlogged(Math.log10(0.022386)), "0.02239");
  assert.equal(unlogged(Math.log10(123456)), "123500");
  assert.equal(unlogged(Math.log10(1.5e-9)), "1.5e-9");
});
test("numbers are told that a float has not", () => {
  assert.match(unlogged(-400.5), /^3\.162e-401$/);
  assert.match(unlogged(400.5), /^3\.162e400$/);
});
test("zero is zero, and what is not there is a dash", () => {
  assert.equal(unlogged(-Infinity), "0");
  assert.equal(unlogged(NaN), "–");
});
test("an axis numbers the first round and those that its stride divides", () => {
  assert.deepEqual(ticks(60, 832, 60), [1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60]);
  assert.deepEqual(ticks(3, 832, 60), [1, 2, 3]);
  assert.deepEqual(ticks(1, 832, 60), [1]);
});
test("how many times is told with an arrow, unless it is the same or one is no number", () => {
  assert.equal(timesOf(0, Math.log10(3)), "× 3 ↑");
  assert.equal(timesOf(1, 0), "× 0.1 ↓");
  assert.equal(timesOf(2, 2), "× 1");
  assert.equal(timesOf(NaN, 2), "");
  assert.equal(timesOf(1, -Infinity), "");
});
