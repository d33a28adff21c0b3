// Finds the steps and lines of a page again in the next page.

const isThere = (was, is) => was.code === is.code || was.file === is.file && was.line === is.line;
export const isSame = (was, is) => was.words === is.words && was.phase === is.phase && was.visit === is.visit && isThere(was, is);

const likeness = (was, is) =>
  10 * (was.file === is.file && was.line === is.line) + 6 * (was.words === is.words) + 5 * (was.code === is.code) +
  4 * (was.phase === is.phase) + 4 * (was.call === is.call) + 2 * (was.visit === is.visit) + (was.column === is.column);
// The step most similar to one of the previous page; of several, the one nearest in time.
export const nearest = (was, markOf, count) => {
  let best = 0, most = -1;
  for (let i = 0; i < count; i++) {
    const alike = likeness(was, markOf(i)) - Math.abs(i - was.at) / (2 * Math.max(count, was.at + 1));
    if (alike > most) { most = alike; best = i; }
  }
  return best;
};
// The new number of a line: equal lines above and below a change have moved together.
export const lineNow = (old, text, line) => {
  const least = Math.min(old.length, text.length);
  let head = 0, tail = 0;
  while (head < least && old[head] === text[head]) head++;
  while (tail < least - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  if (line > old.length - tail) return line + text.length - old.length;
  return line <= head ? line : Math.min(line, Math.max(head + 1, text.length - tail));
};
