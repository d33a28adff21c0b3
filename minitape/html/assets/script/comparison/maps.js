// The loops of two runs on one scale: the target of both, a map for each, and the gradients of one iteration. A is dotted or hollow,
// B is solid.

import { $ } from "../ground/elements.js";
import { short } from "../plain/numbers.js";
import { isLogarithmic, portion, rangeOf, ticks, unlogged } from "../plain/scale.js";
import { unpacked } from "../plain/unpack.js";
import { D } from "./sides.js";

const SVG = "http://www.w3.org/2000/svg";
const NAMES = 150, BARS = 190, GAP = 24, ROW = 18, LOSS = 96, HEAD = 26;
export const loops = D.loops.map((loop) => ({ ...loop, norms: loop.norms === "" ? new Float32Array() : unpacked(loop.norms, "float32") }));
export const count = Math.max(0, ...loops.map(({ targets }) => targets.length));
const range = rangeOf(loops.flatMap(({ norms }) => [...norms])) || [0, 1];
const paired = loops.flatMap(({ targets }) => targets.filter((each) => each !== null));
const isLog = isLogarithmic(paired), scaled = (value) => isLog ? Math.log10(value) : value;
const targetRange = rangeOf(paired.map(scaled)) || [0, 1];

let width = 0;
const normOf = (loop, row, at) => at < loop.targets.length && loop.norms.length ? loop.norms[row * loop.targets.length + at] : NaN;
const isNone = (loop, row, at) => loop.none[row].includes(at);
const xOf = (at) => NAMES + width * at / count;
const yOf = (value) => 8 + (LOSS - 16) * (1 - portion(scaled(value), targetRange));
const topOf = (side) => LOSS + HEAD + side * (loops[0].names.length * ROW + HEAD);

const shape = (name, attributes, text) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
};
// The number of a cell: its norm, or why there is none.
export const wordOf = (loop, row, at) => {
  if (at >= loop.targets.length || !loop.has[row]) return "–";
  const log = normOf(loop, row, at);
  return isNone(loop, row, at) ? "None" : Number.isNaN(log) ? "nan or inf" : unlogged(log);
};
// The parts that do not depend on the chosen iteration.
export const drawStill = () => {
  const still = $("still"), names = loops[0].names;
  width = Math.max(120, $("runs-picture").clientWidth - NAMES - BARS - 2 * GAP);
  const high = topOf(1) + names.length * ROW + HEAD;
  $("picture-two").setAttribute("height", high);
  $("picture-two").setAttribute("width", NAMES + width + GAP + BARS);
  still.replaceChildren(shape("text", { x: 0, y: 20, class: "strong" }, loops[0].target), shape("text", { x: 0, y: 38, class: "quiet" }, isLog ? "log scale" : ""));
  for (const edge of targetRange) {
    const y = yOf(isLog ? 10 ** edge : edge);
    still.append(shape("path", { d: "M" + NAMES + " " + y + "h" + width, class: "rule" }), shape("text", { x: NAMES - 8, y: y + 4, "text-anchor": "end", class: "quiet" }, isLog ? unlogged(edge) : short(edge)));
  }
  loops.forEach((loop, side) => {
    still.append(shape("path", { d: lineOf(loop.targets), class: "loss " + "ab"[side] }), shape("text", { x: 0, y: topOf(side) - 8, class: "strong" }, "AB"[side]), shape("text", { x: 20, y: topOf(side) - 8, class: "quiet" }, "|gradient| in " + loop.iterations.toLocaleString("en-US") + " iterations of line " + loop.line));
    names.forEach((name, row) => drawRow(still, loop, side, name, row));
    still.append(shape("rect", { x: NAMES, y: topOf(side), width, height: names.length * ROW, class: "frame" }));
  });
  const every = loops[0].every;
  for (const iteration of ticks(count * every, width, 60)) {
    const x = xOf((iteration - 1) / every) + width / count / 2;
    still.append(shape("text", { x, y: high - 8, "text-anchor": "middle", class: "quiet" }, iteration));
  }
  still.append(shape("text", { x: NAMES - 8, y: high - 8, "text-anchor": "end", class: "quiet" }, "iteration"));
};
const lineOf = (targets) => {
  let path = "", isOn = false;
  targets.forEach((value, at) => {
    if (value === null) { isOn = false; return; }
    path += (isOn ? "L" : "M") + (xOf(at) + width / count / 2).toFixed(1) + " " + yOf(value).toFixed(1);
    isOn = true;
  });
  return path;
};
const drawRow = (still, loop, side, name, row) => {
  const y = topOf(side) + row * ROW;
  const label = shape("text", { x: NAMES - 8, y: y + 13, "text-anchor": "end" }, name.length > 20 ? "…" + name.slice(-19) : name);
  label.append(shape("title", {}, name));
  still.append(label);
  for (let from = 0; from < loop.targets.length;) {
    const log = normOf(loop, row, from), kind = isNone(loop, row, from) ? "none" : Number.isNaN(log) ? "nan" : log === -Infinity ? "zero" : "";
    const shade = Math.round(40 * portion(log, range));
    let to = from + 1;
    const isAlike = (at) => kind ? isNone(loop, row, at) === (kind === "none") && String(normOf(loop, row, at)) === String(log) : !isNone(loop, row, at) && Math.round(40 * portion(normOf(loop, row, at), range)) === shade && Number.isFinite(normOf(loop, row, at));
    while (to < loop.targets.length && isAlike(to)) to++;
    if (loop.has[row]) still.append(shape("rect", { x: xOf(from), y, width: xOf(to) - xOf(from), height: ROW - 1, class: "cell " + kind, ...(kind ? {} : { "fill-opacity": (.05 + .95 * shade / 40).toFixed(3) }) }));
    from = to;
  }
};
// The chosen iteration: the cursor, the values of both targets, and a bar for each gradient.
export const drawMoving = () => {
  const at = Number($("iteration").value), moving = $("moving"), x = xOf(at) + width / count / 2;
  moving.replaceChildren(shape("path", { d: "M" + x + " 4V" + (topOf(1) + loops[0].names.length * ROW), class: "cursor" }));
  const right = NAMES + width + GAP;
  loops.forEach((loop, side) => {
    const value = at < loop.targets.length ? loop.targets[at] : null;
    if (value !== null) moving.append(shape("circle", { cx: x, cy: yOf(value), r: 4, class: "dot " + "ab"[side] }));
    moving.append(shape("text", { x: right, y: 30 + 24 * side, class: "strong" }, "AB"[side] + " " + (value === null ? "–" : short(value))), shape("text", { x: right, y: topOf(side) - 8, class: "quiet" }, "|gradient| in this iteration"));
    loop.names.forEach((_, row) => {
      const log = normOf(loop, row, at), y = topOf(side) + row * ROW, size = Number.isFinite(log) && !isNone(loop, row, at) ? Math.max(3, 90 * portion(log, range)) : 0;
      if (size) moving.append(shape("rect", { x: right, y: y + 3, width: size, height: ROW - 7, class: "bar " + "ab"[side] }));
      moving.append(shape("text", { x: right + (size ? size + 6 : 0), y: y + 13, class: "number" }, wordOf(loop, row, at)));
    });
  });
  $("iteration-number").textContent = "iteration " + (at * loops[0].every + 1) + " of " + Math.max(...loops.map(({ iterations }) => iterations)).toLocaleString("en-US");
};
// The iteration at a position in the picture.
export const iterationUnder = (x) => Math.floor((x - NAMES) / width * count);
