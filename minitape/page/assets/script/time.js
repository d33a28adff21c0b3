// The line through time: each step as a bar, in the colour of its phase, problems above all.

import { D, count } from "./ground/data.js";
import { $ } from "./ground/elements.js";
import { barOf, dotsOf } from "./plain/timeline.js";

export const drawLine = () => {
  const canvas = $("line"), width = canvas.clientWidth * devicePixelRatio;
  canvas.width = width;
  canvas.height = 8 * devicePixelRatio;
  const paint = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
  const colors = { f: style.getPropertyValue("--forward"), b: style.getPropertyValue("--backward") };
  const bar = (i, least) => {
    const { from, width: wide } = barOf(i, count, width, devicePixelRatio, least);
    paint.fillRect(from, 0, wide, canvas.height);
  };
  for (const i of dotsOf(D.phase, width).values()) { paint.fillStyle = colors[D.phase[i]]; bar(i, 1); }
  paint.fillStyle = style.getPropertyValue("--lost");
  for (const i of D.moves.problems) bar(i, 3);
};
