// The forward and the backward pass as an animation of a picture: values appear column by column, then gradients come back, up to the
// break if there is one. Without motion, whole columns appear, twice a second.

import { streams } from "./river.js";

const FORWARD = 1500, BACKWARD = 2200, HOLD = 900, STILL_COLUMN = 500; // milliseconds for a pass, after it, and for a column without motion
const isStill = matchMedia("(prefers-reduced-motion: reduce)");
let timers = [];

// Values up to a column, and gradients from a column on.
const uncover = ({ parts }, value, gradient) => {
  for (const { node, copies, from, to } of parts) {
    for (const each of [node, ...copies]) {
      each.classList.toggle("no-value", to > value);
      each.classList.toggle("no-gradient", from < gradient);
    }
  }
};
export const endPass = () => {
  timers.forEach(clearTimeout);
  timers = [];
  for (const { svg, parts } of streams) {
    svg.classList.remove("in-pass", "drifts");
    for (const { node, copies } of parts || []) for (const each of [node, ...copies]) each.classList.remove("no-value", "no-gradient");
  }
};
// The column where the backward pass ends, which is the column of the last break.
const breakOf = ({ parts }) => Math.max(0, ...parts.filter(({ node }) => node.matches(".node.break")).map(({ from }) => from));
// Show only values, or nothing.
export const coverPass = (hasValues) => {
  endPass();
  for (const stream of streams) {
    if (!stream.parts) continue;
    stream.svg.classList.add("in-pass");
    uncover(stream, hasValues ? Infinity : -1, Infinity);
  }
};
// Play the forward or the backward pass, and then `after`.
const playPass = (isForward, after) => {
  endPass();
  let longest = 0;
  for (const stream of streams) {
    if (!stream.parts) continue;
    const { svg, columns } = stream, many = columns.length, end = isForward ? 0 : breakOf(stream);
    const pace = isStill.matches ? STILL_COLUMN : (isForward ? FORWARD : BACKWARD) / many;
    svg.classList.add("in-pass");
    svg.classList.toggle("drifts", !isStill.matches);
    svg.style.setProperty("--column", pace + "ms");
    uncover(stream, isForward ? -1 : Infinity, Infinity);
    for (let k = 0; k < many - end; k++) {
      timers.push(setTimeout(() => isForward ? uncover(stream, k, Infinity) : uncover(stream, Infinity, many - 1 - k), (k + 1) * pace));
    }
    longest = Math.max(longest, (many - end + 1) * pace);
  }
  timers.push(setTimeout(after, longest + HOLD));
};
// Play the pass of a scene, if it has one; then everything is shown again, unless `after` does something else.
export const playScene = (kind, after = () => {}) => {
  if (kind === "forward" || kind === "backward") playPass(kind === "forward", () => { endPass(); after(); });
  else endPass();
};
