// What the user calls an op that has only a number: its expression, and where it stands.

import { D, T } from "../ground/data.js";
import { lineOf } from "../source.js";

const LONGEST = 40; // letters of an expression

// By the number of an op the step at which it ran.
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
// `w * w, line 8`; empty where nothing is known of it.
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
