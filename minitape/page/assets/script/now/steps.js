// The list of steps: those near this one, made anew only when they run out.

import { D, T, count } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { jump } from "../ground/going.js";
import { named } from "../ground/names.js";

const WINDOW = 60;
const LONG_NAME = 26; // letters
let listed = [0, 0], currentRow = null;

export const showSteps = (i) => {
  const list = $("steps"), [from, to] = listed;
  const isNear = i >= from && i < to && (i - from > 5 || from === 0) && (to - i > 5 || to === count);
  if (!isNear) listSteps(i);
  if (currentRow) currentRow.removeAttribute("aria-current");
  currentRow = list.children[i - listed[0] + (listed[0] > 0 ? 1 : 0)];
  currentRow.setAttribute("aria-current", "step");
  // The facts above decide how much room the list has: where it stands is known when they are laid out.
  requestAnimationFrame(() => {
    const top = currentRow.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop, room = list.clientHeight;
    if (!isNear || top < list.scrollTop || top > list.scrollTop + room - 2 * currentRow.offsetHeight) list.scrollTop = top - room / 2;
  });
};
const titleOf = (what) => what.length < LONG_NAME ? el("b", what) : named("b", what);
// The name that comes first keeps its end, and what is said of it is seen.
const withoutMiddle = (said) => {
  const at = said.indexOf(" · ");
  return at < LONG_NAME ? [said] : [named("span", said.slice(0, at)), said.slice(at)];
};
const listSteps = (i) => {
  const from = Math.max(0, i - WINDOW), to = Math.min(count, i + WINDOW + 1), rows = [];
  if (from > 0) rows.push(el("li", "… " + from.toLocaleString("en") + " before", "more"));
  for (let k = from; k < to; k++) {
    const row = el("li", undefined, D.phase[k] + (k in D.problem ? " bad" : ""));
    row.append(titleOf(T[D.what[k]]), " ", ...withoutMiddle(T[D.said[k]]));
    row.dataset.step = k;
    row.title = row.textContent;
    row.setAttribute("aria-posinset", k + 1);
    row.setAttribute("aria-setsize", count);
    rows.push(row);
  }
  if (to < count) rows.push(el("li", "… " + (count - to).toLocaleString("en") + " after", "more"));
  $("steps").replaceChildren(...rows);
  listed = [from, to];
  currentRow = null;
};
export const setUpSteps = () => $("steps").addEventListener("click", (event) => {
  const row = event.target.closest("[data-step]");
  if (row) jump(Number(row.dataset.step));
});
