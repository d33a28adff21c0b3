// The text size of all panes, and whether long source lines are wrapped.

import { count } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { showSteps } from "../now/steps.js";
import { fitAgain } from "../picture/zoom.js";
import { revealLine } from "../source.js";
import { paint } from "../theme.js";
import { memorize, recalled } from "./memory.js";
import { resizeBy, setUpSize } from "./size.js";

const resize = (by) => {
  resizeBy(by);
  fitAgain();
  revealLine();
  if (count) showSteps(state.now);
  paint();
};
export const larger = () => resize(1);
export const smaller = () => resize(-1);
export const usualSize = () => resize(0);

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
  setUpSize();
  setWrap(recalled("wrap") === true);
  $("wrap").addEventListener("click", switchWrap);
  $("letters-larger").addEventListener("click", larger);
  $("letters-smaller").addEventListener("click", smaller);
};
