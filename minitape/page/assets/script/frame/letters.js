// How large the letters of all panes are, and whether long lines of the source are wrapped.

import { count } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { showSteps } from "../now/steps.js";
import { isSize, sizeBy } from "../plain/type.js";
import { fitAnew } from "../picture/zoom.js";
import { revealLine } from "../source.js";
import { paint } from "../theme.js";
import { memorize, recalled } from "./memory.js";

const setSize = (size) => {
  state.type = size;
  document.documentElement.style.fontSize = size === 1 ? "" : 100 * size + "%";
};
const resizeBy = (by) => {
  setSize(by ? sizeBy(state.type, by) : 1);
  memorize("type", state.type);
  fitAnew();
  revealLine();
  if (count) showSteps(state.now);
  paint();
};
export const larger = () => resizeBy(1);
export const smaller = () => resizeBy(-1);
export const usualSize = () => resizeBy(0);

const setWrap = (isOn) => {
  $("files").classList.toggle("wrap", isOn);
  $("wrap").setAttribute("aria-pressed", String(isOn));
};
export const switchWrap = () => {
  setWrap($("wrap").getAttribute("aria-pressed") !== "true");
  memorize("wrap", $("wrap").getAttribute("aria-pressed") === "true");
  revealLine();
};
export const setUpLetters = () => {
  if (isSize(recalled("type"))) setSize(recalled("type"));
  setWrap(recalled("wrap") === true);
  $("wrap").addEventListener("click", switchWrap);
  $("letters-larger").addEventListener("click", larger);
  $("letters-smaller").addEventListener("click", smaller);
};
