// The timeline: each step as a bar, above for forward and below for backward steps; for a run of many iterations, a tick for
// each of its gradient calls. Problems have the height of both.

import { D, count } from "./ground/data.js";
import { $ } from "./ground/elements.js";
import { state } from "./ground/state.js";
import { stride } from "./plain/scale.js";
import { barOf, dotsOf } from "./plain/timeline.js";
import { theRun } from "./run/iterations.js";

const HIGH = 8;

export const drawLine = () => {
  const canvas = $("line"), width = canvas.clientWidth * devicePixelRatio, run = theRun();
  const isOfRounds = run !== undefined && run.iterations >= D.many;
  const high = isOfRounds ? HIGH + 14 * state.type : HIGH;
  canvas.width = width;
  canvas.height = Math.round(high * devicePixelRatio);
  canvas.style.height = high + "px";
  const paint = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name);
  const bar = (i, least, top, bottom) => {
    const { from, width: wide } = barOf(i, count, width, devicePixelRatio, least);
    paint.fillRect(from, top * devicePixelRatio, wide, (bottom - top) * devicePixelRatio);
  };
  if (isOfRounds) drawRounds(paint, run, width, color);
  else for (const i of dotsOf(D.phase, width).values()) {
    const isBack = D.phase[i] === "b";
    paint.fillStyle = color(isBack ? "--backward" : "--forward");
    bar(i, 1, isBack ? HIGH / 2 : 0, isBack ? HIGH : HIGH / 2);
  }
  paint.fillStyle = color("--lost");
  for (const i of D.moves.problems) bar(i, 3, 0, HIGH);
};
// A band from the first step to the last, with ticks as far apart as is legible, and numbers at some of them.
const drawRounds = (paint, run, width, color) => {
  const ratio = devicePixelRatio, letters = ratio * state.type, every = stride(run.iterations, width, 4 * ratio), named = stride(run.iterations, width, 80 * letters);
  const xAt = (iteration) => Math.round(run.requested[iteration] * width / count);
  paint.fillStyle = color("--rule");
  paint.fillRect(0, 2 * ratio, width, 4 * ratio);
  paint.fillStyle = color("--backward");
  for (let iteration = every - 1; iteration < run.iterations; iteration += every) paint.fillRect(xAt(iteration), 0, Math.max(ratio, 1), HIGH * ratio);
  paint.fillStyle = color("--quiet");
  paint.font = 12 * letters + "px system-ui, sans-serif";
  paint.textAlign = "center";
  const middle = (iteration) => Math.max(35 * letters, Math.min(width - 35 * letters, xAt(iteration)));
  for (let iteration = named - 1; iteration < run.iterations; iteration += named) paint.fillText("iteration " + (iteration + 1), middle(iteration), HIGH * ratio + 12 * letters);
};
