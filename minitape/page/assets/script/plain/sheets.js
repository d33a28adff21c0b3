// A tensor laid out to be painted: a sheet has rows and columns of values, says each in full, and knows its index in the tensor.

import { elementsOf, isComplex, unpacked } from "./unpack.js";

export const WHOLE = 64; // rows, and columns, that are shown one by one
const BINS = 24;

// --- shapes ---

// Where block i of k begins on an axis of n.
export const cut = (i, n, k) => Math.floor(i * n / k);
// The index of the element k, counted through the tensor.
export const indexIn = (shape, k) => {
  const index = [];
  for (const length of [...shape].reverse()) { index.unshift(k % length); k = Math.floor(k / length); }
  return index;
};
const product = (shape) => shape.reduce((size, length) => size * length, 1);
const written = (index) => "[" + index.join(", ") + "]";
const fromTo = (from, to) => to - from > 1 ? from + "–" + (to - 1) : String(from);

// A picture is of two axes, or of three with one channel or three at the end; what comes before is turned through.
const channelsOf = (shape) => shape.length > 2 && [1, 3].includes(shape.at(-1)) ? 1 : 0;
const isPicture = (shape) => {
  const last = shape.length - channelsOf(shape);
  return shape.length > 1 && shape.length < 5 && shape[last - 1] > 1 && shape[last - 2] > 1;
};
// The axes in front, of which one position each is shown.
export const leading = (shape, view) => shape.slice(0, -2 - (view === "image" ? channelsOf(shape) : 0));

// --- views ---

// The ways in which a tensor can be looked at, the best one first.
export const viewsOf = (tensor) => {
  const { shape, dtype } = tensor, isWhole = tensor.data !== undefined || tensor.packed !== undefined;
  if (!product(shape)) return [];
  if (!isWhole) return [tensor.blocks ? "cells" : "bars"];
  if (dtype === "string") return ["cells"];
  const views = shape.length > 1 ? ["cells"] : ["bars", "cells"];
  if (isPicture(shape) && !isComplex(dtype)) views.push("image");
  return [...views, "histogram"];
};
// The sheet of a view; `at` are the positions on the leading axes.
export const sheetOf = (tensor, view, at = [], isEvery = false) => {
  const elements = elementsOf(tensor);
  if (!elements) return tensor.blocks ? blockSheet(tensor) : stripSheet(tensor);
  if (view === "histogram") return histogram(elements.values);
  if (view === "image") return picture(tensor, elements, at);
  const matrix = matrixOf(tensor.shape, elements, at);
  if (isComplex(tensor.dtype)) matrix.note = "the sizes of complex numbers";
  if (view === "bars") return { ...matrix, kind: "bars" };
  const isLarge = matrix.rows > WHOLE || matrix.columns > WHOLE;
  return isLarge && !isEvery && !elements.isText ? means(matrix) : { ...matrix, isLarge };
};

const offsetOf = (shape, at) => at.reduce((place, i, axis) => place + i * product(shape.slice(axis + 1)), 0);

const matrixOf = (shape, { values, said, isText }, at) => {
  const columns = shape.at(-1), rows = shape.length > 1 ? shape.at(-2) : 1, from = offsetOf(shape, at);
  const index = (k) => indexIn(shape, from + k);
  return {
    kind: "cells", rows, columns, isText, index,
    values: values.subarray(from, from + rows * columns),
    brief: isText ? (k) => said(from + k) : undefined,
    said: (k) => written(index(k)) + " = " + said(from + k),
  };
};
// Larger ones as the means of at most 64 × 64 blocks, with the extremes marked.
const means = (matrix) => {
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
  const place = (k) => k < 0 ? undefined : { block: blockAt(Math.floor(k / columns), k % columns, rows, columns, down, across), said: matrix.said(k) };
  const marks = { least: place(extremes.least), most: place(extremes.most) };
  return { ...blocks(rows, columns, down, across, sums.map((sum, k) => sum / counts[k]), marks), isLarge: true };
};
const blockAt = (i, j, rows, columns, down, across) => blockOn(i, rows, down) * across + blockOn(j, columns, across);
const blockOn = (i, n, k) => Math.floor(((i + 1) * k - 1) / n);

