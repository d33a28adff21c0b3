// The position of text: the boxes of a range, and how far to scroll to make them visible.

// Join boxes on the same line: the boxes of the words and of the marks around them.
export const rowsOfBoxes = (boxes) => {
  const rows = [];
  for (const { left, right, top, bottom } of boxes) {
    const row = rows.find((each) => Math.min(each.bottom, bottom) - Math.max(each.top, top) > (bottom - top) / 2);
    if (!row) rows.push({ left, right, top, bottom });
    else Object.assign(row, {
      left: Math.min(row.left, left), right: Math.max(row.right, right),
      top: Math.min(row.top, top), bottom: Math.max(row.bottom, bottom),
    });
  }
  return rows.filter((row) => row.right > row.left);
};
// How far to scroll a pane so that a range is visible: 0 if it is already; for a range that is too long, its start.
export const scrolledFor = (scroll, room, from, to) => {
  const margin = Math.min(24, room / 8);
  if (to + 6 <= room) return 0;
  if (to - from + 2 * margin > room) return from < room / 2 ? 0 : from - margin;
  if (from - margin < scroll) return Math.max(0, from - margin);
  return Math.max(scroll, to + margin - room);
};
