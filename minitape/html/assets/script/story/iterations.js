// The picture of the story in other iterations: the widths of its bands and its numbers. Python stored them for some of the iterations.

import { D } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { replaceAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { choosePlace } from "../run/pane.js";
import { chosen } from "../run/iterations.js";
import { streams } from "./river.js";

const ITERATION_STEP = 120, STILL_STEP = 500; // milliseconds for an iteration, with and without motion
let ticking = 0;

const retext = (node, text) => {
  if (!node || node.textContent === text) return;
  // A text is drawn with an explicit length, so that it fits its card with any font; digits have the same width.
  node.dataset.letter ??= Number(node.getAttribute("textLength")) / node.textContent.length;
  node.setAttribute("textLength", Number(node.dataset.letter) * text.length);
  node.textContent = text;
};
// The head of a band: its tip stays, its corners follow the width.
const widen = (head, width) => {
  const [tip, one, two] = head.getAttribute("points").split(" ").map((point) => point.split(",").map(Number));
  const back = [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2], reach = Math.hypot(tip[0] - back[0], tip[1] - back[1]) || 1;
  const half = width ? width / 2 + 5 : 0, across = [(tip[1] - back[1]) / reach * half, (back[0] - tip[0]) / reach * half];
  const corners = [tip, [back[0] + across[0], back[1] + across[1]], [back[0] - across[0], back[1] - across[1]]];
  head.setAttribute("points", corners.map((corner) => corner.join(",")).join(" "));
};
const showLink = (node, [width, text]) => {
  const band = node.querySelector("path.gradient"), head = node.querySelector("polygon.gradient");
  if (!band || !head) return;
  band.dataset.drawn ??= band.getAttribute("stroke-width");
  band.setAttribute("stroke-width", width);
  widen(head, width);
  const words = node.querySelector("text.gradient");
  if (!words) return;
  words.dataset.drawn ??= words.getAttribute("y");
  words.setAttribute("y", Number(words.dataset.drawn) + (width - Number(band.dataset.drawn)) / 2);
  retext(words, text);
};
const showIteration = (k) => {
  const { moments, drawn } = D.story.iterations, [number, links, cards] = moments[k];
  const { svg } = streams[0];
  links.forEach((link, at) => svg.querySelectorAll('[data-link="' + at + '"]').forEach((node) => showLink(node, link)));
  for (const [id, value, gradients] of cards) {
    const card = svg.querySelector("#" + CSS.escape("run-" + id));
    if (value) retext(card.querySelector("[data-number]"), value);
    gradients.forEach((text, at) => retext(card.querySelector('[data-parameter="' + at + '"]'), text));
  }
  svg.classList.toggle("other-iteration", k !== drawn);
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
