// The picture at a step: the nodes that exist, the gradients that have arrived, and the current node.

import { D, count } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { upTo } from "../plain/lists.js";
import { figures, pictureAt } from "./figures.js";
import { write } from "./rows.js";
import { drawMinimap } from "./minimap.js";
import { fit, followCard } from "./zoom.js";

const NOT_YET = "not yet";

const show = (figure) => {
  if (figure === state.shown) return;
  figures.forEach((each) => { each.figure.hidden = each !== figure; });
  state.shown = figure;
  if (figure && !figure.view) fit();
};
export const showPicture = (i) => {
  drawPicture(i);
  followCard();
};
export const drawPicture = (i) => {
  const { call, figure } = pictureAt(i);
  const undrawn = call && call.picture === null;
  $("which").textContent = undrawn ? "this call has no picture: the run has too many different calls" : "";
  show(undrawn ? null : figure);
  if (undrawn || !figure) return;
  showEdges(figure, i, showCards(figure, call, i));
  figure.lit.forEach((group) => group.classList.remove("current"));
  figure.lit = (figure.acts[i] || []).slice(0, 1).map((id) => figure.cards.get(id)).filter(Boolean).map((card) => card.group);
  figure.lit.forEach((group) => group.classList.add("current"));
  drawMinimap();
};
// The nodes at a step; nodes whose gradient has arrived are highlighted.
const showCards = (figure, call, i) => {
  const first = call ? call.first : 0, last = call ? call.last : count;
  const flowed = new Set();
  for (const [id, card] of figure.cards) {
    const isMadeAgain = card.rows.value && card.rows.value.length > 1 && card.op;
    const known = card.rows.value ? upTo(card.rows.value, i) : -1;
    const has = card.rows.value ? known >= 0 && !(isMadeAgain && card.rows.value[known][0] < first) : card.made <= i;
    card.group.classList.toggle("future", !has);
    if (card.texts.value && known >= 0) write(card, card.texts.value, card.rows.value[known]);
    const grads = card.rows.grad || [];
    const given = upTo(grads, i);
    const arrived = given >= 0 && grads[given][0] >= first;
    if (arrived) flowed.add(id);
    card.group.classList.toggle("arrived", arrived);
    if (!card.texts.grad) continue;
    const isLater = !arrived && i < last && has && call;
    card.texts.grad.text.classList.toggle("later", Boolean(isLater));
    if (arrived) write(card, card.texts.grad, grads[given]);
    else write(card, card.texts.grad, [i, isLater ? NOT_YET : card.texts.grad.initial]);
  }
  return flowed;
};
const showEdges = (figure, i, flowed) => {
  const isBack = D.phase[i] === "b";
  const late = (card) => card && card.group.classList.contains("future");
  for (const edge of figure.edges) {
    const tail = figure.cards.get(edge.tail), head = figure.cards.get(edge.head);
    edge.group.classList.toggle("back", isBack);
    edge.group.classList.toggle("flowed", isBack && flowed.has(edge.tail) && flowed.has(edge.head));
    edge.group.classList.toggle("future", Boolean(late(tail) || late(head)));
  }
};
