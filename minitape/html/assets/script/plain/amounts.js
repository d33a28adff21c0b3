// The terms of a number as rows of a table.

import { magnitudeOf } from "./complex.js";
import { short } from "./numbers.js";

const weightOf = (term) => {
  const size = magnitudeOf(term.amount);
  return Number.isNaN(size) ? Infinity : size;
};

// All terms; if there are too many, the largest by absolute value, and the others.
export const largestTerms = (terms, most) => {
  if (terms.length <= most) return [terms, []];
  const ranked = [...terms].sort((a, b) => weightOf(b) - weightOf(a) || 0); // if two are infinite, the first
  return [ranked.slice(0, most), ranked.slice(most)];
};
// The largest terms; empty if all are equal.
export const heaviest = (terms) => {
  const sizes = terms.map(weightOf), most = Math.max(...sizes);
  return sizes.every((size) => size === most) ? [] : terms.filter((_, k) => sizes[k] === most);
};
// The product as numbers; empty if it only repeats the contribution.
export const numbersOf = ({ factors, amount }) =>
  factors.length === 1 && factors[0].number === amount ? "" : factors.map(({ number }) => inProduct(number)).join("·");
const inProduct = (number) => number === undefined ? "?" : number < 0 ? "(" + short(number) + ")" : short(number);
// The number that following a term leads to: its last factor that is in the trace, or else the first.
export const leadOf = (term) => term.factors.findLast((each) => each.slot >= 0);
// The heading if not all terms are shown.
export const captionOf = ({ terms, fn }, shown) => {
  const text = "the " + shown + " largest:";
  if (fn) return terms.length + " elements, " + text;
  return terms[0].factors[0].isSent ? text : "the sum of " + terms.length + " terms, " + text; // the line above already has the number of steps
};
// The numbers of ops without other names: 7 for `∂loss/∂#7[1]`.
export const opsNamedIn = (text) => [...text.matchAll(/#(\d+)/g)].map(([, number]) => Number(number));
// The ops in the factors of terms, each once; the sender of a contribution is shown with its term.
export const opsOf = (terms) =>
  [...new Set(terms.flatMap(({ factors }) => factors.flatMap((each) => each.isSent ? [] : opsNamedIn(each.text))))];
