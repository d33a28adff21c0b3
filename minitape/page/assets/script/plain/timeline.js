// The steps of a run laid out in a row of dots.

// For each dot the step that is shown there. Where several steps share a dot, the walk back is the rarer and is shown.
export const dotsOf = (phase, width) => {
  const count = phase.length, dots = new Map();
  for (let i = 0; i < count; i++) {
    const dot = Math.round(i * width / count);
    if (phase[i] === "b" || !dots.has(dot)) dots.set(dot, i);
  }
  return dots;
};
// Where the bar of a step begins, and how wide it is: with a gap behind it where there is room, and never less than `least`.
export const barOf = (i, count, width, ratio, least) => {
  const step = width / count, gap = step > 4 * ratio ? ratio : 0;
  const from = Math.round(i * step), to = Math.round((i + 1) * step);
  return { from, width: Math.max(to - from - gap, least * ratio) };
};
