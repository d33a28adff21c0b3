// The sheet on its canvas: as large as space permits; only the visible part is painted.

import { D } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { colored, short } from "../plain/numbers.js";
import { leading, sheetOf } from "../plain/sheets.js";
import { paletteNow } from "./colors.js";
import { paintSheet, sizesOf } from "./painting.js";

export const NONE = -1; // no cell is selected
const HEIGHT = .36; // of the window, less than what page.css allows the sheet

export const board = () => {
  const pane = el("div", undefined, "sheet"), space = el("div");
  space.append(el("canvas"));
  pane.append(space);
  pane.tabIndex = 0;
  pane.setAttribute("role", "application");
  pane.setAttribute("aria-label", "elements; move with the arrow keys");
  pane.addEventListener("scroll", repaint);
  return pane;
};
export const box = () => $("detail").querySelector(".sheet");

// A tensor that the trace does not contain completely has only means.
export const isSummary = ({ tensor }) => tensor.data === undefined && tensor.packed === undefined;
export const sheetNow = (looked) => {
  const at = leading(looked.tensor.shape, looked.view).map((_, axis) => looked.at[axis] || 0);
  return sheetOf(looked.tensor, looked.view, at, looked.isEvery);
};
// The sheet for the positions of the sliders.
export const lay = () => {
  const looked = state.looked, space = box().firstChild;
  looked.sheet = sheetNow(looked);
  looked.sizes = sizesOf(looked.sheet, { width: box().clientWidth, height: HEIGHT * innerHeight }, looked.zoom, state.type);
  space.style.width = looked.sizes.width + "px";
  space.style.height = looked.sizes.height + "px";
  if (looked.cursor >= looked.sheet.rows * looked.sheet.columns) looked.cursor = NONE;
  repaint();
  explainColors(looked);
};
export const repaint = () => {
  const { sheet, sizes, cursor } = state.looked, canvas = box().querySelector("canvas");
  const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = box(), paint = canvas.getContext("2d");
  if (canvas.width !== Math.round(width * devicePixelRatio) || canvas.height !== Math.round(height * devicePixelRatio)) {
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(height * devicePixelRatio);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  paint.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  const look = { colors: paletteNow(), scale: scaleOf(state.looked), unit: state.type, cursor };
  paintSheet(paint, sheet, sizes, { left, top, width, height }, look);
};
// The value of the deepest color: the largest number of the tensor, or of its gradient too; for means, the largest of them.
const scaleOf = (looked) => {
  const largest = (tensor) => Math.max(Math.abs(tensor.min ?? 0), Math.abs(tensor.max ?? 0));
  if (looked.isCommon && looked.other) return Math.max(largest(looked.tensor), largest(D.tensors[looked.other.at])) || 1;
  if (!isSummary(looked) && !looked.sheet.isMeans) return largest(looked.tensor) || 1;
  return looked.sheet.values.reduce((most, value) => Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most, 0) || 1;
};
const explainColors = (looked) => {
  const { kind, isText, note } = looked.sheet, most = short(scaleOf(looked));
  const swatch = ([text, hue, depth]) => {
    const made = el("span", text);
    made.style.background = colored("var(--" + hue + ")", depth);
    return made;
  };
  const all = [["−" + most, "minus", 80], ["−", "minus", 30], ["0 ·", "plus", 0], ["+", "plus", 30], ["+" + most, "plus", 80]];
  const isColored = kind === "bars" || kind === "cells" && !isText;
  $("detail").querySelector(".scale").replaceChildren(...isColored ? all.map(swatch) : [], el("span", note || "", "muted"));
};
