// The target over the iterations, as a line above the map, on a logarithmic scale if it changes by a factor of a hundred.

import { $ } from "../ground/elements.js";
import { merged } from "../plain/columns.js";
import { isLogarithmic, portion, rangeOf, unlogged } from "../plain/scale.js";
import { short } from "../plain/numbers.js";
import { ink } from "./colors.js";
import { layout, sheet } from "./layout.js";
import { theRun } from "./iterations.js";

const CURVE = 90, PAD = 12; // for text of the default size

export const drawCurve = () => {
  const run = theRun(), values = run.targets(), isLog = isLogarithmic(values);
  const shown = isLog ? values.map(Math.log10) : values, range = rangeOf(shown);
  const { unit, margin } = layout, high = CURVE * unit, pad = PAD * unit, paint = sheet($("curve"), layout.wide, high);
  const y = (value) => high - pad - (high - 2 * pad) * portion(value, range);
  paint.fillStyle = ink("ink");
  paint.fillText((run.isMean ? "mean of " : "") + run.target, 2, high / 2, margin - 70 * unit);
  if (!range) return;
  const words = (value) => isLog ? unlogged(value) : short(value);
  paint.fillStyle = ink("quiet");
  if (isLog) paint.fillText("log scale", 2, high / 2 + 14 * unit);
  paint.textAlign = "right";
  paint.fillText(words(range[1]), margin - 6, pad);
  paint.fillText(words(range[0]), margin - 6, high - pad);
  paint.strokeStyle = ink("rule");
  for (const edge of range) paint.strokeRect(margin, y(edge), layout.width, 0);
  drawValues(paint, merged(shown, 0, run.iterations, layout.columns), y);
};
// From the largest to the smallest number of each column, and on to the next column; a mark at the top for a missing number.
const drawValues = (paint, { low, high }, y) => {
  paint.strokeStyle = ink("ink");
  paint.lineWidth = 1.5;
  paint.beginPath();
  let isOn = false;
  high.forEach((most, column) => {
    const x = layout.margin + (column + .5) * layout.cell;
    if (Number.isNaN(most)) { isOn = false; return; }
    if (isOn) paint.lineTo(x, y(most)); else paint.moveTo(x, y(most));
    paint.lineTo(x, Math.max(y(low[column]), y(most) + .5));
    isOn = true;
  });
  paint.stroke();
  paint.fillStyle = ink("lost");
  high.forEach((most, column) => {
    if (Number.isNaN(most)) paint.fillRect(layout.margin + column * layout.cell, 0, Math.max(1, layout.cell - .5), 4);
  });
};
