// From step to step. All that shows something of a step is told of it here.

import { D, count } from "./data.js";
import { state } from "./state.js";
import { fromHash, toHash } from "../plain/address.js";

export const views = []; // functions of a step; main.js lists them

export const go = (i, isJump) => {
  i = Math.max(0, Math.min(count - 1, i));
  if (i === state.now || !count) return;
  const from = state.now;
  state.now = i;
  for (const show of views) show(i);
  writeAddress(isJump, from);
};
export const jump = (i) => go(i, true);

// --- the address ---

export const readAddress = () => {
  const { step, atRun, notes } = fromHash(location.hash, count);
  if (notes) state.notes = notes;
  return step === undefined ? { step: D.start, atRun: D.opensOnRun } : { step, atRun };
};
// Browsers allow a page only so many changes of its address: a held key changes it once, when it is let go.
let waiting = 0;
export const writeAddress = (isJump, from) => {
  const isLate = waiting !== 0;
  clearTimeout(waiting);
  waiting = 0;
  if (!isJump) waiting = setTimeout(() => { waiting = 0; putAddress("replaceState", state.now); }, 150);
  else {
    if (isLate) putAddress("replaceState", from);
    putAddress("pushState", state.now);
  }
};
const putAddress = (how, i) => {
  try { history[how](null, "", toHash(i, state.atRun, state.notes)); } catch { /* inside a frame without one */ }
};
