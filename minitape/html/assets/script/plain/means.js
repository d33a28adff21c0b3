// Large tensors as means: of blocks of a matrix, of segments of a row.

import { cut, fromTo, indexIn, product, written } from "./shapes.js";
import { unpacked } from "./unpack.js";

export const WHOLE = 64; // the maximum number of rows, and of columns, that are shown individually

// Larger tensors as the means of at most 64 × 64 blocks, with the extremes marked.
export const meansOf = (matrix) => {
  const { rows, columns, values } = matrix;
  const down = Math.min(WHOLE, rows), across = Math.min(WHOLE, columns), sums = new Float64Array(down * across);
  const counts = new Float64Array(down * across), extremes = { least: -1, most: -1 };
  for (let k = 0; k < values.length; k++) {
    const block = blockAt(Math.floor(k / columns), k % columns, rows, columns, down, across);
    sums[block] += values[k];
    counts[block]++;
    if (!Number.isFinite(values[k])) continue;
    if (extremes.least < 0 || values[k] < values[extremes.least]) extremes.least = k;
    if (extremes.most < 0 || values[k] > values[extremes.most]) extremes.most = k;
  }
  const place = (k) => k < 0 ? undefined : { block: blockAt(Math.floor(k / columns), k % columns, rows, columns, down, across), text: matrix.text(k) };
  const marks = { least: place(extremes.least), most: place(extremes.most) };
  return { ...blocks(rows, columns, down, across, sums.map((sum, k) => sum / counts[k]), marks), isLarge: true };
};
const blockAt = (i, j, rows, columns, down, across) => blockOn(i, rows, down) * across + blockOn(j, columns, across);
const blockOn = (i, n, k) => Math.floor(((i + 1) * k - 1) / n);

const blocks = (rows, columns, down, across, values, marks) => ({
  kind: "cells", isMeans: true, rows: down, columns: across, values, index: () => null,
  marks: { least: marks.least?.block, most: marks.most?.block },
  note: "means of " + down + " × " + across + " blocks; ◥ contains the largest element, ◢ the smallest",
  text: (k) => {
    const i = Math.floor(k / across), j = k % across;
    const place = "rows " + fromTo(cut(i, rows, down), cut(i + 1, rows, down)) + ", columns " + fromTo(cut(j, columns, across), cut(j + 1, columns, across));
    const held = ["least", "most"].filter((each) => marks[each]?.block === k).map((each) => "; the " + (each === "least" ? "smallest" : "largest") + ": " + marks[each].text);
    return place + ": mean " + Number(values[k].toPrecision(4)) + held.join("");
  },
});
// The blocks of a large tensor in the trace; all axes except the last are its rows.
export const blockSheet = ({ shape, min, max, blocks: { rows: down, columns: across, means: text, least, most } }) => {
  const columns = shape.at(-1), rows = product(shape) / columns;
  const mark = (k, number) => k === null ? undefined : {
    block: blockAt(Math.floor(k / columns), k % columns, rows, columns, down, across),
    text: written(indexIn(shape, k)) + " = " + number,
  };
  return blocks(rows, columns, down, across, Float64Array.from(unpacked(text, "bfloat16")), { least: mark(least, min), most: mark(most, max) });
};
export const stripSheet = ({ shape, strip }) => {
  const values = Float64Array.from(strip || [], Number), size = product(shape), columns = values.length;
  return {
    kind: "bars", rows: 1, columns, values, index: () => null,
    note: "each bar is the mean of one of " + columns + " equal segments",
    text: (k) => "elements " + fromTo(cut(k, size, columns), cut(k + 1, size, columns)) + ": mean " + Number(values[k].toPrecision(4)),
  };
};
