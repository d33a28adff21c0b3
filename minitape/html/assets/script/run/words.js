// The text for the pointed cell, and two iterations side by side.

import { $, el } from "../ground/elements.js";
import { outcomeAt } from "../plain/columns.js";
import { short } from "../plain/numbers.js";
import { rangeOf, timesOf, unlogged } from "../plain/scale.js";
import { layout } from "./layout.js";
import { chosen, theRun } from "./iterations.js";

const SAYS = { ok: "arrived", partial: "incomplete", zero: "zero", none: "None", nan: "nan or inf", error: "error", empty: "no sources", "": "not requested" };
const OF = { norms: "|gradient|", weights: "|weight|", moves: "|update| / |weight|" };

export const measureOf = (run, measure, iteration, row) => run.has[measure] ? run[measure]()[row * run.iterations + iteration] : NaN;
export const measureText = (run, iteration, row) => {
  const log = measureOf(run, chosen.measure, iteration, row), outcome = SAYS[outcomeAt(run.rows[row].stretches, iteration)];
  return OF[chosen.measure] + (Number.isNaN(log) ? " –" : " " + unlogged(log)) + " · " + outcome;
};
// The target in an iteration: a number, inf, nan, or a dash if it is unknown.
const targetText = (run, iteration) => {
  const held = outcomeAt(run.held, iteration);
  return held === "finite" ? short(run.targets()[iteration]) : held || "–";
};
// The first and last iteration of a column.
const sharing = (iteration) => {
  const column = layout.columns.of(iteration);
  return [layout.columns.first(column), layout.columns.last(column)];
};
export const pointed = () => {
  const { iteration, row } = chosen, run = theRun();
  if (iteration === null) return "";
  const [first, last] = sharing(iteration), parts = ["iteration " + (iteration + 1) + " of " + run.iterations];
  if (row !== null) parts.push(run.rows[row].name, measureText(run, iteration, row));
  if (row !== null && last > first) {
    const range = rangeOf(run[chosen.measure]().subarray(row * run.iterations + first, row * run.iterations + last + 1));
    if (range) parts.push("iterations " + (first + 1) + " to " + (last + 1) + ": " + unlogged(range[0]) + " to " + unlogged(range[1]));
  }
  parts.push(run.target + " " + targetText(run, iteration));
  return parts.join(" · ");
};
const inOrder = () => chosen.iteration < chosen.until ? [chosen.iteration, chosen.until] : [chosen.until, chosen.iteration];
export const compared = () => {
  const run = theRun(), [then, now] = inOrder();
  return "iterations " + (then + 1) + " to " + (now + 1) + " of " + run.iterations + " · " + run.target + " " + targetText(run, then) + " → " + targetText(run, now);
};
const asRow = (tag, ...texts) => {
  const row = el("tr");
  row.append(...texts.map((text) => el(tag, text)));
  return row;
};
// The earlier value, the current value and the ratio, for the target and then for each source. The sources with different outcomes come first.
export const compare = (one, other, go) => {
  const run = theRun(), [then, now] = one < other ? [one, other] : [other, one];
  const table = el("table"), head = asRow("th", OF[chosen.measure], "iteration " + (then + 1), "iteration " + (now + 1), "times", "result");
  table.append(head);
  [then, now].forEach((iteration, k) => {
    const button = el("button", "go to iteration " + (iteration + 1));
    button.type = "button";
    button.addEventListener("click", () => go(iteration));
    head.children[k + 1].replaceChildren(button);
  });
  const [was, is] = [then, now].map((iteration) => Math.log10(run.targets()[iteration]));
  table.append(asRow("td", run.target, targetText(run, then), targetText(run, now), timesOf(was, is), ""));
  const compared = run.rows.map((row, k) => {
    const logs = [then, now].map((iteration) => measureOf(run, chosen.measure, iteration, k));
    const says = [then, now].map((iteration) => SAYS[outcomeAt(row.stretches, iteration)]);
    const isChanged = says[0] !== says[1], line = asRow("td", row.name, ...logs.map(unlogged), timesOf(...logs), isChanged ? says.join(" → ") : says[0]);
    if (isChanged) line.className = "changed";
    return { line, isChanged };
  });
  table.append(...compared.sort((a, b) => b.isChanged - a.isChanged).map(({ line }) => line));
  $("compared").replaceChildren(table);
  $("compared").hidden = false;
};
