// The terms of a number as they stand in a table.

import { magnitudeOf } from "./complex.js";
import { short } from "./numbers.js";

const weightOf = (term) => {
  const size = magnitudeOf(term.amount);
  return Number.isNaN(size) ? Infinity : size;
};

// As they are; of more than there is room for the largest ones by their size, and all others.
export const largestTerms = (terms, most) => {
  if (terms.length <= most) return [terms, []];
  const ranked = [...terms].sort((a, b) => weightOf(b) - weightOf(a) || 0); // of two infinite ones the first
  return [ranked.slice(0, most), ranked.slice(most)];
};
// Those that no other exceeds; none of them stands out where all are alike.
export const heaviest = (terms) => {
  const sizes = terms.map(weightOf), most = Math.max(...sizes);
  return sizes.every((size) => size === most) ? [] : terms.filter((_, k) => sizes[k] === most);
};
// The product in numbers; nothing where it would only repeat the amount.
export const numbersOf = ({ factors, amount }) =>
  factors.length === 1 && factors[0].number === amount ? "" : factors.map(({ number }) => inProduct(number)).join("·");
const inProduct = (number) => number === undefined ? "?" : number < 0 ? "(" + short(number) + ")" : short(number);
// Where a term goes on: to the number before it on its way, else to the first of its factors that stands somewhere.
export const leadOf = (term) => term.factors.findLast((each) => each.spot >= 0);
// What is said above terms of which not all are shown.
export const captionOf = ({ terms, fn }, shown) => {
  const said = "the " + shown + " largest:";
  if (fn) return terms.length + " elements, " + said;
  return terms[0].factors[0].isSent ? said : "the sum of " + terms.length + " terms, " + said; // how many steps sent is told already
};
// The numbers of the ops that have no other name: of `∂loss/∂#7[1]` 7.
export const opsNamedIn = (text) => [...text.matchAll(/#(\d+)/g)].map(([, number]) => Number(number));
// Those in the factors of terms, each once; who sent something is told with its term.
export const opsOf = (terms) =>
  [...new Set(terms.flatMap(({ factors }) => factors.flatMap((each) => each.isSent ? [] : opsNamedIn(each.text))))];
