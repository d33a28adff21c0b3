// The text size.

const SIZES = [.8, .9, 1, 1.15, 1.3, 1.5, 1.75, 2, 2.5, 3];

// The next larger or smaller size.
export const sizeBy = (size, by) => {
  const at = SIZES.findIndex((each) => each >= size - .001);
  return SIZES[Math.max(0, Math.min(SIZES.length - 1, (at < 0 ? SIZES.length - 1 : at) + by))];
};
export const isSize = (size) => SIZES.includes(size);
