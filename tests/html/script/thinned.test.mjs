import assert from "node:assert/strict";
import test from "node:test";

import { placeOfExtreme } from "../../../minitape/html/assets/script/plain/extremes.js";
import { thinned } from "../../../minitape/html/assets/script/plain/thinned.js";

const tensor = (shape, numbers) => ({ shape, dtype: "float64", data: numbers, min: Math.min(...numbers), max: Math.max(...numbers) });
const counting = (...shape) => tensor(shape, Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, k) => k));

test("all leading axes together are the rows of the small picture", () => {
  const small = thinned(counting(3, 3, 1, 4), 16, 24);
  assert.deepEqual([small.rows, small.columns, [...small.values]], [9, 4, [...Array(36).keys()]]);
});
test("last axes of length 1 are none", () => {
  const small = thinned(counting(2, 16, 16, 1), 8, 24);
  assert.deepEqual([small.rows, small.columns], [8, 16]);
  assert.deepEqual([...small.values.slice(0, 2), ...small.values.slice(16, 18)], [0, 1, 64, 65]);
  assert.deepEqual([thinned(counting(6, 1), 8, 24).columns, thinned(counting(1, 1), 8, 24).columns], [6, 1]);
});
test("of a tensor that is not whole the means are thinned out", () => {
  const small = thinned({ shape: [1000], dtype: "float32", strip: [1, 2, 3, 4] }, 8, 2);
  assert.deepEqual([small.rows, small.columns, [...small.values]], [1, 2, [1, 3]]);
});
test("the smallest and the largest element have a place, whatever stands between them", () => {
  const odd = { ...tensor([2, 3], [NaN, 2, -Infinity, -1, 7, 7]), min: -1, max: 7 };
  assert.deepEqual([placeOfExtreme(odd, "min"), placeOfExtreme(odd, "max")], [3, 4]);
  const blocks = { shape: [100, 100], dtype: "float32", min: 0, max: 9, blocks: { least: 17, most: null } };
  assert.deepEqual([placeOfExtreme(blocks, "min"), placeOfExtreme(blocks, "max")], [17, null]);
  assert.equal(placeOfExtreme({ shape: [100], dtype: "float32", min: 0, max: 9, strip: [1] }, "min"), null);
  assert.equal(placeOfExtreme({ shape: [2], dtype: "float32", data: ["NaN", "NaN"], min: null, max: null }, "min"), null);
});
