// The current step: its texts and its problem; its facts are in facts.js.

import { D, T, TONES, count } from "../ground/data.js";
import { $, say } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { showFacts } from "./facts.js";

export const showNow = (i) => {
  const phase = $("phase"), place = D.place[i];
  phase.className = D.phase[i];
  const iteration = T[D.iteration[i]] ? " · " + T[D.iteration[i]] : "";
  const times = iteration + (D.visits[i] > 1 ? " · time " + D.visit[i] + " of " + D.visits[i] : "");
  say(phase, (D.phase[i] === "b" ? "backward" : "forward") + (place ? " · line " + place[1] : "") + times);
  say($("what"), T[D.what[i]]);
  $("what").className = TONES[D.tone[i]];
  say($("code"), T[D.code[i]]);
  $("trouble").hidden = !(i in D.problem);
  if (i in D.problem) say($("trouble"), "! " + T[D.problem[i]]);
  say($("announcement"), phase.textContent + ": " + T[D.what[i]] + (i in D.problem ? ". Problem: " + T[D.problem[i]] : ""));
  showFacts(i);
  $("detail").hidden = true;
  $("note").value = state.notes[i] || "";
};
// A new step starts at its title.
export const showTop = () => { if ($("now").scrollTop) $("now").scrollTop = 0; };
export const showPosition = (i) => {
  $("slider").value = i;
  $("slider").setAttribute("aria-valuetext", "step " + (i + 1) + " of " + count + ": " + T[D.what[i]]);
  say($("position"), (i + 1) + " / " + count);
  $("back").disabled = i === 0;
  $("step").disabled = i === count - 1;
};
