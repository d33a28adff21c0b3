// Searching in lists that are ordered by time.

// The index of the last entry at or before i in rows of [step, ...]; -1 if there is none.
export const upTo = (rows, i) => {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle][0] <= i) low = middle + 1; else high = middle;
  }
  return low - 1;
};
// The next entry after i, after the last one the first; the previous one, likewise.
export const after = (list, i) => list.length ? list.find((each) => each > i) ?? list[0] : i;
export const before = (list, i) => list.length ? list.findLast((each) => each < i) ?? list[list.length - 1] : i;
