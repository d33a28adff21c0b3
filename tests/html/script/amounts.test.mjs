import assert from "node:assert/strict";
import test from "node:test";

import { captionOf, heaviest, largestTerms, leadOf, numbersOf, opsOf } from "../../../minitape/html/assets/script/plain/amounts.js";

const termOf = (...numbers) => ({
  factors: numbers.map((number, i) => ({ text: "f" + i, number, slot: i })),
  amount: numbers.reduce((product, each) => product * each, 1),
});
const amounts = (terms) => terms.map((each) => each.amount);

test("terms for which there is room stand as they are, of more the largest by their size come first", () => {
  const terms = [1, -5, 3, 2].map((each) => termOf(each));
  assert.deepEqual(largestTerms(terms, 4), [terms, []]);
  assert.deepEqual(largestTerms(terms, 2).map(amounts), [[-5, 3], [2, 1]]);
  assert.deepEqual(amounts(largestTerms([termOf(1), termOf(NaN), termOf(-Infinity)], 2)[0]), [NaN, -Infinity]);
});
test("the heaviest are those that no other exceeds; where all are alike none is", () => {
  assert.deepEqual(amounts(heaviest([1, -5, 3].map((each) => termOf(each)))), [-5]);
  assert.deepEqual(heaviest([2, -2].map((each) => termOf(each))), []);
  assert.deepEqual(heaviest([termOf(2)]), []);
});
test("numbers that would repeat the amount are left out", () => {
  assert.equal(numbersOf(termOf(-2.97)), "");
  assert.equal(numbersOf(termOf(2, -0.5)), "2·(-0.5)");
  assert.equal(numbersOf({ factors: [{ text: "1 - y²", number: undefined, slot: -1 }, { text: "g", number: 0, slot: 2 }], amount: 0 }), "?·0");
});
test("above terms of which not all are shown stands how many there are, once", () => {
  const terms = [1, 2, 3].map((each) => termOf(each));
  assert.equal(captionOf({ terms, fn: "" }, 2), "the sum of 3 terms, the 2 largest:");
  assert.equal(captionOf({ terms, fn: "Max" }, 2), "3 elements, the 2 largest:");
  assert.equal(captionOf({ terms: [{ factors: [{ isSent: true }] }], fn: "" }, 1), "the 1 largest:");
});
test("a term leads on to its last factor that stands somewhere", () => {
  assert.equal(leadOf({ factors: [{ text: "a", slot: 3 }, { text: "0.5", slot: -1 }] }).text, "a");
});
test("ops that have only a number are found in the names, each once, and not in who sent something", () => {
  const named = (text, isSent) => ({ factors: [{ text, isSent }] });
  assert.deepEqual(opsOf([named("#2[0,0]"), named("∂loss/∂#13[0]"), named("#2[1,0]"), named("w"), named("what #9 Mul sends", true)]), [2, 13]);
});
