import assert from "node:assert/strict";
import test from "node:test";

import { after, before, upTo } from "../../../minitape/html/assets/script/plain/lists.js";

const ROWS = [[2, "a"], [5, "b"], [5, "c"], [9, "d"]];

test("before the first entry there is none", () => assert.equal(upTo(ROWS, 1), -1));
test("an entry counts from its own step on", () => assert.equal(upTo(ROWS, 2), 0));
test("of several at one step the last one counts", () => assert.equal(upTo(ROWS, 5), 2));
test("between two entries the earlier one counts", () => assert.equal(upTo(ROWS, 8), 2));
test("behind the last entry it goes on to count", () => assert.equal(upTo(ROWS, 1e9), 3));
test("of no entries none counts", () => assert.equal(upTo([], 3), -1));
test("bisecting finds what a look at each one finds", () => {
  const rows = Array.from({ length: 200 }, (_, k) => [(k * k) % 17 + 3 * k]).sort((a, b) => a[0] - b[0]);
  for (let i = -5; i < 700; i++) assert.equal(upTo(rows, i), rows.filter(([at]) => at <= i).length - 1);
});

test("the next one after a step is later than it", () => assert.equal(after([3, 7, 9], 7), 9));
test("after the last one comes the first", () => assert.equal(after([3, 7, 9], 9), 3));
test("the one before a step is earlier than it", () => assert.equal(before([3, 7, 9], 7), 3));
test("before the first one comes the last", () => assert.equal(before([3, 7, 9], 3), 9));
test("where there are none one stays", () => {
  assert.equal(after([], 4), 4);
  assert.equal(before([], 4), 4);
});
