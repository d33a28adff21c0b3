// The steps of a run as a row of dots.

// The step of each dot. If several steps share a dot, a backward step has priority, because backward steps are rarer.
export const dotsOf = (phase, width) => {
  const count = phase.length, dots = new Map();
  for (let i = 0; i < count; i++) {
    const dot = Math.round(i * width / count);
    if (phase[i] === "b" || !dots.has(dot)) dots.set(dot, i);
  }
  return dots;
};
// Where the bar of a step starts, and its width: with a gap after it if there is space, and at least `least`.
export const barOf = (i, count, width, ratio, least) => {
  const step = width / count, gap = step > 4 * ratio ? ratio : 0;
  const from = Math.round(i * step), to = Math.round((i + 1) * step);
  return { from, width: Math.max(to - from - gap, least * ratio) };
};
