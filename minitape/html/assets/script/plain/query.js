// The reader's search: a line ("line 12", ":12"), or words.

// A predicate for a step. `step` has `line`, undefined for none, and `texts`. Null for an empty search.
export const matcherFor = (text) => {
  const query = text.trim().toLowerCase();
  if (!query) return null;
  const line = /^(?:line|:)\s*(\d+)$/.exec(query);
  if (line) return (step) => step.line === Number(line[1]);
  return (step) => step.texts.some((each) => each.toLowerCase().includes(query));
};
// The first matching step from `now` on, wrapping around; -1 if there is none.
export const found = (isIt, stepAt, now, count, isNext) => {
  for (let k = isNext ? 1 : 0; k <= count; k++) {
    const i = (now + k) % count;
    if (isIt(stepAt(i))) return i;
  }
  return -1;
};
