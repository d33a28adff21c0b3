// The drawings of the calls, each with its nodes and edges in the SVG.

import { D, calls } from "../ground/data.js";
import { state } from "../ground/state.js";

export const figures = [...document.querySelectorAll(".picture")].map((figure, number) => {
  const data = D.pictures[number], cards = new Map(), edges = [];
  const at = (id) => document.getElementById("p" + number + "-" + id);
  for (const [id, card] of Object.entries(data.cards)) {
    const group = at(id);
    if (!group) continue;
    const texts = {};
    for (const row of ["value", "grad"]) {
      const text = group.querySelector("text." + row);
      if (text) texts[row] = { text, said: text.textContent, cells: null, shown: null };
    }
    group.dataset.card = id;
    cards.set(id, { ...card, group, texts });
  }
  for (const [id, [tail, head]] of Object.entries(data.edges)) {
    const group = at(id);
    if (group) edges.push({ group, tail, head });
  }
  return { figure, canvas: figure.firstElementChild, cards, edges, acts: data.acts, view: null, lit: [] };
});

export const pictureAt = (i) => {
  const number = state.pinned ?? D.call[i];
  const call = calls.get(number);
  return { call, figure: figures[call ? call.picture : 0] };
};
// The node of the current step.
export const current = () => state.shown && (state.shown.acts[state.now] || [])[0];
