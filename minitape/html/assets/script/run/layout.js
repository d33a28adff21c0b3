// The positions of everything on the map, in pixels of the page.

import { $ } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { columnsOf } from "../plain/columns.js";
import { linesOf } from "../plain/rows.js";
import { theRun } from "./iterations.js";

const RIGHT = 12;
const NAMES = { letter: 6.2, least: 150, most: .35, gap: 14 }; // pixels; `most` as a fraction of the pane
const SHARES = { map: 128, comparison: 140 }; // pixels that the map keeps, and that a comparison needs

export let layout = null; // `unit` is the text size; `note` the height of a note above the map

export const layOut = () => {
  const run = theRun(), pane = $("map-pane"), unit = state.type, note = 14 * unit, above = run.notes.length * note;
  const compared = $("compared"), wasHidden = compared.hidden;
  compared.hidden = true; // it uses the space that the map does not need
  pane.style.minHeight = pane.style.maxHeight = ""; // all available space
  const rows = linesOf(run.rows, pane.clientHeight - above - 4, unit);
  const longest = Math.max(...rows.lines.map(({ text, name, isInside }) => (text ?? name).length + (isInside ? 2 : 0)));
  const wished = Math.min(unit * (longest * NAMES.letter + NAMES.gap), NAMES.most * pane.clientWidth);
  const margin = Math.min(Math.max(NAMES.least * unit, wished), pane.clientWidth / 2);
  const width = Math.max(60, pane.clientWidth - margin - RIGHT), columns = columnsOf(run.iterations, width * devicePixelRatio);
  const high = rows.height + above + 2;
  // It makes space for its text, as long as at least half of it remains.
  pane.style.minHeight = Math.min(high, Math.max(SHARES.map * unit, pane.clientHeight / 2, pane.clientHeight - SHARES.comparison * unit)) + "px";
  pane.style.maxHeight = high + "px";
  compared.hidden = wasHidden;
  layout = { ...rows, unit, note, margin, width, wide: margin + width + RIGHT, above, total: rows.height + above, columns, cell: width / columns.count };
};
// How many characters of a name fit, from this position on.
export const lettersFrom = (x) => Math.floor((layout.margin - NAMES.gap * layout.unit - x) / (NAMES.letter * layout.unit));
export const xOf = (iteration) => layout.margin + layout.columns.of(iteration) * layout.cell;
export const columnUnder = (x) => Math.max(0, Math.min(layout.columns.count - 1, Math.floor((x - layout.margin) / layout.cell)));
export const rowUnder = (y) => {
  const line = layout.lines.find(({ top, height }) => y - layout.above >= top && y - layout.above < top + height);
  return line && line.row !== undefined ? line.row : null;
};
// The source above or below another.
export const shiftedRow = (row, by) => {
  const rows = layout.lines.filter((line) => line.row !== undefined).map((line) => line.row);
  return rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + by))] ?? null;
};
// Resize a canvas, and scale it to pixels of the page.
export const sheet = (canvas, width, height) => {
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  const paint = canvas.getContext("2d");
  paint.scale(devicePixelRatio, devicePixelRatio);
  paint.font = 11 * state.type + "px system-ui, sans-serif";
  paint.textBaseline = "middle";
  return paint;
};
