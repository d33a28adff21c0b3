// A value and its gradient: which tensors of a run belong together.

import { D, TONES } from "../ground/data.js";

const GRADIENT = TONES.indexOf("gradient");

// By value: each fact about its values or its gradient, in the order of the steps. Computed at its first use.
let byValue = null;
const facts = () => {
  if (byValue) return byValue;
  byValue = new Map();
  D.facts.forEach((all, step) => {
    for (const [label, text, tone, at, of] of all) {
      if (at === undefined || !of) continue;
      if (!byValue.has(of)) byValue.set(of, []);
      byValue.get(of).push({ step, label, text, tone, at, of });
    }
  });
  return byValue;
};
// For a value its gradient, for a gradient its value: the last one before the step, or else the last one of the next call;
// null if there is none.
export const otherOf = (fact, step) => {
  const isGradient = fact.tone === GRADIENT, shape = String(D.tensors[fact.at].shape);
  const fits = (each) => (each.tone === GRADIENT) !== isGradient && String(D.tensors[each.at].shape) === shape;
  const all = (facts().get(fact.of) || []).filter(fits);
  return all.findLast((each) => each.step <= step) || all.findLast((each) => D.call[each.step] === D.call[all[0].step]) || null;
};
