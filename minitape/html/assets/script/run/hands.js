// The map under the pointer and the keys: pointing, clicking, comparing two iterations.

import { D } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { addressed } from "../ground/going.js";
import { state } from "../ground/state.js";
import { turnIn } from "../plain/columns.js";
import { columnUnder, layout, rowBeside, rowUnder } from "./layout.js";
import { chooseRun, compareTo, drawRun, endComparing, goTo, openRun, choosePlace, switchRun } from "./pane.js";
import { chosen, runs, theRun } from "./iterations.js";
import { pointed } from "./words.js";

// The iteration and the source at a position; if iterations share it, the one with the worst outcome.
const under = (event) => {
  const box = $("map").getBoundingClientRect(), row = rowUnder(event.clientY - box.top), column = columnUnder(event.clientX - box.left);
  const turn = row === null ? layout.columns.first(column) : turnIn(theRun().rows[row].stretches, layout.columns, column);
  return { turn, row };
};
const STILL = 4; // a drag of fewer pixels is a click

const setUpPointer = (map) => {
  let from = null;
  map.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    endComparing();
    from = { ...under(event), x: event.clientX };
    choosePlace(from.turn, from.row);
    map.setPointerCapture(event.pointerId);
  });
  map.addEventListener("pointermove", (event) => {
    const { turn, row } = under(event);
    if (from && Math.abs(event.clientX - from.x) > STILL) compareTo(turn);
    else if (!from && chosen.until === null) choosePlace(turn, row);
  });
  map.addEventListener("pointerup", () => {
    const start = from;
    from = null;
    if (start && chosen.until === null) goTo(start.turn, start.row);
  });
  map.addEventListener("pointercancel", () => { from = null; endComparing(); });
};
const inRun = (turn) => Math.max(0, Math.min(theRun().turns - 1, turn));
// By a column, so that each key press is visible; a source above or below.
const beside = (turn, by) => {
  const { columns } = layout, column = columns.of(turn) + by;
  return inRun(column < 0 ? 0 : columns.first(Math.min(column, columns.count - 1)));
};
const STRIDES = {
  ArrowRight: (turn, row) => [beside(turn, 1), row],
  ArrowLeft: (turn, row) => [beside(turn, -1), row],
  ArrowDown: (turn, row) => [turn, rowBeside(row, 1)],
  ArrowUp: (turn, row) => [turn, rowBeside(row, -1)],
  Home: (turn, row) => [0, row],
  End: (turn, row) => [inRun(Infinity), row],
};
const setUpMapKeys = (map) => map.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const turn = chosen.turn ?? 0, row = chosen.row ?? layout.lines.find((line) => line.row !== undefined)?.row ?? null;
  if (event.key === "Enter") goTo(turn, row);
  else if (event.key === "Escape" && chosen.until !== null) endComparing();
  else if (STRIDES[event.key] && event.shiftKey) {
    choosePlace(turn, row);
    compareTo(STRIDES[event.key](chosen.until ?? turn, row)[0]);
    $("said").textContent = $("run-said").textContent;
  } else if (STRIDES[event.key]) {
    endComparing();
    choosePlace(...(chosen.turn === null ? [turn, row] : STRIDES[event.key](turn, row)));
    $("said").textContent = pointed();
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
  $("run-notes").addEventListener("toggle", drawRun, true); // the map uses the space that they leave
  chooseRun(0);
  // An address without a step opens the page in its default state.
  addressed.push({ name: "run", get: () => state.atRun ? "1" : "", set: (text) => openRun(text === "1" || D.opensOnRun && !location.hash) });
};
