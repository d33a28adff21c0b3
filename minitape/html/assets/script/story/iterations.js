// The picture of the story in other iterations: the widths of its bands and its numbers. Python stored them for some of the iterations.

import { D } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { replaceAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { choosePlace } from "../run/pane.js";
import { chosen } from "../run/iterations.js";
import { retext, showLink } from "./redraw.js";
import { streams } from "./river.js";

const ITERATION_STEP = 120, STILL_STEP = 500; // milliseconds for an iteration, with and without motion
let ticking = 0;

const showIteration = (k) => {
  const { moments, drawn } = D.story.iterations, [number, links, cards] = moments[k];
  const { svg } = streams[0];
  links.forEach((link, at) => showLink(svg, at, link));
  for (const [id, value, gradients] of cards) {
    const card = svg.querySelector("#" + CSS.escape("run-" + id));
    if (value) retext(card.querySelector("[data-number]"), value);
    gradients.forEach((text, at) => retext(card.querySelector('[data-parameter="' + at + '"]'), text));
  }
  svg.classList.toggle("other-numbers", k !== drawn);
  $("iteration").value = k;
  const words = D.story.iterations.words.replace("{number}", number);
  $("iteration-number").textContent = words + (k === drawn ? "" : D.story.iterations.images.replace("{number}", moments[drawn][0]));
  $("iteration").setAttribute("aria-valuetext", words);
  state.iteration = k === drawn ? 0 : number;
  if (state.atRun) choosePlace(number - 1, chosen.row);
};
// Show the iteration with this number, or the nearest one before it; 0 is the drawn one.
export const chooseIteration = (number) => {
  if (!D.story.iterations) return;
  const { moments, drawn } = D.story.iterations, found = number ? moments.findLastIndex(([each]) => each <= number) : drawn;
  showIteration(found < 0 ? drawn : found);
};
export const stopIterations = () => {
  clearInterval(ticking);
  ticking = 0;
  if ($("play-iterations")) $("play-iterations").textContent = "▶";
};
const playIterations = () => {
  if (ticking) return stopIterations();
  const { moments } = D.story.iterations, isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let k = Number($("iteration").value);
  if (k >= moments.length - 1) k = -1;
  const next = () => {
    if (k >= moments.length - 1) { stopIterations(); replaceAddress(); }
    else showIteration(++k);
  };
  next();
  ticking = setInterval(next, isStill ? STILL_STEP : ITERATION_STEP);
  $("play-iterations").textContent = "❚❚";
  return undefined;
};
export const setUpIterations = () => {
  if (!D.story.iterations) return;
  $("iteration").addEventListener("input", () => { stopIterations(); showIteration(Number($("iteration").value)); replaceAddress(); });
  $("play-iterations").addEventListener("click", playIterations);
};
