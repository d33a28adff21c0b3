// The list of steps: only those near the current one; a few rows are added when they run out.

import { D, T, count } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { jump } from "../ground/going.js";
import { named } from "../ground/names.js";

const WINDOW = 60; // the number of rows on either side
const STRIDE = 16; // rows added at a time: adding all of them takes too long for a held key
const LONG_NAME = 26; // characters
const earlier = el("li", "", "more"), later = el("li", "", "more");
const folded = new Set(D.moves.after); // values that leave after the last gradient are one row until the reader opens it or goes there
let isOpened = false;
let firstListed = 0, endListed = 0, currentRow = null;

export const showSteps = (i) => {
  const list = $("steps"), isListed = i >= firstListed && i < endListed;
  if (!isListed) listFrom(i - WINDOW, i + WINDOW + 1);
  else if (i - firstListed < 6 && firstListed > 0) listFrom(firstListed - STRIDE, endListed - STRIDE);
  else if (endListed - i < 6 && endListed < count) listFrom(firstListed + STRIDE, endListed + STRIDE);
  if (currentRow) currentRow.removeAttribute("aria-current");
  currentRow = list.children[i - firstListed + 1];
  currentRow.setAttribute("aria-current", "step");
  list.classList.toggle("folds", !isOpened && !folded.has(i));
  // The height of the list depends on the facts above it, so its position is known only after their layout.
  requestAnimationFrame(() => {
    const top = currentRow.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop, room = list.clientHeight;
    if (!isListed || top < list.scrollTop || top > list.scrollTop + room - 2 * currentRow.offsetHeight) list.scrollTop = top - room / 2;
  });
};
const titleOf = (what) => what.length < LONG_NAME ? el("b", what) : named("b", what);
// The first name is shortened at the start, so that the text after it is visible.
const withoutMiddle = (text) => {
  const at = text.indexOf(" · ");
  return at < LONG_NAME ? [text] : [named("span", text.slice(0, at)), text.slice(at)];
};
const listRow = (k) => {
  const row = el("li", undefined, D.phase[k] + (k in D.problem ? " bad" : ""));
  row.append(titleOf(T[D.what[k]]), " ", ...withoutMiddle(T[D.label[k]]));
  row.dataset.step = k;
  if (folded.has(k)) row.classList.add("noise");
  if (k === D.moves.after[0]) {
    row.classList.add("first");
    row.append(el("span", "… " + folded.size.toLocaleString("en") + " values leave after the last gradient", "all"));
  }
  row.title = row.textContent;
  row.setAttribute("aria-posinset", k + 1);
  row.setAttribute("aria-setsize", count);
  return row;
};
const listRows = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, k) => listRow(from + k));
// Rows that already exist are not changed.
const listFrom = (from, to) => {
  from = Math.max(0, from);
  to = Math.min(count, to);
  if (from >= endListed || to <= firstListed) $("steps").replaceChildren(earlier, ...listRows(from, to), later);
  else {
    for (let k = firstListed; k < from; k++) earlier.nextSibling.remove();
    for (let k = to; k < endListed; k++) later.previousSibling.remove();
    earlier.after(...listRows(from, firstListed));
    later.before(...listRows(endListed, to));
  }
  [firstListed, endListed] = [from, to];
  earlier.hidden = from === 0;
  earlier.textContent = "… " + from.toLocaleString("en") + " before";
  later.hidden = to === count;
  later.textContent = "… " + (count - to).toLocaleString("en") + " after";
};
export const setUpSteps = () => $("steps").addEventListener("click", (event) => {
  const row = event.target.closest("[data-step]");
  if (row && row.matches(".folds .noise")) { isOpened = true; $("steps").classList.remove("folds"); return; }
  if (row) jump(Number(row.dataset.step));
});