const blocks = (rows, columns, down, across, values, marks) => ({
  kind: "cells", isMeans: true, rows: down, columns: across, values, index: () => null,
  marks: { least: marks.least?.block, most: marks.most?.block },
  note: "the means of " + down + " × " + across + " blocks; ◥ holds the largest element, ◢ the smallest",
  said: (k) => {
    const i = Math.floor(k / across), j = k % across;
    const place = "rows " + fromTo(cut(i, rows, down), cut(i + 1, rows, down)) + ", columns " + fromTo(cut(j, columns, across), cut(j + 1, columns, across));
    const held = ["least", "most"].filter((each) => marks[each]?.block === k).map((each) => "; the " + (each === "least" ? "smallest" : "largest") + ": " + marks[each].said);
    return place + ": mean " + Number(values[k].toPrecision(4)) + held.join("");
  },
});
// What the trace has kept of a large tensor: all axes but the last are its rows.
const blockSheet = ({ shape, min, max, blocks: { rows: down, columns: across, means: text, least, most } }) => {
  const columns = shape.at(-1), rows = product(shape) / columns;
  const mark = (k, number) => k === null ? undefined : {
    block: blockAt(Math.floor(k / columns), k % columns, rows, columns, down, across),
    said: written(indexIn(shape, k)) + " = " + number,
  };
  return blocks(rows, columns, down, across, Float64Array.from(unpacked(text, "bfloat16")), { least: mark(least, min), most: mark(most, max) });
};
const stripSheet = ({ shape, strip }) => {
  const values = Float64Array.from(strip || [], Number), size = product(shape), columns = values.length;
  return {
    kind: "bars", rows: 1, columns, values, index: () => null,
    note: "each bar is the mean of one of " + columns + " equal stretches",
    said: (k) => "elements " + fromTo(cut(k, size, columns), cut(k + 1, size, columns)) + ": mean " + Number(values[k].toPrecision(4)),
  };
};

const histogram = (numbers) => {
  const finite = numbers.filter(Number.isFinite);
  const least = finite.reduce((a, b) => Math.min(a, b), Infinity), most = finite.reduce((a, b) => Math.max(a, b), -Infinity);
  const bins = finite.length ? most > least ? BINS : 1 : 0, values = new Float64Array(bins), edge = (k) => least + (most - least) * k / bins;
  for (const each of finite) values[Math.min(bins - 1, Math.floor((each - least) / (most - least) * bins) || 0)]++;
  const odd = numbers.length - finite.length;
  return {
    kind: "counts", rows: 1, columns: bins, values, index: () => null,
    signs: Float64Array.from(values, (_, k) => bins === 1 ? Math.sign(least) : Math.sign(edge(k) + edge(k + 1))),
    note: "how many elements lie where" + (odd ? "; " + odd + " are nan or infinite" : ""),
    said: (k) => (bins === 1 ? String(least) : Number(edge(k).toPrecision(4)) + " to " + Number(edge(k + 1).toPrecision(4))) + ": " + values[k] + (values[k] === 1 ? " element" : " elements"),
  };
};

// --- pictures ---

const picture = ({ shape, dtype, min, max }, { values, said }, at) => {
  const last = shape.length - channelsOf(shape), channels = channelsOf(shape) ? shape.at(-1) : 1;
  const rows = shape[last - 2], columns = shape[last - 1], from = offsetOf(shape, at);
  const [black, white, note] = range(dtype, min, max);
  const index = (k) => indexIn(shape, from + k * channels);
  return {
    kind: "pixels", rows, columns, note,
    index: (k) => channels === 1 ? index(k) : null,
    values: values.subarray(from, from + rows * columns * channels), channels,
    level: (value) => Math.max(0, Math.min(255, Math.round(255 * (value - black) / (white - black)))),
    said: (k) => written(index(k).slice(0, last)) + " = " + Array.from({ length: channels }, (_, c) => said(from + k * channels + c)).join(", "),
  };
};
const range = (dtype, min, max) => {
  if (dtype === "uint8") return [0, 255, "0 is black, 255 is white"];
  if (min >= 0 && max <= 1) return [0, 1, "0 is black, 1 is white"];
  return [min, max > min ? max : min + 1, "the smallest number is black, the largest is white"];
};
