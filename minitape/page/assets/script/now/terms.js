// Where a gradient comes from: the amounts that it is the sum of.

import { D, T, calls } from "../ground/data.js";
import { el } from "../ground/elements.js";
import { writeAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { figures } from "../picture/figures.js";
import { detail } from "./detail.js";

export const whereFrom = (id) => {
  const terms = state.shown ? D.terms[figures.indexOf(state.shown) + " " + id] : undefined;
  const call = calls.get(state.pinned ?? D.call[state.now]);
  const mine = (terms || []).filter(([step]) => !call || step >= call.first && step <= call.last);
  if (!mine.length) return tellOf(id, "no gradient arrived here");
  const table = el("table"), head = el("tr");
  head.append(el("th", "from"), el("th", "amount"), el("th", "sum then"));
  table.append(head);
  for (const [step, origin, amount, sum] of mine) {
    const row = el("tr"), link = el("a", T[origin]), cell = el("td");
    link.href = "#" + (step + 1);
    cell.append(link);
    row.append(cell, el("td", T[amount]), el("td", step <= state.now ? T[sum] : "later"));
    table.append(row);
  }
  return tellOf(id, "where this gradient comes from", table);
};
const tellOf = (id, ...parts) => {
  detail(...parts);
  state.card = id;
  writeAddress(false);
};
