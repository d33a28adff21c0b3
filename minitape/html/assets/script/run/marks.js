// The marks of a source instead of a number, on the map.

import { SEVERITY, blanksOf, marksOf } from "../plain/columns.js";
import { LETTERS, ink, patternOf } from "./colors.js";
import { layout } from "./layout.js";
import { chosen, theRun } from "./iterations.js";

const SEEN = 3; // the smallest width at which one iteration among thousands is visible
const ZERO = SEVERITY.indexOf("zero"), BARE = SEVERITY.length;

// The outcome instead of a norm; for another measure, whether it is 0 or missing.
const ranksOf = (row) => {
  const run = theRun(), { columns } = layout, isNorms = chosen.measure === "norms";
  const marks = isNorms ? marksOf(run.rows[row].stretches, columns) : new Uint8Array(columns.count);
  const blanks = run.has[chosen.measure] ? blanksOf(run[chosen.measure](), row * run.iterations, run.iterations, columns) : null;
  return marks.map((mark, column) => {
    if (SEVERITY[mark] !== "" && SEVERITY[mark] !== "ok") return mark;
    const blank = blanks ? blanks[column] : 2;
    return blank === 2 ? BARE : blank === 1 ? ZERO : mark;
  });
};
// In runs of columns with the same mark; letters if they are legible. Returns whether there are columns with neither number nor mark.
export const drawMarks = (paint, row, top, height) => {
  const { columns, cell, margin, unit } = layout, marks = ranksOf(row);
  const isSpelt = cell >= 10 * unit && height >= 10 * unit;
  for (let from = 0; from < columns.count;) {
    let to = from + 1;
    while (to < columns.count && marks[to] === marks[from]) to++;
    const name = SEVERITY[marks[from]], pattern = patternOf(paint, marks[from]);
    if (pattern) {
      paint.fillStyle = pattern;
      paint.fillRect(margin + from * cell, top, Math.max((to - from) * cell, SEEN), height);
      if (isSpelt) for (let column = from; column < to; column++) spell(paint, LETTERS[name], margin + (column + .5) * cell, top + height / 2);
    }
    from = to;
  }
  return marks.includes(BARE);
};
const spell = (paint, letter, x, y) => {
  paint.fillStyle = ink("paper");
  paint.fillRect(x - 4.5 * layout.unit, y - 5 * layout.unit, 9 * layout.unit, 10 * layout.unit);
  paint.fillStyle = ink("ink");
  paint.textAlign = "center";
  paint.fillText(letter, x, y + .5);
  paint.textAlign = "left";
};
