// The slider of both runs, and their maps as a table.

import { $, el } from "../ground/elements.js";
import { count, drawMoving, drawStill, iterationUnder, loops, wordOf } from "./maps.js";

let playing = 0;
const draw = () => {
  drawStill();
  drawMoving();
};
export const moveBy = (by) => {
  $("iteration").value = Number($("iteration").value) + by;
  drawMoving();
};
const stop = () => {
  clearInterval(playing);
  playing = 0;
  $("play").textContent = "▶ Play";
};
const play = () => {
  if (playing) return stop();
  if (Number($("iteration").value) >= count - 1) moveBy(-count);
  $("play").textContent = "❚❚ Pause";
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  playing = setInterval(() => {
    moveBy(isCalm ? Math.max(1, Math.ceil(count / 20)) : 1);
    if (Number($("iteration").value) >= count - 1) stop();
  }, isCalm ? 500 : Math.max(20, 6000 / count));
};
// The same content as a table.
const tableOf = () => {
  const table = el("table"), head = el("tr"), last = count - 1;
  for (const text of ["", "A, first", "A, last", "B, first", "B, last"]) head.append(el("th", text));
  table.append(head);
  loops[0].names.forEach((name, row) => {
    const line = el("tr");
    line.append(el("th", name));
    for (const loop of loops) for (const at of [0, Math.min(last, loop.targets.length - 1)]) line.append(el("td", wordOf(loop, row, at)));
    table.append(line);
  });
  return table;
};
export const setUpRuns = () => {
  $("runs").hidden = !loops.length;
  document.querySelector("main").classList.toggle("has-runs", loops.length > 0);
  if (!loops.length) return;
  $("iteration").max = count - 1;
  $("iteration").addEventListener("input", drawMoving);
  $("play").addEventListener("click", play);
  $("runs-text").append(tableOf());
  $("picture-two").setAttribute("aria-label", $("headline").textContent);
  addEventListener("resize", draw);
  $("picture-two").addEventListener("click", (event) => {
    const at = iterationUnder(event.clientX - $("picture-two").getBoundingClientRect().left);
    if (at >= 0 && at < count) { $("iteration").value = at; drawMoving(); }
  });
  draw();
};
