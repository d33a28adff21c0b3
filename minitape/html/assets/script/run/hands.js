// The map under the pointer and the keys: pointing, clicking, comparing two iterations.

import { D } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { addressed } from "../ground/going.js";
import { state } from "../ground/state.js";
import { iterationIn } from "../plain/columns.js";
import { columnUnder, layout, shiftedRow, rowUnder } from "./layout.js";
import { chooseRun, compareTo, drawRun, endComparing, goTo, openRun, choosePlace, switchRun } from "./pane.js";
import { chosen, runs, theRun } from "./iterations.js";
import { pointed } from "./words.js";

// The iteration and the source at a position; if iterations share it, the one with the worst outcome.
const under = (event) => {
  const box = $("map").getBoundingClientRect(), row = rowUnder(event.clientY - box.top), column = columnUnder(event.clientX - box.left);
  const iteration = row === null ? layout.columns.first(column) : iterationIn(theRun().rows[row].stretches, layout.columns, column);
  return { iteration, row };
};
const STILL = 4; // a drag of fewer pixels is a click

const setUpPointer = (map) => {
  let from = null;
  map.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    endComparing();
    from = { ...under(event), x: event.clientX };
    choosePlace(from.iteration, from.row);
    map.setPointerCapture(event.pointerId);
  });
  map.addEventListener("pointermove", (event) => {
    const { iteration, row } = under(event);
    if (from && Math.abs(event.clientX - from.x) > STILL) compareTo(iteration);
    else if (!from && chosen.until === null) choosePlace(iteration, row);
  });
  map.addEventListener("pointerup", () => {
    const start = from;
    from = null;
    if (start && chosen.until === null) goTo(start.iteration, start.row);
  });
  map.addEventListener("pointercancel", () => { from = null; endComparing(); });
};
const inRun = (iteration) => Math.max(0, Math.min(theRun().iterations - 1, iteration));
// Moves by a column, so that each key press is visible, or to the source above or below.
const shifted = (iteration, by) => {
  const { columns } = layout, column = columns.of(iteration) + by;
  return inRun(column < 0 ? 0 : columns.first(Math.min(column, columns.count - 1)));
};
const STRIDES = {
  ArrowRight: (iteration, row) => [shifted(iteration, 1), row],
  ArrowLeft: (iteration, row) => [shifted(iteration, -1), row],
  ArrowDown: (iteration, row) => [iteration, shiftedRow(row, 1)],
  ArrowUp: (iteration, row) => [iteration, shiftedRow(row, -1)],
  Home: (iteration, row) => [0, row],
  End: (iteration, row) => [inRun(Infinity), row],
};
const setUpMapKeys = (map) => map.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const iteration = chosen.iteration ?? 0, row = chosen.row ?? layout.lines.find((line) => line.row !== undefined)?.row ?? null;
  if (event.key === "Enter") goTo(iteration, row);
  else if (event.key === "Escape" && chosen.until !== null) endComparing();
  else if (STRIDES[event.key] && event.shiftKey) {
    choosePlace(iteration, row);
    compareTo(STRIDES[event.key](chosen.until ?? iteration, row)[0]);
    $("announcement").textContent = $("run-announcement").textContent;
  } else if (STRIDES[event.key]) {
    endComparing();
    choosePlace(...(chosen.iteration === null ? [iteration, row] : STRIDES[event.key](iteration, row)));
    $("announcement").textContent = pointed();
  } else return;
  event.preventDefault();
  event.stopPropagation();
});
export const setUpRun = () => {
  if (!runs.length) return;
  $("to-run").hidden = false;
  $("to-run").addEventListener("click", switchRun);
  $("run-close").addEventListener("click", switchRun);
  setUpPointer($("map"));
  setUpMapKeys($("map"));
  $("run-calls").addEventListener("change", () => chooseRun(Number($("run-calls").value)));
  for (const button of document.querySelectorAll("[name=measure]")) {
    button.addEventListener("change", () => { chosen.measure = button.value; endComparing(); drawRun(); });
  }
  for (const button of document.querySelectorAll("[data-round]")) {
    button.addEventListener("click", () => goTo(Number(button.dataset.round), null));
  }
  $("run-notes").addEventListener("toggle", drawRun, true); // the map uses the remaining space
  chooseRun(0);
  // An address without a step opens the page in its default state.
  addressed.push({ name: "run", get: () => state.atRun ? "1" : "", set: (text) => openRun(text === "1" || D.opensOnRun && (!location.hash || state.atStory)) });
};
