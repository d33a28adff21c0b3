// All numbers of a tensor, as a heat-map; of a large one, the means of at most sixteen stretches.

import { el } from "../ground/elements.js";
import { colorOf, rowsOf, scaleOf, short } from "../plain/numbers.js";
import { detail } from "./detail.js";

const STATISTICS = ["min", "max", "mean", "std", "l2", "zeros", "nan", "inf"];

export const tensor = (title, of) => {
  const rows = rowsOf(of), scale = scaleOf(rows), table = el("table", undefined, "heat");
  for (const each of rows) {
    const row = el("tr");
    for (const number of each) row.append(heat(number, scale));
    table.append(row);
  }
  const parts = [el("p", "shape (" + of.shape.join(", ") + ")  " + of.dtype, "muted"), table];
  if (of.data === undefined) parts.push(el("p", "the means of " + rows[0].length + " equal stretches", "muted"));
  const facts = STATISTICS.filter((key) => of[key] !== undefined && of[key] !== null);
  parts.push(el("p", facts.map((key) => key + " " + short(of[key])).join("   ")));
  detail(title, ...parts);
};
const heat = (number, scale) => {
  const cell = el("td", short(number));
  cell.title = String(number);
  cell.style.background = colorOf(number, scale);
  return cell;
};
