// A tensor laid out for painting: a sheet has rows and columns of values, a text for each, and its index in the tensor.

import { WHOLE, blockSheet, meansOf, stripSheet } from "./means.js";
import { indexIn, offsetOf, product, written } from "./shapes.js";
import { elementsOf, isComplex } from "./unpack.js";

const BINS = 24;

// --- views ---

// An image has two axes, or three with a last axis of one or three channels; leading axes have sliders.
const channelsOf = (shape) => shape.length > 2 && [1, 3].includes(shape.at(-1)) ? 1 : 0;
const isPicture = (shape) => {
  const last = shape.length - channelsOf(shape);
  return shape.length > 1 && shape.length < 5 && shape[last - 1] > 1 && shape[last - 2] > 1;
};
// The leading axes, for each of which a single index is shown.
export const leading = (shape, view) => shape.slice(0, -2 - (view === "image" ? channelsOf(shape) : 0));

// The possible views of a tensor, the best one first.
export const viewsOf = (tensor) => {
  const { shape, dtype } = tensor, isWhole = tensor.data !== undefined || tensor.packed !== undefined;
  if (!product(shape)) return [];
  if (!isWhole) return [tensor.blocks ? "cells" : "bars"];
  if (dtype === "string") return ["cells"];
  const views = shape.length > 1 ? ["cells"] : ["bars", "cells"];
  if (isPicture(shape) && !isComplex(dtype)) views.push("image");
  return [...views, "histogram"];
};
// The sheet of a view; `at` are the indices on the leading axes.
export const sheetOf = (tensor, view, at = [], isEvery = false) => {
  const elements = elementsOf(tensor);
  if (!elements) return tensor.blocks ? blockSheet(tensor) : stripSheet(tensor);
  if (view === "histogram") return histogram(elements.values);
  if (view === "image") return picture(tensor, elements, at);
  const count = elements.values.length, isCut = count < product(tensor.shape); // only the first strings are stored
  const matrix = isCut ? { ...matrixOf([count], elements, []), index: (k) => indexIn(tensor.shape, k), note: "the first " + count } : matrixOf(tensor.shape, elements, at);
  if (isComplex(tensor.dtype)) matrix.note = "absolute values of complex numbers";
  if (view === "bars") return { ...matrix, kind: "bars" };
  const isLarge = matrix.rows > WHOLE || matrix.columns > WHOLE;
  return isLarge && !isEvery && !elements.isText ? meansOf(matrix) : { ...matrix, isLarge };
};

const matrixOf = (shape, { values, text, isText }, at) => {
  const columns = shape.at(-1), rows = shape.length > 1 ? shape.at(-2) : 1, from = offsetOf(shape, at);
  const index = (k) => indexIn(shape, from + k);
  return {
    kind: "cells", rows, columns, isText, index,
    values: values.subarray(from, from + rows * columns),
    brief: isText ? (k) => text(from + k) : undefined,
    text: (k) => written(index(k)) + " = " + text(from + k),
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
    note: "histogram of the elements" + (odd ? "; " + odd + " are NaN or infinite" : ""),
    text: (k) => (bins === 1 ? String(least) : Number(edge(k).toPrecision(4)) + " to " + Number(edge(k + 1).toPrecision(4))) + ": " + values[k] + (values[k] === 1 ? " element" : " elements"),
  };
};

// --- images ---

const picture = ({ shape, dtype, min, max }, { values, text }, at) => {
  const last = shape.length - channelsOf(shape), channels = channelsOf(shape) ? shape.at(-1) : 1;
  const rows = shape[last - 2], columns = shape[last - 1], from = offsetOf(shape, at);
  const [black, white, note] = range(dtype, min, max);
  const index = (k) => indexIn(shape, from + k * channels);
  return {
    kind: "pixels", rows, columns, note,
    index: (k) => channels === 1 ? index(k) : null,
    values: values.subarray(from, from + rows * columns * channels), channels,
    level: (value) => Math.max(0, Math.min(255, Math.round(255 * (value - black) / (white - black)))),
    text: (k) => written(index(k).slice(0, last)) + " = " + Array.from({ length: channels }, (_, c) => text(from + k * channels + c)).join(", "),
  };
};
const range = (dtype, min, max) => {
  if (dtype === "uint8") return [0, 255, "0 is black, 255 is white"];
  if (min >= 0 && max <= 1) return [0, 1, "0 is black, 1 is white"];
  return [min, max > min ? max : min + 1, "the smallest value is black, the largest is white"];
};
