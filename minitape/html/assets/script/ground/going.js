// Moves from step to step, and notifies everything that shows the step.

import { D, count } from "./data.js";
import { state } from "./state.js";
import { chosenIn, fromHash, fromStoryHash, toHash, toStoryHash } from "../plain/address.js";

export const views = []; // functions of a step; main.js lists them

export const leaving = []; // functions that leave the story, called at each step
export const telling = []; // functions that open the story at a position

export const go = (i, isJump) => {
  for (const leave of leaving) leave();
  i = Math.max(0, Math.min(count - 1, i));
  if (i === state.now || !count) return;
  const from = state.now;
  state.now = i;
  state.isSingleStep = !isJump && Math.abs(i - from) === 1;
  for (const show of views) show(i);
  writeAddress(isJump, from);
};
export const jump = (i) => go(i, true);

// --- the address ---

export const addressed = []; // other state in the address, each with a name, and `get` and `set` of a string; "" is the default

let waiting = 0;

// Go to the step of the address, and restore its choices.
export const goToAddress = () => {
  clearTimeout(waiting);
  waiting = 0;
  const { step, notes } = fromHash(location.hash, count, D.start, addressed.map((each) => each.name));
  const chosen = chosenIn(location.hash);
  if (notes) state.notes = notes;
  go(step);
  const story = fromStoryHash(location.hash, D.opensOnStory);
  if (story) for (const open of telling) open(story);
  for (const { name, set } of addressed) set(chosen[name] ?? "");
};
// Browsers limit how often a page may change its address, so a held key changes it once, when it is released.
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
// Write a waiting address before its state changes.
export const flushAddress = () => { if (waiting) replaceAddress(); };
export const replaceAddress = () => {
  clearTimeout(waiting);
  waiting = 0;
  putAddress("replaceState", state.now);
};
const putAddress = (how, i) => {
  if (state.atStory) {
    try { history[how](null, "", toStoryHash(state)); } catch { /* inside a frame without one */ }
    return;
  }
  const chosen = Object.fromEntries(addressed.map(({ name, get }) => [name, get()]));
  try { history[how](null, "", toHash(i, state.notes, chosen)); } catch { /* inside a frame without one */ }
};
