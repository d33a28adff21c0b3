// The gradient calls that ran in loops, and the reader's selection. Iterations count from 0 here, from 1 on the page.

import { D, calls } from "../ground/data.js";
import { changesOf } from "../plain/columns.js";
import { unpacked } from "../plain/unpack.js";

const once = (make) => {
  let made;
  return () => made ??= make();
};
// Numbers are unpacked at their first use.
export const runs = D.runs.map((run) => ({
  ...run,
  requested: unpacked(run.requested, "int32"),
  results: unpacked(run.results, "int32"),
  targets: once(() => unpacked(run.targets, "float64")),
  norms: once(() => unpacked(run.norms, "float32")),
  weights: once(() => unpacked(run.weights, "float32")),
  moves: once(() => unpacked(run.moves, "float32")),
  has: { norms: run.norms !== "", weights: run.weights !== "", moves: run.moves !== "" },
}));

export const chosen = {
  run: 0,
  measure: "norms",
  iteration: null, // the iteration that the reader points at
  row: null,
  until: null, // the other end of a comparison
};
export const theRun = () => runs[chosen.run];

// Rows from number `sources` on are the gradients at the activations of layers.
// The step that returned a source's gradient, or requested its call.
export const stepOf = (run, iteration, row) => run.results[iteration] < 0 || row >= run.sources ? run.requested[iteration] : run.results[iteration] + row;
// The iteration of a step: that of its call, else of the next call.
export const iterationAt = (run, step) => {
  const call = calls.get(D.call[step]), own = call ? run.requested.indexOf(call.requested) : -1;
  if (own >= 0) return own;
  let low = 0, high = run.iterations - 1;
  const lastOf = (iteration) => run.results[iteration] < 0 ? run.requested[iteration] : run.results[iteration] + run.sources - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lastOf(middle) < step) low = middle + 1; else high = middle;
  }
  return low;
};
// The source whose result a step is; null if there is none.
export const rowAt = (run, step) => {
  const row = step - run.results[iterationAt(run, step)];
  return run.results[iterationAt(run, step)] >= 0 && row >= 0 && row < run.sources ? row : null;
};
// The call that a step belongs to, else the selected one.
export const runAt = (step) => {
  const call = D.calls.find((each) => each.call === D.call[step]);
  return (call && runs.find((run) => run.requested.includes(call.requested))) || theRun();
};
// The steps at which an outcome changes: of one source, or of any.
export const changedSteps = (run, row) => {
  const rows = row === null ? run.rows : [run.rows[row]];
  return changesOf(rows).map((iteration) => row === null ? run.requested[iteration] : stepOf(run, iteration, row));
};
