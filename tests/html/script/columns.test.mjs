import assert from "node:assert/strict";
import test from "node:test";

import { SEVERITY, blanksOf, changesOf, columnsOf, marksOf, merged, outcomeAt, iterationIn } from "../../../minitape/html/assets/script/plain/columns.js";

test("with room for all, each round has a column of its own", () => {
  const columns = columnsOf(40, 900);
  assert.equal(columns.count, 40);
  for (let iteration = 0; iteration < 40; iteration++) assert.deepEqual([columns.first(iteration), columns.last(iteration), columns.of(iteration)], [iteration, iteration, iteration]);
});
test("every round is in one column, between its first and its last, whatever the width", () => {
  for (const [turns, width] of [[10_000, 1733], [7, 3], [1000, 999], [12, 0.4], [3, 2]]) {
    const columns = columnsOf(turns, width);
    let next = 0;
    for (let column = 0; column < columns.count; column++) {
      assert.equal(columns.first(column), next);
      for (; next <= columns.last(column); next++) assert.equal(columns.of(next), column);
    }
    assert.equal(next, turns);
  }
});
test("a column keeps the smallest and the largest of its rounds", () => {
  const columns = columnsOf(6, 3);
  const { low, high } = merged(Float32Array.of(9, 9, 1, 5, -2, 4, 0, 3), 2, 6, columns);
  assert.deepEqual([...low], [1, -2, 0]);
  assert.deepEqual([...high], [5, 4, 3]);
});
test("what is no finite number hides none beside it, and alone it is none", () => {
  const { low, high } = merged([NaN, 2, -Infinity, NaN, Infinity, 3], 0, 6, columnsOf(6, 3));
  assert.deepEqual([low[0], high[0]], [2, 2]);
  assert.ok(Number.isNaN(low[1]) && Number.isNaN(high[1]));
  assert.equal(high[2], 3);
});
test("one NaN among ten thousand rounds is seen in its column", () => {
  const columns = columnsOf(10_000, 800);
  const marks = marksOf([[0, 4999, "ok"], [5000, 5000, "nan"], [5001, 9999, "zero"]], columns);
  assert.equal(SEVERITY[marks[columns.of(5000)]], "nan");
  assert.equal(SEVERITY[marks[columns.of(4000)]], "ok");
  assert.equal(SEVERITY[marks[799]], "zero");
});
test("rounds in which a source was not asked for have no mark", () => {
  assert.deepEqual([...marksOf([[2, 3, "ok"]], columnsOf(5, 5))], [0, 0, 1, 1, 0]);
  assert.equal(outcomeAt([[2, 3, "ok"]], 1), "");
  assert.equal(outcomeAt([[2, 3, "ok"]], 3), "ok");
});
test("a click on a column means the round with the worst answer in it", () => {
  const stretches = [[0, 5, "ok"], [6, 6, "none"], [7, 99, "ok"]], columns = columnsOf(100, 10);
  assert.equal(iterationIn(stretches, columns, 0), 6);
  assert.equal(iterationIn(stretches, columns, 3), 30);
});
test("changes are counted once, in order, and not where only the cause is another", () => {
  const one = { stretches: [[0, 4, "ok"], [5, 9, "none"], [10, 19, "none"]] };
  const other = { stretches: [[0, 2, "zero"], [3, 4, "ok"], [5, 19, "nan"]] };
  assert.deepEqual(changesOf([one, other]), [3, 5]);
  assert.deepEqual(changesOf([one]), [5]);
  assert.deepEqual(changesOf([]), []);
});
test("a column without a finite number has zeros, or nothing", () => {
  const logs = [9, NaN, -Infinity, 2, NaN, NaN, -Infinity, -Infinity, NaN];
  assert.deepEqual([...blanksOf(logs, 1, 8, columnsOf(8, 4))], [1, 0, 1, 1]);
  assert.deepEqual([...blanksOf(logs, 3, 3, columnsOf(3, 3))], [0, 2, 2]);
});
