import assert from "node:assert/strict";
import test from "node:test";

import { short } from "../../../minitape/html/assets/script/plain/numbers.js";

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
