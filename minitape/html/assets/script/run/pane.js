// The overview in place of the page: opening, closing, drawing, and its texts.

import { $ } from "../ground/elements.js";
import { jump, writeAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { SEVERITY } from "../plain/columns.js";
import { unlogged } from "../plain/scale.js";
import { ink, mixColors, patternOf, shadeOf } from "./colors.js";
import { drawCurve } from "./curve.js";
import { sheet } from "./layout.js";
import { drawMap, drawPointer, drawAxis } from "./map.js";
import { chosen, runAt, runs, stepOf, theRun } from "./iterations.js";
import { compare, compared, pointed } from "./words.js";

// Draw again, for a new size, theme, call or measure.
export const drawRun = () => {
  if (!state.atRun) return;
  mixColors();
  const { range, hasBare } = drawMap();
  drawCurve();
  drawAxis();
  drawPointer();
  drawKey(range);
  $("no-number").hidden = !hasBare;
};
const drawKey = (range) => {
  const paint = sheet($("scale"), 120, 12);
  for (let x = 0; x < 120; x++) {
    paint.fillStyle = "rgb(" + shadeOf(x, [0, 119]).join(" ") + ")";
    paint.fillRect(x, 0, 1, 12);
  }
  $("scale-announcement").textContent = unlogged(range[0]) + " to " + unlogged(range[1]) + ", log scale";
  for (const canvas of document.querySelectorAll("[data-mark]")) {
    const swatch = sheet(canvas, 22, 12);
    swatch.fillStyle = "rgb(" + shadeOf(.6, [0, 1]).join(" ") + ")";
    if (canvas.dataset.mark === "partial") swatch.fillRect(0, 0, 22, 12);
    swatch.fillStyle = patternOf(swatch, SEVERITY.indexOf(canvas.dataset.mark)) ?? ink("paper");
    swatch.fillRect(0, 0, 22, 12);
    swatch.strokeStyle = ink("rule");
    swatch.strokeRect(.5, .5, 21, 11);
  }
};
// The marker follows the steps.
export const showRun = () => {
  if (state.atRun) drawPointer();
};
export const choosePlace = (iteration, row) => {
  chosen.iteration = iteration;
  chosen.row = row;
  showRun();
  if (iteration !== null) $("run-announcement").textContent = pointed();
};
export const goTo = (iteration, row) => {
  leaveTo(row === null ? theRun().requested[iteration] : stepOf(theRun(), iteration, row));
};
export const compareTo = (iteration) => {
  chosen.until = iteration;
  showRun();
  if (iteration === chosen.iteration) {
    endComparing();
    $("run-announcement").textContent = pointed();
    return;
  }
  compare(chosen.iteration, iteration, (each) => goTo(each, null));
  $("run-announcement").textContent = compared();
};
export const endComparing = () => {
  chosen.until = null;
  if (runs.length) $("compared").hidden = true;
  showRun();
};
export const watchers = []; // called when the overview opens or closes
export const openRun = (isOpen) => {
  state.atRun = isOpen && runs.length > 0;
  if (!runs.length) return;
  $("run").hidden = !isOpen;
  $("to-run").setAttribute("aria-pressed", String(isOpen));
  document.querySelector("main").classList.toggle("at-run", isOpen);
  for (const watch of watchers) watch();
  drawRun();
};
// Go to a step, and close the overview.
export const leaveTo = (i) => {
  openRun(false);
  if (i === state.now) writeAddress(false); else jump(i);
};
export const switchRun = () => {
  openRun(!state.atRun);
  const number = runs.indexOf(runAt(state.now));
  if (state.atRun && number !== chosen.run) chooseRun(number);
  writeAddress(false);
  if (state.atRun) $("map").focus({ preventScroll: true });
};
// Parts of one of several calls are visible with that call.
export const chooseRun = (number) => {
  chosen.run = number;
  endComparing();
  choosePlace(null, null);
  $("run-calls").value = String(number);
  for (const part of document.querySelectorAll("[data-run]")) part.hidden = Number(part.dataset.run) !== number;
  if (!theRun().has[chosen.measure]) chosen.measure = "norms";
  for (const button of document.querySelectorAll("[name=measure]")) {
    button.disabled = button.value !== "norms" && !theRun().has[button.value];
    button.checked = button.value === chosen.measure;
  }
  drawRun();
};
