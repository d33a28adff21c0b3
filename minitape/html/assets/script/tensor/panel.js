// The panel of a tensor: cells, bars, an image or a histogram, and the controls around them.

import { D, T } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { indexIn, offsetOf } from "../plain/shapes.js";
import { leading, viewsOf } from "../plain/sheets.js";
import { detail } from "../now/detail.js";
import { NONE, board, isSummary, lay, sheetNow } from "./board.js";
import { otherOf } from "./pairs.js";
import { goToCell, setUpPointing, tell } from "./pointing.js";
import { statistics } from "./statistics.js";

const ZOOM = 1.5;

export const showTensor = (fact, how = {}) => build({ fact, view: null, at: [], zoom: 1, cursor: NONE, isEvery: false, isCommon: false, ...how });

// From step to step: the same line of the next step, if it has a tensor.
export const followTensor = (step) => {
  const looked = state.looked;
  if (!looked) return;
  const next = D.facts[step].find(([label, , , at]) => at !== undefined && T[label] === T[looked.fact.label]);
  if (!next) { state.looked = null; return; }
  const [label, text, tone, at, of] = next;
  build({ ...looked, fact: { label, text, tone, at, of } });
};
export const repaintTensor = () => { if (state.looked?.view) lay(); };

const build = (looked) => {
  const { fact } = looked, tensor = D.tensors[fact.at], views = viewsOf(tensor), isEmpty = !views.length;
  looked.tensor = tensor;
  looked.other = otherOf(fact, state.now);
  if (!views.includes(looked.view)) looked.view = views[0] ?? null;
  const shape = "shape (" + tensor.shape.join(", ") + ")  " + tensor.dtype + (isEmpty ? ": no elements" : "");
  const parts = isEmpty ? [] : [...buttons(looked, views), ...sliders(looked), ...readings(), board(), el("p", "", "scale")];
  detail((T[fact.label] + " " + T[fact.text]).trim(), el("p", shape, "muted"), ...parts, statistics(tensor, goToElement));
  if (isEmpty) return;
  state.looked = looked;
  setUpPointing($("detail").querySelector(".sheet"));
  lay();
  if (looked.cursor !== NONE) tell(false);
};
const readings = () => {
  const aloud = el("p", "", "sr-only");
  aloud.setAttribute("aria-live", "polite");
  return [el("p", "", "reading"), aloud];
};
// The sheet that contains the element, with the cursor on it.
const goToElement = (place) => {
  const looked = state.looked, { shape } = looked.tensor, view = ["cells", "bars"].includes(looked.view) ? looked.view : viewsOf(looked.tensor)[0];
  const at = indexIn(shape, place).slice(0, -2), isWhole = !isSummary(looked);
  build({ ...looked, view, at, isEvery: looked.isEvery || isWhole });
  goToCell(isWhole ? place - offsetOf(shape, at) : blockOf(state.looked, place));
};
// For a tensor with only means, the block that contains it.
const blockOf = ({ tensor, sheet }, place) => tensor.blocks.least === place ? sheet.marks.least : sheet.marks.most;

// --- views ---

const row = (name) => {
  const made = el("p", undefined, "views");
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", name);
  return made;
};
// It changes the view of the tensor; `isOn` is null if it is not a toggle.
const button = (looked, text, isOn, change) => {
  const made = el("button", text);
  made.type = "button";
  made.dataset.name = text;
  if (isOn !== null) made.setAttribute("aria-pressed", String(isOn));
  made.addEventListener("click", () => {
    build({ ...looked, ...change });
    [...$("detail").querySelectorAll("[data-name]")].find((each) => each.dataset.name === text)?.focus();
  });
  return made;
};
const buttons = (looked, views) => {
  const { view, isEvery, isCommon, zoom, other } = looked, ways = row("display");
  if (views.length > 1) ways.append(...views.map((each) => button(looked, each, each === view, { view: each, cursor: NONE })));
  if (sheetNow(looked).isLarge) ways.append(button(looked, "every cell", isEvery, { isEvery: !isEvery, cursor: NONE }));
  ways.append(button(looked, "−", null, { zoom: zoom / ZOOM }), button(looked, "+", null, { zoom: zoom * ZOOM }));
  if (!other) return [ways];
  const name = T[other.label].replace(/ (=|is|was)$/, ""), pair = row("related tensor");
  pair.append(button(looked, "same scale as " + name, isCommon, { isCommon: !isCommon }), button(looked, "show " + name, null, { fact: other }));
  return [ways, pair];
};
const sliders = (looked) => {
  if (looked.view === "histogram" || isSummary(looked)) return [];
  return leading(looked.tensor.shape, looked.view).map((length, axis) => {
    const label = el("label", "axis " + axis + " ", "axis-slider"), slider = el("input"), text = el("output");
    looked.at[axis] = Math.min(looked.at[axis] || 0, length - 1);
    text.textContent = looked.at[axis];
    Object.assign(slider, { type: "range", min: 0, max: length - 1, value: looked.at[axis] });
    slider.addEventListener("input", () => {
      state.looked.at[axis] = Number(slider.value);
      text.textContent = slider.value;
      lay();
      tell(true);
    });
    label.append(slider, text);
    return label;
  });
};
