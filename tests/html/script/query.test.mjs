import assert from "node:assert/strict";
import test from "node:test";

import { matcherFor, found } from "../../../minitape/html/assets/script/plain/query.js";

const STEPS = [
  { line: 1, texts: ["#1 Variable", "w = tf.Variable(1.0)", ""] },
  { line: 12, texts: ["#2 Mul", "w * 3.0", "loss"] },
  { line: undefined, texts: ["#3 tape closes", "", ""] },
  { line: 2, texts: ["#4 Mul, backward", "W * 3.0", ""] },
];
const look = (query, now, isNext) => found(matcherFor(query), (i) => STEPS[i], now, STEPS.length, isNext);

test("nothing is looked for where nothing was written", () => {
  assert.equal(matcherFor(""), null);
  assert.equal(matcherFor("  \t"), null);
});
test("words are found in any case and anywhere in a text", () => {
  assert.equal(look("MUL", 0), 1);
  assert.equal(look(" w * 3", 2), 3);
  assert.equal(look("loss", 0), 1);
});
test("the step where one is counts while one types, and not for the next one", () => {
  assert.equal(look("mul", 1, false), 1);
  assert.equal(look("mul", 1, true), 3);
});
test("behind the end the search goes on at the start", () => assert.equal(look("mul", 3, true), 1));
test("the only one that there is is found again", () => assert.equal(look("variable(", 0, true), 0));
test("what is nowhere is not found", () => assert.equal(look("cosine", 2, true), -1));
test("a line is found by its number, and not by a number that begins so", () => {
  assert.equal(look("line 12", 0), 1);
  assert.equal(look(":2", 0), 3);
  assert.equal(look("line 3", 0), -1);
});
test("a bracket is a bracket: a query is no pattern", () => {
  assert.equal(look("(", 0), 0);
  assert.equal(look(".*", 0), -1);
});
