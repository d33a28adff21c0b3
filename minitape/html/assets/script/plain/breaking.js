// Breaks a picture of several columns into rows. A column is [left, right]. The gap between two rows is shown in both of them, with
// everything that crosses it, and a letter next to it.

export const SIGN = 30; // the space for the letter
const SIDE = 14;
const PARTS = [1, .5, .25, 0]; // of the gap next to a row

// The part of the picture that a row shows, from its first to its last column, with this much of the gaps before and after it.
export const rowFrom = (columns, first, last, part = 1) => ({
  first,
  last,
  left: first ? columns[first][0] - part * (columns[first][0] - columns[first - 1][1]) - SIGN : columns[0][0] - SIDE,
  right: last < columns.length - 1 ? columns[last][1] + part * (columns[last + 1][0] - columns[last][1]) + SIGN : columns[last][1] + SIDE,
});
const rowWidth = ({ left, right }) => right - left;

// The columns in `count` rows, such that the widest row is as narrow as possible.
export const broken = (columns, count, part = 1) => {
  const widest = new Map();
  // The rows of the columns from `first` on.
  const best = (first, rows) => {
    const key = first + "/" + rows;
    if (widest.has(key)) return widest.get(key);
    let found = null;
    for (let last = rows > 1 ? first : columns.length - 1; last <= columns.length - rows; last++) {
      const row = rowFrom(columns, first, last, part), rest = rows > 1 ? best(last + 1, rows - 1) : { rows: [], width: 0 };
      const width = Math.max(rowWidth(row), rest.width);
      if (!found || width < found.width) found = { rows: [row, ...rest.rows], width };
    }
    widest.set(key, found);
    return found;
  };
  return best(0, count);
};
// The number of rows with which pictures are largest in a space, and their scale. Each of `pictures` has `columns` and `heightOf(row)`;
// they are above each other. If nothing fits in height, they are as wide as the space, with their texts as small as they may be; on
// a small screen, where one column and its gaps are wider than that, only a part of each gap is shown.
export const rowsIn = (pictures, space, scales) => {
  let found = null;
  for (const part of PARTS) {
    found = rowsWith(pictures, space, scales, part);
    if (found.scale >= scales.least) break;
  }
  return found;
};
const rowsWith = (pictures, { width, height }, { least, most }, part) => {
  const counts = Math.max(...pictures.map(({ columns }) => columns.length));
  let best = null, narrow = null;
  for (let count = 1; count <= counts; count++) {
    const rows = pictures.map(({ columns }, k) => {
      const isAlike = columns.length === pictures[0].columns.length; // the same columns are broken at the same positions
      const { rows } = broken(k && isAlike ? pictures[0].columns : columns, Math.min(count, columns.length), part);
      return rows.map(({ first, last }) => rowFrom(columns, first, last, part));
    });
    const wide = Math.max(...rows.flat().map(rowWidth));
    const high = pictures.reduce((sum, { heightOf }, k) => sum + rows[k].reduce((all, row) => all + heightOf(row), 0), 0);
    const scale = Math.min(most, width / wide, height / high);
    if (scale >= least && (!best || scale > best.scale * 1.02)) best = { rows, scale };
    if (!narrow && (width / wide >= least || count === counts)) narrow = { rows, scale: Math.min(width / wide, least) };
  }
  return best || narrow;
};
