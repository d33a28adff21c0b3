import assert from "node:assert/strict";
import test from "node:test";

import { broken, rowsIn } from "../../../minitape/html/assets/script/plain/breaking.js";

// Columns of 100, 50 apart.
const columns = (count) => Array.from({ length: count }, (_, k) => [150 * k, 150 * k + 100]);
const picture = (count, height = 200) => ({ columns: columns(count), heightOf: () => height });
const SCALES = { least: .9, most: 1.5 };

test("rows hold all columns in their order, about as many each", () => {
  const { rows } = broken(columns(9), 2);
  assert.deepEqual(rows.map(({ first, last }) => [first, last]), [[0, 3], [4, 8]]);
});
test("the gap between two rows is in both of them", () => {
  const [one, two] = broken(columns(4), 2).rows;
  assert.ok(one.right > columns(4)[2][0]);
  assert.ok(two.left < columns(4)[1][1]);
});
test("a picture that fits stays in one row, as large as there is space", () => {
  const { rows, scale } = rowsIn([picture(3)], { width: 900, height: 800 }, SCALES);
  assert.equal(rows[0].length, 1);
  assert.equal(scale, 1.5);
});
test("a picture that is too wide is broken rather than scaled below its smallest text", () => {
  const { rows, scale } = rowsIn([picture(9)], { width: 900, height: 450 }, SCALES);
  assert.equal(rows[0].length, 2);
  assert.ok(scale >= SCALES.least);
  for (const { left, right } of rows[0]) assert.ok((right - left) * scale <= 900);
});
test("without space for all rows, texts stay legible and the picture is higher than its pane", () => {
  const { rows, scale } = rowsIn([picture(9)], { width: 360, height: 100 }, SCALES);
  assert.ok(scale >= SCALES.least);
  assert.ok(rows[0].length > 2);
});
test("pictures with as many columns are broken in the same places", () => {
  const wide = columns(6).map(([left, right], k) => [left + 90 * k, right + 90 * k]);
  const { rows } = rowsIn([picture(6), { columns: wide, heightOf: () => 100 }], { width: 900, height: 900 }, SCALES);
  assert.deepEqual(rows[0].map(({ last }) => last), rows[1].map(({ last }) => last));
});
test("on a small screen a row shows half of the gaps, so that the texts stay large enough", () => {
  const { rows, scale } = rowsIn([picture(3)], { width: 230, height: 900 }, SCALES);
  assert.equal(rows[0].length, 3);
  assert.ok(scale >= SCALES.least);
  assert.equal(rows[0][1].left, columns(3)[1][0] - 25 - 30);
});
test("on a smaller screen it shows a quarter of them", () => {
  const { rows, scale } = rowsIn([picture(3)], { width: 175, height: 900 }, SCALES);
  assert.equal(rows[0].length, 3);
  assert.ok(scale >= SCALES.least);
  assert.equal(rows[0][1].left, columns(3)[1][0] - 12.5 - 30);
});
