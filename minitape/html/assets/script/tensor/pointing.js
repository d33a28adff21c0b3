// Each number in full, under the pointer and the arrow keys.
//
// Code that follows an element listens for "element": it bubbles from the sheet when a cell is clicked or Enter is pressed,
// with the step, the text of the fact, the value (its id in the trace), the tensor's index in the data, and the index.

import { T } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { NONE, box, lay, repaint } from "./board.js";

export const setUpPointing = (pane) => {
  pane.addEventListener("pointermove", point);
  pane.addEventListener("click", (event) => { point(event); choose(); });
  pane.addEventListener("keydown", onKey);
};
const point = (event) => {
  const looked = state.looked, { left, top } = box().getBoundingClientRect(), { w, h } = looked.sizes, { rows, columns } = looked.sheet;
  const j = Math.floor((event.clientX - left - box().clientLeft + box().scrollLeft) / w);
  const i = Math.floor((event.clientY - top - box().clientTop + box().scrollTop) / h);
  const cursor = i >= 0 && i < rows && j >= 0 && j < columns ? i * columns + j : NONE;
  if (cursor === looked.cursor) return;
  looked.cursor = cursor;
  tell(false);
};
// The number under the cursor; announced to screen readers only after a key press.
export const tell = (isAloud) => {
  const { sheet, cursor } = state.looked, text = cursor === NONE ? "" : sheet.text(cursor);
  $("detail").querySelector(".reading").textContent = text;
  if (isAloud) $("detail").querySelector("[aria-live]").textContent = text;
  repaint();
};
// The cursor on a cell, from which the keys continue.
export const goToCell = (cell) => {
  state.looked.cursor = cell;
  box().focus();
  bringToSight(state.looked);
  tell(true);
};
const choose = () => {
  const { sheet, cursor, fact } = state.looked, index = cursor === NONE ? null : sheet.index(cursor);
  if (!index) return;
  const detail = { step: state.now, label: T[fact.label], tone: fact.tone, of: fact.of, tensor: fact.at, index };
  box().dispatchEvent(new CustomEvent("element", { bubbles: true, detail }));
};

const MOVES = {
  ArrowRight: (k, columns, size) => Math.min(size - 1, k + 1),
  ArrowLeft: (k) => Math.max(0, k - 1),
  ArrowDown: (k, columns, size) => k + columns < size ? k + columns : k,
  ArrowUp: (k, columns) => k - columns >= 0 ? k - columns : k,
  Home: (k, columns) => k - k % columns,
  End: (k, columns) => k - k % columns + columns - 1,
};
const ZOOMS = { "+": 1.5, "-": 1 / 1.5 };
const onKey = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const looked = state.looked, move = MOVES[event.key], { columns, rows } = looked.sheet;
  if (move) looked.cursor = looked.cursor === NONE ? 0 : move(looked.cursor, columns, rows * columns);
  else if (event.key === "Enter" || event.key === " ") choose();
  else if (event.key in ZOOMS) { looked.zoom *= ZOOMS[event.key]; lay(); }
  else return;
  event.preventDefault();
  event.stopPropagation();
  if (move) { bringToSight(looked); tell(true); }
};
const bringToSight = ({ cursor, sizes: { w, h }, sheet: { columns } }) => {
  const pane = box(), x = cursor % columns * w, y = Math.floor(cursor / columns) * h;
  if (x < pane.scrollLeft || x + w > pane.scrollLeft + pane.clientWidth) pane.scrollLeft = x - pane.clientWidth / 2;
  if (y < pane.scrollTop || y + h > pane.scrollTop + pane.clientHeight) pane.scrollTop = y - pane.clientHeight / 2;
};
