// Which elements of an op depend on each other: evaluates the patterns of terms/patterns.py for one element.

import { indexIn } from "./shapes.js";

// The number of elements of a shape, and the flat index of an index.
export const countOf = (shape) => shape.reduce((product, length) => product * length, 1);
export const flatIndexOf = (index, shape) => index.reduce((place, at, axis) => place * shape[axis] + at, 0);

// --- loops ---

// The index of a tensor at an axis: an offset, and loops with their strides.
const standingIn = (rule, loops) => {
  let at = rule[0];
  for (let k = 1; k < rule.length; k += 2) {
    if (loops[rule[k]] === undefined) return undefined;
    at += loops[rule[k]] * rule[k + 1];
  }
  return at;
};
// All iterations of the loops in which the tensor `who` is at `index`. Axes without a choice are resolved first.
const loopsOf = (pattern, who, index) => {
  const found = [], rules = pattern.at[who];
  const settle = (loops) => {
    for (let axis = 0; axis < rules.length; axis++) {
      const open = openIn(rules[axis], loops);
      if (!open.length && standingIn(rules[axis], loops) !== index[axis]) return false;
      if (open.length !== 1) continue;
      const [loop, step] = open[0];
      const at = (index[axis] - standingWithout(rules[axis], loops, loop)) / step;
      if (!Number.isInteger(at) || at < 0 || at >= pattern.sizes[loop]) return false;
      loops[loop] = at;
      axis = -1; // this may determine a loop that was undetermined elsewhere
    }
    return true;
  };
  const search = (loops) => {
    if (!settle(loops)) return;
    const loop = loops.indexOf(undefined);
    if (loop < 0) { found.push(loops); return; }
    for (let at = 0; at < pattern.sizes[loop]; at++) {
      const next = loops.slice();
      next[loop] = at;
      search(next);
    }
  };
  search(new Array(pattern.sizes.length).fill(undefined));
  return found;
};
const openIn = (rule, loops) => {
  const open = [];
  for (let k = 1; k < rule.length; k += 2) if (loops[rule[k]] === undefined) open.push([rule[k], rule[k + 1]]);
  return open;
};
const standingWithout = (rule, loops, loop) => {
  const others = loops.slice();
  others[loop] = 0;
  return standingIn(rule, others);
};
// The indices of all tensors in an iteration; null if one of them is out of range, as in a window at a border.
const standsAt = (pattern, loops) => {
  const found = [];
  for (let who = 0; who < pattern.at.length; who++) {
    const index = pattern.at[who].map((rule) => standingIn(rule, loops)), shape = pattern.shapes[who];
    if (index.some((at, axis) => at < 0 || at >= shape[axis])) return null;
    found.push(flatIndexOf(index, shape));
  }
  return found;
};
// For the element of one tensor, each dependency as the flat indices of all tensors, the output last.
const inLoops = (pattern, who, place) =>
  loopsOf(pattern, who, indexIn(pattern.shapes[who], place)).map((loops) => standsAt(pattern, loops)).filter(Boolean);

// --- maps ---

const mappedTo = (way, data, factor, isInput, place) => {
  const isThere = isInput === (way === "added"); // the map is one from this side
  if (!data) return [[place, factor]];
  if (isThere) return data[place] < 0 ? [] : [[data[place], factor]];
  return data.flatMap((each, at) => each === place ? [[at, factor]] : []);
};
const pairedTo = ([ins, outs, slopes], isInput, place) => {
  const from = isInput ? ins : outs, to = isInput ? outs : ins;
  return from.flatMap((each, at) => each === place ? [[to[at], slopes[at]]] : []);
};
const acrossMap = ([, , way, data, factor], isInput, place) =>
  way === "pairs" ? pairedTo(data, isInput, place) : mappedTo(way, data, factor, isInput, place);

// --- queries ---

// The sources of the gradient of an input's element: [output, its index, factor, indices of all tensors or null]; the factor is
// null if the pattern does not contain it.
export const sentFrom = (pattern, position, place) => {
  if (pattern.at) {
    const last = pattern.at.length - 1;
    return inLoops(pattern, position, place).map((all) => [0, all[last], null, all]);
  }
  return pattern.maps.filter(([own]) => own === position).flatMap((map) =>
    acrossMap(map, true, place).map(([at, factor]) => [map[1], at, factor, null]));
};
// The elements from which an output's element is computed: [input, its index, factor, indices of all tensors or null].
export const madeOf = (pattern, out, place) => {
  if (pattern.kind === "each") {
    const [all] = inLoops(pattern, pattern.at.length - 1, place);
    return all.slice(0, -1).map((at, position) => [position, at, null, all]);
  }
  if (pattern.at) return inLoops(pattern, pattern.at.length - 1, place).map((all) => [0, all[0], null, all]);
  return pattern.maps.filter(([, own]) => own === out).flatMap((map) =>
    acrossMap(map, false, place).map(([at, factor]) => [map[0], at, factor, null]));
};
