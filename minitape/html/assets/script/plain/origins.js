// How a number was computed: the terms whose sum it is. Python has found the patterns; here they are evaluated for one element.

import { isComplexText } from "./complex.js";
import { madeOf, sentFrom, countOf } from "./meeting.js";
import { short } from "./numbers.js";
import { indexIn } from "./shapes.js";

// How a tensor was computed, in the numbering of html/data/term_data.py.
const HOW = { op: 0, share: 1, rows: 2, sum: 3, same: 4, listed: 6 };

// A number of the run as a factor, with its location; `data` has the page's origins, its texts, and the elements of a
// tensor as `row`.
const factorAt = (data, slot, at, name) => ({ text: name ?? calledAt(data, slot, at), number: numberAt(data, slot, at), slot, at });
const constantFactor = (number, text) => ({ text: text ?? short(number), number, slot: -1 });
const shapeAt = (data, slot) => {
  const tensor = data.origins.tensor[slot];
  return tensor === null ? [] : data.tensors[tensor].shape;
};
export const numberAt = (data, slot, at) => {
  if (slot < 0) return undefined;
  const tensor = data.origins.tensor[slot];
  return tensor === null ? numberOf(data.origins.one[slot]) : data.row(tensor)[at];
};
// Numbers that JSON lacks are strings; complex numbers remain strings.
const numberOf = (value) => isComplexText(value) ? value : value === null ? undefined : Number(value);
const calledAt = (data, slot, at) => {
  if (slot < 0) return "?";
  const name = data.texts[data.origins.name[slot]], index = indexIn(shapeAt(data, slot), at);
  const isPlain = name.startsWith("∂") || /^#?[\p{L}\p{N}_.]+(\[\d+\])?$/u.test(name);
  return index.length ? (isPlain ? name : "(" + name + ")") + "[" + index.join(",") + "]" : name;
};

const termOf = (...factors) => ({ factors, amount: factors.reduce((product, each) => product * each.number, 1) });

// --- the contributions of a step ---

const sentTerms = (data, slot, at, [, number, position, cotangents, hasRows]) => {
  const [patternAt, , , inputs, outputs, slopes] = data.origins.ops[number], pattern = data.origins.patterns[patternAt];
  let row = 0;
  if (hasRows) {
    const [rows, ...shape] = shapeAt(data, slot);
    row = Math.floor(at / countOf(shape));
    at -= row * countOf(shape);
  }
  const met = sentFrom(pattern, position, at).filter(([out]) => cotangents[out] >= 0);
  return met.map(([out, place, factor, all]) => {
    const [, ...shape] = shapeAt(data, cotangents[out]);
    const cotangent = factorAt(data, cotangents[out], hasRows ? row * countOf(shape) + place : place);
    if (factor !== null) return termOf(...constantFactors(pattern, factor), cotangent);
    if (pattern.kind === "product") return termOf(...otherFactors(data, inputs, position, all), cotangent);
    const slope = slopeFactor(data, pattern, position, all, inputs, outputs);
    const given = slopes?.[position]?.[place];
    // If two single elements depend on each other, the contribution is the product, and the factor follows from it.
    slope.number = given ?? (cotangent.number ? numberAt(data, slot, row * countOf(shapeAt(data, inputs[position])) + at) / cotangent.number : NaN);
    if (!slope.text) slope.text = short(slope.number);
    const term = termOf(slope, cotangent);
    if (!cotangent.number && given === undefined) { slope.number = undefined; term.amount = 0; }
    return term;
  });
};
const constantFactors = (pattern, factor) => {
  if (factor === 1) return [];
  return [constantFactor(factor, pattern.isMean ? "1/" + Math.round(1 / factor) : undefined)];
};
const otherFactors = (data, inputs, position, all) =>
  inputs.flatMap((input, who) => who === position ? [] : [factorAt(data, input, all[who])]);
