// A whole tensor in few pixels: only some of its rows and columns, which is enough for a thumbnail.

import { cut, product } from "./shapes.js";
import { sheetOf } from "./sheets.js";
import { elementsOf } from "./unpack.js";

export const thinned = (tensor, mostRows, mostColumns) => {
  const { rows, columns, values } = inRows(tensor), down = Math.min(mostRows, rows), across = Math.min(mostColumns, columns);
  const from = (k) => cut(Math.floor(k / across), rows, down) * columns + cut(k % across, columns, across);
  return { rows: down, columns: across, values: Float64Array.from({ length: down * across }, (_, k) => values[from(k)]) };
};
// All leading axes together are the rows; a last axis of length 1 is ignored.
const inRows = (tensor) => {
  const elements = elementsOf(tensor), shape = [...tensor.shape];
  if (!elements) return sheetOf(tensor); // the means in the trace
  while (shape.length > 1 && shape.at(-1) === 1) shape.pop();
  return { rows: product(shape.slice(0, -1)), columns: shape.at(-1), values: elements.values };
};
