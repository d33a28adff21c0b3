import assert from "node:assert/strict";
import test from "node:test";

import { cut, indexIn } from "../../../minitape/html/assets/script/plain/shapes.js";
import { leading, sheetOf, viewsOf } from "../../../minitape/html/assets/script/plain/sheets.js";

const packed = (array) => Buffer.from(array.buffer).toString("base64");
const tensor = (shape, numbers) => ({ shape, dtype: "float64", packed: packed(Float64Array.from(numbers)), min: Math.min(...numbers), max: Math.max(...numbers) });
const counting = (...shape) => tensor(shape, Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, k) => k));

test("an index is counted through all axes", () => {
  assert.deepEqual(indexIn([2, 3, 4], 23), [1, 2, 3]);
  assert.deepEqual(indexIn([2, 3, 4], 4), [0, 1, 0]);
});
test("a matrix is its rows, and each cell knows its index and its number", () => {
  const sheet = sheetOf(counting(2, 3), "cells");
  assert.deepEqual([sheet.rows, sheet.columns, [...sheet.values]], [2, 3, [0, 1, 2, 3, 4, 5]]);
  assert.deepEqual(sheet.index(4), [1, 1]);
  assert.equal(sheet.text(4), "[1, 1] = 4");
});
test("of higher ranks one matrix is shown, where the leading axes stand", () => {
  const five = counting(2, 3, 2, 4, 5), sheet = sheetOf(five, "cells", [1, 2, 0]);
  assert.deepEqual(leading(five.shape, "cells"), [2, 3, 2]);
  assert.equal(sheet.values[0], ((1 * 3 + 2) * 2 + 0) * 20);
  assert.deepEqual(sheet.index(7), [1, 2, 0, 1, 2]);
});
test("of many texts the first ones are there", () => {
  const sheet = sheetOf({ shape: [40, 2], dtype: "string", data: ["a", "b", "c"] }, "cells");
  assert.deepEqual([sheet.rows, sheet.columns, sheet.note, sheet.index(2)], [1, 3, "the first 3", [1, 0]]);
});
test("the best view is first: bars of a vector, cells of a matrix, nothing of nothing", () => {
  assert.deepEqual(viewsOf(counting(5)), ["bars", "cells", "histogram"]);
  assert.deepEqual(viewsOf(counting(1, 1)), ["cells", "histogram"]);
  assert.deepEqual(viewsOf(counting(2, 3)), ["cells", "image", "histogram"]);
  assert.deepEqual(viewsOf(counting(2, 2, 2, 2, 2)), ["cells", "histogram"]);
  assert.deepEqual(viewsOf({ shape: [0, 3], dtype: "float32", data: [] }), []);
  assert.deepEqual(viewsOf({ shape: [2], dtype: "string", data: ["a", "b"] }), ["cells"]);
});
test("64 rows and columns are shown as they are, more as means with the extremes marked", () => {
  assert.equal(sheetOf(counting(64, 64), "cells").rows, 64);
  const sheet = sheetOf(counting(128, 2), "cells");
  assert.deepEqual([sheet.rows, sheet.columns, sheet.values[0], sheet.index(0)], [64, 2, 1, null]);
  assert.deepEqual(sheet.marks, { least: 0, most: 127 });
  assert.equal(sheet.text(127), "rows 126–127, columns 1: mean 254; the largest: [127, 1] = 255");
  assert.equal(sheetOf(counting(128, 2), "cells", [], true).rows, 128);
});
test("each element is in the block in whose stretch it is, also where blocks are uneven", () => {
  const sheet = sheetOf(counting(101, 1), "cells");
  const means = Array.from({ length: 64 }, (_, i) => { const a = cut(i, 101, 64), b = cut(i + 1, 101, 64); return (a + b - 1) / 2; });
  assert.deepEqual([...sheet.values], means);
});
test("of what is too large the trace's own blocks are shown", () => {
  const means = packed(Uint16Array.of(0x3f80, 0x4000, 0x4040, 0x4080));
  const sheet = sheetOf({ shape: [10, 50, 20], dtype: "float32", min: -1, max: 9, blocks: { rows: 2, columns: 2, means, least: 3, most: 9999 } }, "cells");
  assert.deepEqual([...sheet.values], [1, 2, 3, 4]);
  assert.equal(sheet.text(0), "rows 0–249, columns 0–9: mean 1; the smallest: [0, 0, 3] = -1");
  assert.equal(sheet.text(3), "rows 250–499, columns 10–19: mean 4; the largest: [9, 49, 19] = 9");
});
test("of a long vector that was not kept the stretches are bars", () => {
  const sheet = sheetOf({ shape: [900], dtype: "float32", strip: [1, "NaN", 3] }, "bars");
  assert.deepEqual([sheet.kind, [...sheet.values]], ["bars", [1, NaN, 3]]);
  assert.equal(sheet.text(2), "elements 600–899: mean 3");
});
test("a histogram counts each finite element once and tells of the others", () => {
  const sheet = sheetOf(tensor([6], [0, 1, 1, 24, NaN, Infinity]), "histogram");
  assert.deepEqual([sheet.columns, sheet.values[0], sheet.values[1], sheet.values[23]], [24, 1, 2, 1]);
  assert.match(sheet.note, /; 2 are NaN or infinite$/);
  assert.equal(sheet.text(1), "1 to 2: 2 elements");
  assert.equal(sheetOf(tensor([3], [2, 2, 2]), "histogram").text(0), "2: 3 elements");
});
test("a picture has its channels at the end and is turned through before", () => {
  const batch = counting(2, 4, 5, 3), sheet = sheetOf(batch, "image", [1]);
  assert.deepEqual(leading(batch.shape, "image"), [2]);
  assert.deepEqual([sheet.rows, sheet.columns, sheet.channels], [4, 5, 3]);
  assert.equal(sheet.text(6), "[1, 1, 1] = 78, 79, 80");
  assert.equal(sheet.level(119), 255);
  assert.deepEqual(sheetOf(counting(4, 5, 1), "image").index(6), [1, 1, 0]);
});
test("numbers from 0 to 1 are shades as they are, others from the smallest to the largest", () => {
  assert.equal(sheetOf(tensor([2, 2], [0, .5, .5, .5]), "image").level(.5), 128);
  assert.equal(sheetOf(tensor([2, 2], [-1, 0, 0, 3]), "image").level(-1), 0);
});
