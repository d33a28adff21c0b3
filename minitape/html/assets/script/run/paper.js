// The overview on paper: as wide as a page, in the colors of a light page, with its complete notes.

import { $ } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { drawRun } from "./pane.js";

const WIDE = "680px";

let onScreen = null; // the state before printing

const notes = () => [...$("run-notes").querySelectorAll(".note")];
export const layOnPaper = () => {
  if (!state.atRun) return;
  const root = document.documentElement;
  onScreen = { theme: root.dataset.theme, open: notes().filter((note) => note.open), type: state.type };
  root.dataset.theme = "light";
  state.type = 1;
  $("run").style.width = WIDE;
  for (const note of notes()) note.open = true;
  drawRun();
};
export const takeFromPaper = () => {
  if (!onScreen) return;
  document.documentElement.dataset.theme = onScreen.theme;
  state.type = onScreen.type;
  $("run").style.width = "";
  for (const note of notes()) note.open = onScreen.open.includes(note);
  onScreen = null;
  drawRun();
};
