// The description of an op without a name: its expression and its line.

import { D, T } from "../ground/data.js";
import { lineOf } from "../source.js";

const LONGEST = 40; // the maximum length of an expression

// The step at which an op ran, by its number.
let steps = null;
const ranAt = (op) => {
  if (!steps) {
    steps = new Map();
    D.what.forEach((what, step) => {
      const [, number] = /^#(\d+) /.exec(T[what]) || [];
      if (number && !steps.has(Number(number))) steps.set(Number(number), step);
    });
  }
  return steps.get(op);
};
// `w * w, line 8`; empty if nothing is known about it.
export const calledByUser = (op) => {
  const step = ranAt(op), place = step === undefined ? null : D.place[step];
  if (!place) return "";
  const [file, line] = place, code = expressionAt(place), times = D.visits[step] > 1 ? ", time " + D.visit[step] + " of " + D.visits[step] + " forward" : "";
  return (code ? code + ", " : "") + "line " + line + (file ? " of " + D.files[file] : "") + times;
};
const expressionAt = (place) => {
  const [, , from, to] = place, line = lineOf(place);
  if (from === undefined || !line) return "";
  const letters = [...line.lastChild.textContent].slice(from, to);
  return letters.length > LONGEST ? letters.slice(0, LONGEST - 1).join("") + "…" : letters.join("");
};
