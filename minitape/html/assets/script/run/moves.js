// Moves from iteration to iteration, and to the iterations in which an outcome changes.

import { jump } from "../ground/going.js";
import { state } from "../ground/state.js";
import { after } from "../plain/lists.js";
import { changedSteps, chosen, rowAt, runAt, runs } from "./iterations.js";

// `which` is `after` or `before`.
export const nextRound = (which) => {
  if (runs.length) jump(which(runAt(state.now).requested, state.now));
};
// For the source that the reader points at on the map, or whose result this step is; otherwise for any source.
export const nextChange = () => {
  if (!runs.length) return;
  const run = runAt(state.now);
  jump(after(changedSteps(run, state.atRun ? chosen.row : rowAt(run, state.now)), state.now));
};
