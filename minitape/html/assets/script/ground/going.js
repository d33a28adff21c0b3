// Moves from step to step, and notifies everything that shows the step.

import { D, count } from "./data.js";
import { state } from "./state.js";
import { chosenIn, fromHash, toHash } from "../plain/address.js";

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

export const addressed = []; // other state in the address, each with a name, and `get` and `set` of a string; "" is the default

// Go to the step of the address, and restore its choices.
export const goToAddress = () => {
  const { step, notes } = fromHash(location.hash, count, D.start, addressed.map((each) => each.name));
  const chosen = chosenIn(location.hash);
  if (notes) state.notes = notes;
  go(step);
  for (const { name, set } of addressed) set(chosen[name] ?? "");
};
// Browsers limit how often a page may change its address, so a held key changes it once, when it is released.
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
  const chosen = Object.fromEntries(addressed.map(({ name, get }) => [name, get()]));
  try { history[how](null, "", toHash(i, state.notes, chosen)); } catch { /* inside a frame without one */ }
};
