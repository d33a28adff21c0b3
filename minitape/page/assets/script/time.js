// The line through time: each step as a bar, in the colour of its phase; of a run of many rounds, a tick for each of its gradient
// calls. Problems are seen above all.

import { D, count } from "./ground/data.js";
import { $ } from "./ground/elements.js";
import { stride } from "./plain/scale.js";
import { barOf, dotsOf } from "./plain/timeline.js";
import { theRun } from "./run/rounds.js";

export const drawLine = () => {
  const canvas = $("line"), width = canvas.clientWidth * devicePixelRatio, run = theRun();
  const isOfRounds = run !== undefined && run.turns >= D.many;
  canvas.width = width;
  canvas.height = (isOfRounds ? 20 : 8) * devicePixelRatio;
  canvas.style.height = (isOfRounds ? 20 : 8) + "px";
  const paint = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name);
  const bar = (i, least) => {
    const { from, width: wide } = barOf(i, count, width, devicePixelRatio, least);
    paint.fillRect(from, 0, wide, 8 * devicePixelRatio);
  };
  if (isOfRounds) drawRounds(paint, run, width, color);
  else for (const i of dotsOf(D.phase, width).values()) { paint.fillStyle = color(D.phase[i] === "b" ? "--backward" : "--forward"); bar(i, 1); }
  paint.fillStyle = color("--lost");
  for (const i of D.moves.problems) bar(i, 3);
};
// A band from the first step to the last, with ticks as far apart as they can be told from each other, and numbers at some of them.
const drawRounds = (paint, run, width, color) => {
  const ratio = devicePixelRatio, every = stride(run.turns, width, 4 * ratio), named = stride(run.turns, width, 60 * ratio);
  const xAt = (turn) => Math.round(run.asked[turn] * width / count);
  paint.fillStyle = color("--rule");
  paint.fillRect(0, 2 * ratio, width, 4 * ratio);
  paint.fillStyle = color("--backward");
  for (let turn = every - 1; turn < run.turns; turn += every) paint.fillRect(xAt(turn), 0, Math.max(ratio, 1), 8 * ratio);
  paint.fillStyle = color("--quiet");
  paint.font = 10 * ratio + "px system-ui, sans-serif";
  paint.textAlign = "center";
  for (let turn = named - 1; turn < run.turns; turn += named) paint.fillText("round " + (turn + 1), Math.max(25 * ratio, Math.min(width - 25 * ratio, xAt(turn))), 18 * ratio);
};
