// Where everything on the map is, in pixels of the page.

import { $ } from "../ground/elements.js";
import { columnsOf } from "../plain/columns.js";
import { linesOf } from "../plain/rows.js";
import { theRun } from "./rounds.js";

export const MARGIN = 150; // for the names on the left
export const NOTE = 14; // the height of a note above the map
const RIGHT = 12;

export let layout = null;

export const layOut = () => {
  const run = theRun(), pane = $("map-pane"), above = run.notes.length * NOTE;
  pane.style.maxHeight = ""; // as much room as there is
  const width = Math.max(60, pane.clientWidth - MARGIN - RIGHT), rows = linesOf(run.rows, pane.clientHeight - above - 4);
  pane.style.maxHeight = rows.height + above + 2 + "px";
  const columns = columnsOf(run.turns, width * devicePixelRatio);
  layout = { ...rows, width, wide: MARGIN + width + RIGHT, above, total: rows.height + above, columns, cell: width / columns.count };
};
export const xOf = (turn) => MARGIN + layout.columns.of(turn) * layout.cell;
export const columnUnder = (x) => Math.max(0, Math.min(layout.columns.count - 1, Math.floor((x - MARGIN) / layout.cell)));
export const rowUnder = (y) => {
  const line = layout.lines.find(({ top, height }) => y - layout.above >= top && y - layout.above < top + height);
  return line && line.row !== undefined ? line.row : null;
};
// The source above or below another.
export const rowBeside = (row, by) => {
  const rows = layout.lines.filter((line) => line.row !== undefined).map((line) => line.row);
  return rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + by))] ?? null;
};
// A canvas as large as that, to be painted in pixels of the page.
export const sheet = (canvas, width, height) => {
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  const paint = canvas.getContext("2d");
  paint.scale(devicePixelRatio, devicePixelRatio);
  paint.font = "11px system-ui, sans-serif";
  paint.textBaseline = "middle";
  return paint;
};
