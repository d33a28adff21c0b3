// One step of each run: its source, and the facts about it.

import { $, el, reveal } from "../ground/elements.js";
import { apart } from "../plain/comparison.js";
import { dataIn } from "../plain/packed.js";

const delivered = dataIn(document.getElementById("data").textContent);
export const D = delivered instanceof Promise ? await delivered : delivered;
const sides = [$("first"), $("second")].map((pane) => ({ pane, files: [...pane.querySelectorAll(".file")] }));

// Mark the lines of the scripts that differ.
export const markChanged = () => D.changed.forEach((lines, side) => {
  for (const line of lines) sides[side].files[0]?.children[line - 1]?.classList.add("changed");
});
// The text of a row for one run's step; empty if the run has no step here.
export const cellOf = (side, i) => {
  const cell = el("span");
  if (i < 0) {
    cell.className = "none";
    cell.textContent = "—";
    return cell;
  }
  const { what, code, value } = D.sides[side];
  cell.append(el("b", what[i]), code[i] || value[i]);
  return cell;
};
// Show a step in its pane, with the differences from the `other` step marked.
export const showSide = (side, i, other) => {
  const { pane, files } = sides[side], data = D.sides[side], list = $(side ? "right" : "left");
  for (const line of pane.querySelectorAll(".now")) line.classList.remove("now");
  list.replaceChildren();
  if (i < 0) {
    list.append(el("dt", ""), el("dd", "no step"));
    return;
  }
  const facts = factsOf(side, i), far = other < 0 ? facts.map(() => false) : apart(facts, factsOf(1 - side, other));
  facts.forEach(([label, text], k) => list.append(el("dt", label), el("dd", text, far[k] ? "differs" : "")));
  const place = data.place[i];
  if (!place) return;
  files.forEach((file, k) => { file.hidden = k !== place[0]; });
  const line = files[place[0]].children[place[1] - 1];
  line.classList.add("now");
  reveal(pane, line);
};
const factsOf = (side, i) => {
  const data = D.sides[side];
  const own = [["step", data.what[i]], ["code", data.code[i]]];
  if (data.problem[i]) own.push(["problem", data.problem[i]]);
  return [...own, ...data.facts[i]].filter(([, text]) => text);
};
