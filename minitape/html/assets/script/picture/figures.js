// The drawings of the calls, each with its nodes and edges in the SVG.

import { D, calls } from "../ground/data.js";
import { state } from "../ground/state.js";

// The frame, the header and the body of a node whose color is that of the pass: forward, and backward once its gradient arrived.
const OF_PASSES = ["var", "watched", "path", "closed", "carried"];
const markWay = (group) => {
  const shapes = [...group.querySelectorAll("polygon, path, rect")], frame = shapes.find((shape) => ![null, "none", "transparent"].includes(shape.getAttribute("stroke")));
  if (!frame) return;
  frame.classList.add("way-line");
  if (!OF_PASSES.some((kind) => group.classList.contains(kind))) return;
  const line = frame.getAttribute("stroke");
  const heads = shapes.filter((shape) => shape.getAttribute("fill") === line);
  if (heads.length) heads[0].classList.add("way-head");
  for (const shape of shapes) {
    if (shape.getAttribute("stroke") === line) shape.classList.add("way-line");
    if (shape === frame && shape.getAttribute("fill") !== "none" && shape !== heads[0]) shape.classList.add("way-body");
  }
};

export const figures = [...document.querySelectorAll(".picture")].map((figure, number) => {
  const data = D.pictures[number], cards = new Map(), edges = [];
  const at = (id) => document.getElementById("p" + number + "-" + id);
  for (const [id, card] of Object.entries(data.cards)) {
    const group = at(id);
    if (!group) continue;
    const texts = {};
    for (const row of ["value", "grad"]) {
      const text = group.querySelector("text." + row);
      if (text) texts[row] = { text, initial: text.textContent, cells: null, shown: null };
    }
    group.dataset.card = id;
    markWay(group);
    cards.set(id, { ...card, group, texts });
  }
  for (const [id, [tail, head]] of Object.entries(data.edges)) {
    const group = at(id);
    if (group) edges.push({ group, tail, head });
  }
  return { figure, canvas: figure.firstElementChild, cards, edges, acts: data.acts, view: null, lit: [], boxes: null, hits: [] };
});

export const pictureAt = (i) => {
  const number = state.pinned ?? D.call[i];
  const call = calls.get(number);
  return { call, figure: figures[call ? call.picture : 0] };
};
// The node of the current step.
export const current = () => state.shown && (state.shown.acts[state.now] || [])[0];
