// Scales: from the numbers of a run to heights and colors.

// The smallest and the largest finite number; different from each other, so that their difference can be a divisor.
export const rangeOf = (values) => {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value - value !== 0) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return null;
  return low < high ? [low, high] : [low - .5, high + .5];
};
// Whether to use a logarithmic scale: all numbers are positive, and differ by a factor of a hundred.
export const isLogarithmic = (values) => {
  const range = rangeOf(values);
  return range !== null && range[0] > 0 && range[1] / range[0] >= 100;
};
export const portion = (value, [low, high]) => Math.max(0, Math.min(1, (value - low) / (high - low)));

// The number of iterations between ticks, so that ticks keep their distance: 1, 2, 5, 10, 20 ...
export const stride = (iterations, width, distance) => {
  const least = iterations * distance / Math.max(width, 1);
  for (let power = 1; ; power *= 10) for (const step of [1, 2, 5]) if (step * power >= least) return step * power;
};
// The labeled iterations of an axis, counted from 1: the first, and then the multiples of a stride.
export const ticks = (iterations, width, distance) => {
  const step = stride(iterations, width, distance), found = [1];
  for (let round = step; round <= iterations; round += step) if (round > 1) found.push(round);
  return found;
};
// The ratio of two numbers, and its direction: `× 0.5 ↓`. Both are given as logarithms.
export const timesOf = (then, now) => {
  const change = now - then;
  if (!Number.isFinite(change)) return "";
  const times = unlogged(change);
  return "× " + times + (times === "1" ? "" : change > 0 ? " ↑" : " ↓");
};
// The number for a logarithm, as text: four digits, or a power of ten beyond the range of floats.
export const unlogged = (log) => {
  if (log === -Infinity) return "0";
  if (Number.isNaN(log)) return "–";
  const power = Math.floor(log), digits = Number((10 ** (log - power)).toPrecision(4));
  if (power >= -4 && power < 6) return String(Number((10 ** log).toPrecision(4)));
  return digits + "e" + power;
};