// The derivative as a formula of the rule, for these elements.
const slopeFactor = (data, pattern, position, all, inputs, outputs) => {
  const words = pattern.factors[position];
  let lead = null;
  const filled = words.replace(/\{(\w)\}/g, (_, letter) => {
    lead = letter === "y" ? factorAt(data, outputs[0], all[all.length - 1]) : factorAt(data, inputs[letter], all[letter]);
    return lead.text;
  });
  if (lead && filled === lead.text) return lead;
  return { text: / [+-] /.test(filled.replace(/[([][^()[\]]*[)\]]/g, "")) ? "(" + filled + ")" : filled, slot: -1 };
};

// --- the result of an op ---

const madeTerms = (data, slot, at, [, number, out]) => {
  const [patternAt, name, , inputs] = data.origins.ops[number], pattern = data.origins.patterns[patternAt];
  const met = madeOf(pattern, out, at);
  const own = met.map(([position, place]) => factorAt(data, inputs[position], place));
  if (pattern.kind === "product") {
    const terms = met.map(([, , , all]) => termOf(...inputs.map((input, who) => factorAt(data, input, all[who]))));
    return { terms, word: terms.length ? "" : "It does not contain any element of the inputs." };
  }
  if (pattern.kind === "linear") {
    const terms = met.map(([, , factor], k) => termOf(...constantFactors(pattern, factor), own[k]));
    if (addsUp(terms, numberAt(data, slot, at))) return { terms, word: terms.length ? "" : "It does not contain any element of the inputs." };
  }
  const word = pattern.kind === "each" ? "" : own.length ? "It depends on these elements of the inputs."
    : "It does not depend on any element of the inputs here, because its derivatives are 0.";
  return { terms: own.map((each) => ({ factors: [each], amount: each.number })), fn: data.texts[name].replace(/^#\d+ /, ""), word };
};
const addsUp = (terms, number) => {
  const total = terms.reduce((sum, each) => sum + each.amount, 0);
  const size = terms.reduce((sum, each) => sum + Math.abs(each.amount), Math.abs(number));
  return !(Math.abs(total - number) > 1e-4 * size);
};

// --- elements that Python has described individually ---

const asListed = (data, [, op, all], at) => {
  const [text, rule, fn, word, terms] = all[at], { texts } = data;
  const factorOf = ([text, number, slot, place]) => ({ text: texts[text], number: numberOf(number), slot, at: place });
  return {
    op: op || null, text: texts[text], rule: texts[rule], fn: texts[fn], word: texts[word],
    terms: terms.map(([amount, ...factors]) => ({ factors: factors.map(factorOf), amount: amount === null ? NaN : numberOf(amount) })),
  };
};

// --- queries ---

// The number, its name, how it was computed, and its terms.
export const originAt = (data, slot, at) => {
  const made = data.origins.made[slot];
  if (made[0] === HOW.same) return { ...originAt(data, made[1], at), name: calledAt(data, slot, at), number: numberAt(data, slot, at) };
  const found = { slot, at, name: calledAt(data, slot, at), number: numberAt(data, slot, at), text: "", rule: "", word: "", fn: "", terms: [], op: null };
  if (made[0] === HOW.listed) return { ...found, ...asListed(data, made, at) };
  const op = [HOW.op, HOW.share, HOW.rows].includes(made[0]) ? data.origins.ops[made[1]] : null;
  const called = op && data.texts[op[1]];
  if (op) found.op = made[1];
  if (made[0] === HOW.op) {
    return { ...found, text: "what " + called + " computes", ...madeTerms(data, slot, at, made) };
  }
  if (made[0] === HOW.share || made[0] === HOW.rows) {
    const terms = made[0] === HOW.share ? sentTerms(data, slot, at, made) : [termOf(factorAt(data, made[2][0], made[3][at]))];
    const word = terms.length ? "" : "No part of the gradient that arrived reaches it, because the derivative is 0.";
    return { ...found, text: "contribution of " + called, rule: data.texts[op[2]], terms, word };
  }
  if (made[0] === HOW.sum) {
    const terms = made[1].map((each, k) => termOf({ ...factorAt(data, each, at, data.texts[made[2][k]]), isSent: true }));
    return { ...found, text: "the sum of the contributions of " + terms.length + " steps", terms };
  }
  return { ...found, word: data.texts[made[1]] };
};
