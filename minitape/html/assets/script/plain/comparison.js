// Rows of two runs, each [step of the first, step of the second, what differs …]: which are shown, and which comes next.

export const differs = (row) => row.length > 2;

// The indices of the rows to show: all, or those that differ with `near` rows around each.
export const chosen = (rows, isOnly, near) => {
  if (!isOnly) return rows.map((_, i) => i);
  const found = [];
  let from = 0;
  rows.forEach((row, i) => {
    if (!differs(row)) return;
    for (let each = Math.max(from, i - near); each <= Math.min(rows.length - 1, i + near); each++) found.push(each);
    from = Math.max(from, i + near + 1);
  });
  return found;
};
// The next row that differs, or the previous one; -1 if there is none.
export const next = (rows, now, by) => {
  for (let i = now + by; i >= 0 && i < rows.length; i += by) if (differs(rows[i])) return i;
  return -1;
};
// The facts of one run that are missing or different in the other.
export const apart = (mine, others) => {
  const known = new Map(others.map(([label, text]) => [label, text]));
  return mine.map(([label, text]) => known.get(label) !== text);
};
