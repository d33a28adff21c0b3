// The page on paper: the overview if it is open, the results, the source, the final picture, and the steps as a table.

import { D, T, calls, count } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { showPicture } from "../picture/showing.js";
import { sizeOf } from "../picture/zoom.js";
import { layOnPaper, takeFromPaper } from "../run/paper.js";
import { files } from "../source.js";

const PAGE_HIGH = 1000; // pixels; a larger picture gets its own page
const LISTED = 40; // steps in the table; of a longer run, only those around problems are listed
const LONG = 80; // lines; of a longer file, only the lines that ran are printed, with the lines around them

const callNow = () => calls.get(state.pinned ?? D.call[state.now]);

const makeHandout = () => {
  if (!count) return;
  layOnPaper();
  const call = callNow(), first = call ? call.first : 0, last = call ? call.last : count - 1;
  files.forEach(markFar);
  $("handout").replaceChildren(...tableOf(chosenSteps(first, last), last - first + 1));
  showPicture(last);
  if (state.shown) state.shown.figure.classList.toggle("tall", sizeOf(state.shown).height > PAGE_HIGH);
};
const markFar = (file) => {
  const lines = [...file.children], isMarked = lines.map((line) => line.matches(".ran, .bad"));
  const isNear = (k) => isMarked.slice(Math.max(0, k - 3), k + 4).some(Boolean);
  lines.forEach((line, k) => line.classList.toggle("far", lines.length > LONG && !isNear(k)));
};
const chosenSteps = (first, last) => {
  const all = Array.from({ length: last - first + 1 }, (_, k) => first + k);
  if (all.length <= LISTED) return all;
  const wrong = D.moves.problems.filter((i) => i >= first && i <= last).slice(0, LISTED / 4);
  const near = new Set(wrong.flatMap((i) => [i - 1, i, i + 1]));
  const room = (LISTED - near.size) / 2;
  return all.filter((i) => i - first < room || last - i < room || near.has(i));
};
const tableOf = (steps, all) => {
  const table = el("table"), head = el("tr"), body = el("tbody"), top = el("thead");
  for (const name of ["step", "line", "event", "values and rules"]) head.append(el("th", name));
  top.append(head);
  let before = steps[0] - 1;
  for (const i of steps) {
    if (i > before + 1) body.append(gapRow(i - before - 1));
    body.append(rowOf(i));
    before = i;
  }
  table.append(top, body);
  const title = el("h2", steps.length === all ? "The steps" : "The steps: " + steps.length + " of " + all.toLocaleString("en"));
  return [title, table];
};
const gapRow = (many) => {
  const row = el("tr"), cell = el("td", "… " + many.toLocaleString("en") + (many === 1 ? " step" : " steps"), "muted");
  cell.colSpan = 4;
  row.append(cell);
  return row;
};
const rowOf = (i) => {
  const row = el("tr", undefined, D.phase[i] + (i in D.problem ? " bad" : "")), place = D.place[i];
  const what = el("td"), facts = el("td");
  what.append(el("b", T[D.what[i]]), el("div", T[D.label[i]], "muted"));
  if (i in D.problem) what.append(el("div", "! " + T[D.problem[i]], "problem"));
  for (const [label, text] of D.facts[i]) {
    const fact = el("span", undefined, "fact");
    if (T[label]) fact.append(el("span", T[label] + " ", "muted"));
    fact.append(T[text]);
    facts.append(fact);
  }
  if (state.notes[i]) facts.append(el("div", "✎ " + state.notes[i], "note"));
  row.append(el("td", String(i + 1)), el("td", place ? String(place[1]) : ""), what, facts);
  return row;
};
const putBack = () => {
  $("handout").replaceChildren();
  if (count) showPicture(state.now);
  takeFromPaper();
};
export const setUpHandout = () => {
  addEventListener("beforeprint", makeHandout);
  addEventListener("afterprint", putBack);
};
