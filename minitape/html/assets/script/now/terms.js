// The terms of a gradient: the contributions whose sum it is.

import { D, T, calls } from "../ground/data.js";
import { el } from "../ground/elements.js";
import { writeAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { figures } from "../picture/figures.js";
import { detail } from "./detail.js";

export const whereFrom = (id) => {
  const call = calls.get(state.pinned ?? D.call[state.now]);
  const own = gradientsOf(figures.indexOf(state.shown) + " " + id).filter(({ terms: [[step]] }) => !call || step >= call.first && step <= call.last);
  if (!own.length) return tellOf(id, "no gradient arrives here");
  const labels = D.facts[state.now].map(([label]) => T[label].replace(/ =$/, ""));
  const { name, terms: mine } = own.findLast((each) => labels.includes(each.name)) ?? own.findLast(({ terms: [[step]] }) => step <= state.now) ?? own[0];
  const table = el("table", undefined, "sums"), head = el("tr");
  head.append(el("th", "from"), el("th", "contribution"), el("th", "running sum"));
  table.append(head);
  const iterationOf = ([step]) => T[D.iteration[step]], isFromIterations = mine.some((term) => iterationOf(term) !== iterationOf(mine[0]));
  for (const term of mine) {
    const [step, origin, amount, sum] = term;
    const row = el("tr"), link = el("a", T[origin] + (isFromIterations ? ", " + iterationOf(term) : "")), cell = el("td");
    link.href = "#" + (step + 1);
    cell.append(link);
    row.append(cell, amountCell(T[amount]), amountCell(step <= state.now ? T[sum] : "later"));
    table.append(row);
  }
  return tellOf(id, "terms of " + name, table);
};
// A line may break after a shape and after the dots of a range, so that no number is split.
const amountCell = (text) => {
  const cell = el("td");
  cell.append(...text.split(/(?<=\] |\.\.)/).flatMap((part) => [part, el("wbr")]));
  return cell;
};
// A node has one gradient in each iteration; a collapsed node has several.
const gradientsOf = (card) => {
  const terms = D.terms[card] || [];
  let at = 0;
  return (D.summed[card] || []).map(([name, many]) => ({ name: T[name], terms: terms.slice(at, at += many) }));
};
const tellOf = (id, ...parts) => {
  detail(...parts);
  state.card = id;
  writeAddress(false);
};
