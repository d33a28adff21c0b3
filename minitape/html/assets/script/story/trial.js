// Other values of an input of a small tape: the reader drags a number, and the picture shows the values and gradients that follow, with
// the slope of the target next to the gradient. Only the page computes this (plain/tape.js).

import { D } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { threeDigits } from "../plain/numbers.js";
import { backward, changed, forward, normOf, normOfLink, slopeAt, widthOf } from "../plain/tape.js";
import { chooseIteration, stopIterations } from "./iterations.js";
import { retext, showLink } from "./redraw.js";
import { streams } from "./river.js";

const STEPS = 400, CLOSE = 1e-3; // steps of the slider; how much a first result may differ from the recorded one
let leaves = null;

const chosenInput = () => D.story.tape.inputs[$("trial-input").selectedIndex];
const elementAt = (place, offset) => leaves.find(([at]) => at === place)[1][offset];
const computed = () => {
  const values = forward(D.story.tape, leaves);
  return { target: values[D.story.tape.target[0]][0], ...backward(D.story.tape, values) };
};
const showOther = ({ target, gradients, sent }) => {
  const { tape, iterations } = D.story, { scale } = iterations ?? tape, { svg } = streams[0];
  tape.links.forEach((link, at) => {
    const norm = normOfLink(tape, link, sent);
    showLink(svg, at, [widthOf(scale, norm), threeDigits(norm)]);
  });
  for (const [id, isTarget, sources] of tape.cards) {
    const card = svg.querySelector("#" + CSS.escape("run-" + id));
    if (isTarget) retext(card.querySelector("[data-number]"), threeDigits(target));
    sources.forEach((places, at) => {
      if (places.length) retext(card.querySelector('[data-parameter="' + at + '"]'), threeDigits(normOf(places.flatMap((place) => gradients[place]))));
    });
  }
};
const showNumbers = ({ target, gradients }) => {
  const { tape } = D.story, [, place, offset] = chosenInput(), gradient = gradients[place][offset];
  $("trial-number").textContent = threeDigits(elementAt(place, offset));
  $("trial-target").textContent = tape.words.target.replace("{value}", threeDigits(target));
  $("trial-gradient").textContent = tape.words.gradient.replace("{value}", threeDigits(gradient));
  $("trial-slope").textContent = tape.words.slope.replace("{value}", threeDigits(slopeAt(tape, leaves, place, offset)));
  $("trial-value").setAttribute("aria-valuetext", threeDigits(elementAt(place, offset)));
};
// The slider of the chosen number: its range on both sides is the number itself, and at least 1.
const fitSlider = () => {
  const [, place, offset] = chosenInput(), at = elementAt(place, offset), reach = Math.max(1, 2 * Math.abs(at));
  Object.assign($("trial-value"), { min: at - reach, max: at + reach, step: 2 * reach / STEPS });
  $("trial-value").value = at;
};
const isChanged = () => JSON.stringify(leaves) !== JSON.stringify(D.story.tape.leaves);
const markTrial = () => {
  streams[0].svg.classList.toggle("other-numbers", isChanged());
  $("trial-reset").disabled = !isChanged();
};
const reset = () => {
  leaves = D.story.tape.leaves;
  fitSlider();
  showTrial();
};
const showTrial = () => {
  const found = computed();
  showOther(found);
  showNumbers(found);
  markTrial();
};
const drag = () => {
  stopIterations();
  if (!isChanged()) chooseIteration(0);
  const [, place, offset] = chosenInput();
  leaves = changed(leaves, place, offset, Number($("trial-value").value));
  showTrial();
};
export const setUpTrial = () => {
  const { tape } = D.story;
  if (!tape) return;
  const [target, recorded] = tape.target, first = forward(tape, tape.leaves)[target][0];
  if (!(Math.abs(first - recorded) <= CLOSE * Math.max(1, Math.abs(recorded)))) return;
  $("trial").hidden = false;
  $("trial-input").append(...tape.inputs.map(([name]) => el("option", name)));
  leaves = tape.leaves;
  fitSlider();
  $("trial-value").addEventListener("input", drag);
  $("trial-input").addEventListener("change", () => { fitSlider(); showNumbers(computed()); });
  $("trial-reset").addEventListener("click", reset);
  $("iteration")?.addEventListener("input", () => { leaves = tape.leaves; fitSlider(); showNumbers(computed()); markTrial(); });
  showNumbers(computed()); // the picture is that of the run until the reader drags
};
