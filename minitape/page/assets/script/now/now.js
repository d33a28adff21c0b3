// What happens now: its words, its facts, its trouble.

import { D, T, TONES, count } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { showTensor } from "../tensor/panel.js";
import { thumb } from "../tensor/thumb.js";

export const showNow = (i) => {
  const phase = $("phase"), place = D.place[i];
  phase.className = D.phase[i];
  const turn = T[D.turn[i]] ? " · " + T[D.turn[i]] : "";
  const times = turn + (D.visits[i] > 1 ? " · time " + D.visit[i] + " of " + D.visits[i] : "");
  phase.textContent = (D.phase[i] === "b" ? "backward" : "forward") + (place ? " · line " + place[1] : "") + times;
  $("what").textContent = T[D.what[i]];
  $("what").className = TONES[D.tone[i]];
  $("code").textContent = T[D.code[i]];
  $("trouble").hidden = !(i in D.problem);
  if (i in D.problem) $("trouble").textContent = "! " + T[D.problem[i]];
  $("said").textContent = phase.textContent + ": " + T[D.what[i]] + (i in D.problem ? ". Problem: " + T[D.problem[i]] : "");
  showFacts(i);
  $("detail").hidden = true;
  $("note").value = state.notes[i] || "";
};
const showFacts = (i) => {
  const facts = $("facts");
  facts.textContent = "";
  for (const [label, text, tone, at, of] of D.facts[i]) {
    const said = el("dd", T[text], TONES[tone]);
    if (at !== undefined) {
      const button = el("button"), image = thumb(at);
      button.type = "button";
      button.title = "the numbers";
      if (image) button.dataset.tensor = at;
      button.append(...image ? [image] : [], el("span", image ? "numbers" : "elements"));
      button.addEventListener("click", () => showTensor({ label, text, tone, at, of }));
      said.append(button);
    }
    if (T[label]) facts.append(labelled(T[label]), said);
    else { said.classList.add("wide"); facts.append(said); }
  }
};
const RULE_LETTERS = "a, b, c: the inputs in their order (x: the only one); y: what the op gave; ȳ: what arrives; ā, b̄, x̄: what is sent to each input";
const labelled = (label) => {
  const made = el("dt", label);
  if (label === "rule") made.title = RULE_LETTERS;
  return made;
};
export const showPosition = (i) => {
  $("slider").value = i;
  $("slider").setAttribute("aria-valuetext", "step " + (i + 1) + " of " + count + ": " + T[D.what[i]]);
  $("position").textContent = (i + 1) + " / " + count;
  $("back").disabled = i === 0;
  $("step").disabled = i === count - 1;
};
