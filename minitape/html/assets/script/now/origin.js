// How one number was computed: its terms as on a board, with a link from each of them.

import { D, T, count } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { short } from "../plain/numbers.js";
import { originAt } from "../plain/origins.js";
import { flatIndexOf } from "../plain/meeting.js";
import { product } from "../plain/shapes.js";
import { elementsOf, isComplex } from "../plain/unpack.js";
import { showTensor } from "../tensor/panel.js";
import { calledByUser } from "./called.js";
import { closeDetail, detail } from "./detail.js";
import { termTable } from "./table.js";

const keptRows = new Map(); // the elements of each selected tensor
const elementsAt = (tensor) => {
  if (!keptRows.has(tensor)) keptRows.set(tensor, numbersOfAll(D.tensors[tensor]));
  return keptRows.get(tensor);
};
// Complex numbers are strings; their absolute values are used for painting.
const numbersOfAll = (tensor) => {
  const { values, text } = elementsOf(tensor);
  return isComplex(tensor.dtype) ? Array.from(values, (_, k) => text(k)) : values;
};
const originData = { origins: D.origins, texts: T, tensors: D.tensors, row: elementsAt };

let opened = null; // the tensor of the first number, and its view

const goOnTo = (slot, at) => showOrigin([...state.trail, [slot, at]]);
const beginAt = (slot, at) => {
  opened = state.looked;
  showOrigin([[slot, at]]);
};
const goBack = () => {
  if (state.trail.length > 1) showOrigin(state.trail.slice(0, -1));
  else showTensor(opened.fact, opened);
};
// The numbers that were followed; the last one is shown.
const showOrigin = (trail) => {
  const origin = originAt(originData, ...trail.at(-1)), parts = [makerOf(origin)];
  if (origin.rule) parts.push(el("p", "rule  " + origin.rule, "muted"));
  if (origin.fn) parts.push(el("p", origin.fn + " of"));
  if (origin.terms.length) parts.push(termTable(origin, goOnTo));
  if (origin.word) parts.push(el("p", origin.word));
  if (trail.length > 1 || opened) {
    const back = el("button", "← back");
    back.type = "button";
    back.addEventListener("click", goBack);
    parts.push(back);
  }
  detail(origin.name + (Number.isNaN(origin.number) ? "" : " = " + short(origin.number)), ...parts);
  state.trail = trail;
  $("detail").firstChild.tabIndex = -1;
  $("detail").firstChild.focus(); // it is read aloud, and the keys continue from here
};
// The step that computed it.
const makerOf = ({ text, op, slot }) => {
  const called = op === null ? "" : calledByUser(op), made = el("p", text + (called && " (" + called + ")"), "muted");
  const step = D.origins.step[slot];
  if (step < 0 || step === state.now) return made;
  const link = el("a", "step " + (step + 1));
  link.href = "#" + (step + 1);
  made.append(text ? ", " : "", link);
  return made;
};

// --- the start of following ---

// Each single number has a button; a result that is a sum shows its terms at once; a cell of a larger tensor is clicked directly.
export const showQuestions = (i) => {
  [...$("facts").querySelectorAll("dd")].forEach((text, k) => {
    const slot = D.origins.facts[i][k], question = questions[k] ??= newQuestion();
    const isOne = slot !== undefined && slot >= 0 && sizeAt(slot) === 1;
    const origin = isOne && isAnswer(i, k) ? originAt(originData, slot, 0) : null;
    const isSum = origin && !origin.fn && origin.terms.length > 1;
    if (isSum) text.after(expansionOf(origin, slot));
    question.slot = slot;
    if (!isOne || isSum) question.button.remove();
    else if (question.button !== text.lastChild) text.append(question.button);
  });
};
const questions = []; // the buttons of the lines of facts, which are reused
const sizeAt = (slot) => D.origins.tensor[slot] === null ? 1 : product(D.tensors[D.origins.tensor[slot]].shape);
// The result of a gradient call is the fact with the name of its step.
const isAnswer = (i, k) => D.facts[i][k] !== undefined && T[D.facts[i][k][0]] === T[D.what[i]] + " =";
const newQuestion = () => {
  const button = el("button", "from?", "from"), question = { button, slot: -1 };
  button.type = "button";
  button.title = "show how this number was computed";
  button.setAttribute("aria-label", "show how this number was computed");
  button.addEventListener("click", () => beginAt(question.slot, 0));
  return question;
};
const expansionOf = (origin, slot) => {
  const expansion = el("dd", undefined, "wide expansion");
  const goOn = (next, at) => {
    opened = null;
    showOrigin([[slot, 0], [next, at]]);
  };
  expansion.append(makerOf(origin), termTable(origin, goOn));
  return expansion;
};
// The tensor of a fact: of this step, or else of the nearest step before it, or else of the first step after it.
const slotOf = (step, label, tensor) => {
  const slotIn = (at) => {
    const k = D.facts[at].findIndex((fact) => T[fact[0]] === label && fact[3] === tensor);
    return k < 0 ? -1 : D.origins.facts[at][k];
  };
  for (let at = step; at >= 0; at--) if (slotIn(at) >= 0) return slotIn(at);
  for (let at = step + 1; at < count; at++) if (slotIn(at) >= 0) return slotIn(at);
  return -1;
};

// --- in the address: "12.3,8.0", a number and its index in its tensor, for each number that was followed ---

export const originNamed = () => $("detail").hidden ? "" : state.trail.map((each) => each.join(".")).join(",");
export const tellOrigin = (named) => {
  const trail = named.split(",").map((each) => each.split(".").map(Number));
  if (named && D.origins && trail.every(isElement)) {
    opened = null;
    showOrigin(trail);
  } else if (originNamed()) closeDetail();
};
const isElement = ([slot, at]) => {
  return D.origins.tensor[slot] !== undefined && Number.isInteger(at) && at >= 0 && at < sizeAt(slot);
};
export const setUpOrigins = () => $("now").addEventListener("element", ({ detail: { step, label, tensor, index } }) => {
  const slot = slotOf(step, label, tensor);
  if (slot >= 0) beginAt(slot, flatIndexOf(index, D.tensors[tensor].shape));
});
