// The positions of the smallest and the largest element of a tensor.

import { elementsOf, isComplex } from "./unpack.js";

// The flat index of the `min` or `max` of the statistics; null if it is not known.
export const placeOfExtreme = (tensor, key) => {
  if (tensor[key] === undefined || tensor[key] === null || isComplex(tensor.dtype)) return null;
  const elements = elementsOf(tensor);
  if (!elements) return tensor.blocks?.[key === "min" ? "least" : "most"] ?? null;
  return elements.values.reduce((found, value, k, all) => exceeds(value, all[found], key) ? k : found, null);
};
const exceeds = (value, other, key) => Number.isFinite(value) && (other === undefined || (key === "min" ? value < other : value > other));
