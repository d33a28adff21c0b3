// The map: a row for each source, a column for each iteration or several of them. If several share a column, its upper half is
// their largest number and its lower half their smallest.

import { $ } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { merged } from "../plain/columns.js";
import { shortened } from "../plain/words.js";
import { rangeOf, ticks } from "../plain/scale.js";
import { ink, shadeOf } from "./colors.js";
import { layOut, layout, lettersFrom, sheet, xOf } from "./layout.js";
import { drawMarks } from "./marks.js";
import { chosen, theRun, iterationAt } from "./iterations.js";

// The range of its colors, and whether it has cells with neither a number nor a mark.
export const drawMap = () => {
  layOut();
  const run = theRun(), paint = sheet($("map"), layout.wide, layout.total);
  const range = rangeOf(run[chosen.measure]()) || [0, 1];
  run.notes.forEach((note, k) => drawNote(paint, note, k * layout.note));
  const cells = shadesOf(run, range);
  let hasBare = false;
  free = 0;
  for (const line of layout.lines) {
    const top = layout.above + line.top;
    drawName(paint, line, top);
    if (line.row === undefined) continue;
    paint.imageSmoothingEnabled = false;
    const gap = line.height > 8 ? 1 : 0;
    paint.drawImage(cells, 0, 2 * line.row, layout.columns.count, 2, layout.margin, top, layout.width, line.height - gap);
    hasBare = drawMarks(paint, line.row, top, line.height - gap) || hasBare;
  }
  run.notes.forEach((note) => { if (note[2]) outlineLayers(paint, run, note[1]); });
  return { range, hasBare };
};
// All colors at once, with two dots above each other for each cell. A missing number is transparent.
const shadesOf = (run, range) => {
  const { columns } = layout, values = run[chosen.measure]();
  const cells = document.createElement("canvas");
  cells.width = columns.count;
  cells.height = 2 * run.rows.length;
  const paint = cells.getContext("2d"), image = paint.createImageData(cells.width, cells.height);
  const put = (at, value) => {
    if (Number.isNaN(value)) return;
    image.data.set(shadeOf(value, range), at);
    image.data[at + 3] = 255;
  };
  run.rows.forEach((_, row) => {
    if (!run.has[chosen.measure]) return;
    const { low, high } = merged(values, row * run.iterations, run.iterations, columns);
    for (let column = 0; column < columns.count; column++) {
      put(4 * (2 * row * columns.count + column), high[column]);
      put(4 * ((2 * row + 1) * columns.count + column), low[column]);
    }
  });
  paint.putImageData(image, 0, 0);
  return cells;
};
// If rows are too low for names, those of the layers are beside them, as many as fit.
let free = 0; // the next free position
const drawName = (paint, line, top) => {
  const isHeading = line.row === undefined, { unit } = layout, x = (line.isInside ? 12 : 2) * unit;
  const y = layout.isReadable ? top + line.height / 2 : top + 6 * unit;
  if (layout.isReadable ? false : !isHeading || y < free) return;
  free = y + 12 * unit;
  paint.fillStyle = ink(isHeading ? "quiet" : "ink");
  paint.font = (isHeading ? "600 " : "") + 11 * unit + "px system-ui, sans-serif";
  paint.fillText(shortened(isHeading ? line.text : line.name, lettersFrom(x)), x, y, layout.margin - 14 * unit);
};
const drawNote = (paint, [code, rounds], top) => {
  paint.fillStyle = ink("quiet");
  paint.fillText(code, 2, top + layout.note / 2 - 1);
  paint.fillStyle = ink("mark");
  for (const [first, last] of rounds) {
    const from = xOf(first - 1);
    paint.fillRect(from, top + 3, Math.max(2, xOf(last - 1) + layout.cell - from), layout.note - 8);
  }
};
// The area of a note about layers: around their rows, in its iterations.
const outlineLayers = (paint, run, rounds) => {
  const lines = layout.lines.filter(({ row }) => row >= run.sources);
  if (!lines.length || chosen.measure !== "norms") return;
  const top = layout.above + lines[0].top, last = lines[lines.length - 1];
  paint.strokeStyle = ink("mark");
  paint.lineWidth = 2;
  for (const [first, until] of rounds) {
    const from = xOf(first - 1), to = xOf(until - 1) + layout.cell;
    paint.strokeRect(from, top, Math.max(2, to - from), layout.above + last.top + last.height - top - 1);
  }
};
// Below the map: the numbers of the iterations.
export const drawAxis = () => {
  const run = theRun(), { unit, margin, width, cell } = layout, paint = sheet($("rounds"), layout.wide, 18 * unit);
  paint.fillStyle = paint.strokeStyle = ink("quiet");
  paint.textAlign = "right";
  paint.fillText("iteration", margin - 10 * unit, 11 * unit);
  paint.textAlign = "center";
  for (const round of ticks(run.iterations, width, 34 * unit)) {
    const x = xOf(round - 1) + cell / 2;
    paint.fillRect(x - .5, 0, 1, 4 * unit);
    paint.fillText(round, Math.min(x, layout.wide - 4 * unit * String(round).length), 11 * unit);
  }
};
// Above the map: the current iteration, the pointed one, and those that are compared.
export const drawPointer = () => {
  const over = sheet($("map-over"), layout.wide, layout.total), run = theRun();
  const here = xOf(iterationAt(run, state.now));
  over.strokeStyle = ink("mark");
  over.lineWidth = 2;
  over.strokeRect(here - 1, 0, Math.max(layout.cell, 1) + 2, layout.total);
  if (chosen.iteration === null) return;
  const from = xOf(Math.min(chosen.iteration, chosen.until ?? chosen.iteration)), to = xOf(Math.max(chosen.iteration, chosen.until ?? chosen.iteration)) + layout.cell;
  over.strokeStyle = ink("ink");
  over.lineWidth = 1;
  if (chosen.until !== null) {
    over.globalAlpha = .12;
    over.fillStyle = ink("ink");
    over.fillRect(from, 0, to - from, layout.total);
    over.globalAlpha = 1;
  }
  const line = layout.lines.find((each) => each.row === chosen.row);
  if (line) over.strokeRect(from - .5, layout.above + line.top - .5, to - from + 1, line.height + 1);
};
