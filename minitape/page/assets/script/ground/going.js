// From step to step. All that shows something of a step is told of it here.

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

export const addressed = []; // what else an address keeps, each with a name, `get` and `set` of a text; "" is as it is by itself

// To the step of the address, and to what it has chosen there.
export const goToAddress = () => {
  const { step, notes } = fromHash(location.hash, count, D.start, addressed.map((each) => each.name));
  const chosen = chosenIn(location.hash);
  if (notes) state.notes = notes;
  go(step);
  for (const { name, set } of addressed) set(chosen[name] ?? "");
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
  const chosen = Object.fromEntries(addressed.map(({ name, get }) => [name, get()]));
  try { history[how](null, "", toHash(i, state.notes, chosen)); } catch { /* inside a frame without one */ }
};
