// Shapes and indices.

// Where block i of k starts on an axis of n.
export const cut = (i, n, k) => Math.floor(i * n / k);
// The index of the element with the flat index k.
export const indexIn = (shape, k) => {
  const index = [];
  for (const length of [...shape].reverse()) { index.unshift(k % length); k = Math.floor(k / length); }
  return index;
};
export const product = (shape) => shape.reduce((size, length) => size * length, 1);
export const written = (index) => "[" + index.join(", ") + "]";
export const fromTo = (from, to) => to - from > 1 ? from + "–" + (to - 1) : String(from);
// The flat index at which the part with these leading indices starts.
export const offsetOf = (shape, at) => at.reduce((place, i, axis) => place + i * product(shape.slice(axis + 1)), 0);
