// The zoom and position of the visible picture.

import { $ } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { broughtIn, fitted, zoomed } from "../plain/view.js";
import { drawMinimap } from "./minimap.js";
import { figures } from "./figures.js";

export const place = () => {
  const { x, y, scale } = state.shown.view;
  requestAnimationFrame(drawMinimap);
  state.shown.canvas.style.transform = "translate(" + x + "px," + y + "px) scale(" + scale + ")";
};
export const sizeOf = (figure) => {
  const svg = figure.canvas.firstElementChild;
  return { width: svg.clientWidth || svg.getBoundingClientRect().width, height: svg.clientHeight || svg.getBoundingClientRect().height };
};
// The scale at which the smallest text of a picture has 12 pixels.
const leastScale = (figure) => {
  if (figure.least === undefined) {
    const sizes = [...figure.canvas.querySelectorAll("text[font-size]")].map((text) => parseFloat(text.getAttribute("font-size")));
    const svg = figure.canvas.firstElementChild, unit = sizeOf(figure).width / svg.viewBox.baseVal.width || 1;
    figure.least = sizes.length ? 12 / (unit * Math.min(12, ...sizes)) : 1;
  }
  return figure.least;
};
export const fit = (isWhole) => {
  const { shown } = state;
  if (!shown) return;
  shown.canvas.style.transform = "none";
  shown.view = fitted($("pictures").getBoundingClientRect(), sizeOf(shown), isWhole, state.type * leastScale(shown));
  place();
  if (!isWhole) followCard();
};
// Fit all pictures to a new size of the pane or text; a picture that the reader has moved is not changed.
export const fitAgain = () => {
  const { shown } = state;
  for (const each of figures) if (!each.view || !each.view.isOwn) each.view = null;
  if (shown && !shown.view) fit();
  else followCard();
};
export const fitOrFollow = () => {
  const { shown } = state, scale = shown && shown.view.scale;
  fit(true);
  if (shown && Math.abs(shown.view.scale - scale) < .001) fit();
};
export const zoom = (factor, x, y) => {
  const { shown } = state;
  if (!shown) return;
  const pane = $("pictures").getBoundingClientRect();
  shown.view = zoomed({ ...shown.view, isOwn: true }, factor, x === undefined ? pane.width / 2 : x - pane.left, y === undefined ? pane.height / 2 : y - pane.top);
  place();
};
// Scroll to the node of the step.
export const followCard = () => {
  const { shown } = state;
  if (!shown || !shown.lit.length) return;
  const view = broughtIn(shown.view, $("pictures").getBoundingClientRect(), shown.lit[0].getBoundingClientRect(), sizeOf(shown));
  if (view === shown.view) return;
  shown.view = view;
  place();
};
