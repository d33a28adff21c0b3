// Iterations laid out in columns: one each, or several per column if there is not enough space.

// The possible outcomes of an iteration, the worst last: the worst one in a column is shown. 0 means none.
export const SEVERITY = ["", "ok", "partial", "zero", "none", "nan", "error", "empty"];

export const columnsOf = (iterations, width) => {
  const count = Math.max(1, Math.min(iterations, Math.floor(width)));
  return {
    count,
    of: (iteration) => Math.floor(iteration * count / iterations),
    first: (column) => Math.ceil(column * iterations / count),
    last: (column) => Math.ceil((column + 1) * iterations / count) - 1,
  };
};
// The smallest and the largest finite number of each column, of the `iterations` values from `start` on; NaN if there is none.
export const merged = (values, start, iterations, columns) => {
  const low = new Float64Array(columns.count).fill(NaN), high = new Float64Array(columns.count).fill(NaN);
  for (let column = 0; column < columns.count; column++) {
    const end = start + columns.last(column);
    let least = Infinity, most = -Infinity;
    for (let i = start + columns.first(column); i <= end; i++) {
      const value = values[i];
      if (value - value !== 0) continue; // NaN and infinities
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (least <= most) { low[column] = least; high[column] = most; }
  }
  return { low, high };
};
// What each column has instead of a finite logarithm, from `start` on: 0 if it has one, 1 for only zeros, 2 for nothing.
export const blanksOf = (logs, start, iterations, columns) => {
  const blanks = new Uint8Array(columns.count).fill(2);
  for (let iteration = 0; iteration < iterations; iteration++) {
    const log = logs[start + iteration], blank = Number.isFinite(log) ? 0 : log === -Infinity ? 1 : 2, column = columns.of(iteration);
    if (blank < blanks[column]) blanks[column] = blank;
  }
  return blanks;
};
// For each column, the worst of its outcomes, as an index into SEVERITY.
export const marksOf = (stretches, columns) => {
  const marks = new Uint8Array(columns.count);
  for (const [first, last, outcome] of stretches) {
    const rank = SEVERITY.indexOf(outcome), end = columns.of(last);
    for (let column = columns.of(first); column <= end; column++) if (marks[column] < rank) marks[column] = rank;
  }
  return marks;
};
// The outcome for a source in an iteration.
export const outcomeAt = (stretches, iteration) => {
  const stretch = stretches.find(([first, last]) => first <= iteration && iteration <= last);
  return stretch ? stretch[2] : "";
};
// The iteration that represents a column: the first one with the column's worst outcome.
export const iterationIn = (stretches, columns, column) => {
  const worst = SEVERITY[marksOf(stretches, columns)[column]];
  for (let iteration = columns.first(column); iteration <= columns.last(column); iteration++) if (outcomeAt(stretches, iteration) === worst) return iteration;
  return columns.first(column);
};
// The iterations in which the outcome of any of these sources changes.
export const changesOf = (rows) => {
  const iterations = new Set();
  for (const { stretches } of rows) {
    stretches.forEach(([first, , outcome], k) => { if (k > 0 && outcome !== stretches[k - 1][2]) iterations.add(first); });
  }
  return [...iterations].sort((a, b) => a - b);
};
