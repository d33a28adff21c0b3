import assert from "node:assert/strict";
import test from "node:test";

import { short, threeDigits } from "../../../minitape/html/assets/script/plain/numbers.js";

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
test("a number in a picture has three digits, and a power of ten if it is very small or large", () => {
  const texts = [0, 0.2744, -1.5, 31, 9.9999, 9990, 1.84e-5, 0.001, 12345, NaN, Infinity, -Infinity].map(threeDigits);
  assert.deepEqual(texts, ["0", "0.274", "−1.50", "31.0", "10.0", "9990", "1.8×10⁻⁵", "0.00100", "1.2×10⁴", "nan", "inf", "−inf"]);
});
