// The facts of a step, line by line. A line is reused with new texts: elements created at each step soon outnumber all others on
// the page, and slow it down until the browser collects them.

import { D, T, TONES } from "../ground/data.js";
import { $, el, say } from "../ground/elements.js";
import { showTensor } from "../tensor/panel.js";
import { paintThumb } from "../tensor/thumb.js";

const RULE_LETTERS = "a, b, c: the inputs in order (x: the only one); y: the output; ȳ: the gradient that arrives; ā, b̄, x̄: the gradients sent to the inputs";
const factLines = [];

export const showFacts = (i) => {
  for (const expansion of $("facts").querySelectorAll(".expansion")) expansion.remove();
  D.facts[i].forEach((fact, k) => {
    const line = factLines[k] ??= newLine();
    tellFact(line, fact);
    if (!line.text.isConnected) $("facts").append(line.label, line.text);
  });
  for (let k = D.facts[i].length; factLines[k]?.text.isConnected; k++) {
    factLines[k].label.remove();
    factLines[k].text.remove();
  }
};
const newLine = () => {
  const label = el("dt"), text = el("dd", " "), button = el("button"), thumb = el("canvas", undefined, "thumb");
  const line = { label, text, button, thumb, more: el("span", " "), fact: null };
  button.type = "button";
  button.title = "show the elements";
  button.append(line.more);
  button.addEventListener("click", () => showTensor(line.fact));
  return line;
};
const tellFact = (line, [label, text, tone, at, of]) => {
  line.fact = { label, text, tone, at, of };
  line.label.hidden = !T[label];
  if (T[label] === "rule") line.label.title = RULE_LETTERS;
  else line.label.removeAttribute("title");
  say(line.label, T[label]);
  say(line.text, T[text]);
  line.text.className = TONES[tone] + (T[label] ? "" : " wide");
  if (at === undefined) line.button.remove();
  else tellTensor(line, at);
};
const tellTensor = ({ text, button, thumb, more }, at) => {
  const isSeen = paintThumb(thumb, at);
  say(more, isSeen ? "numbers" : "elements");
  if (isSeen) button.dataset.tensor = at;
  else delete button.dataset.tensor;
  if (!isSeen) thumb.remove();
  else if (thumb.parentNode !== button) button.prepend(thumb);
  if (button.parentNode !== text) text.firstChild.after(button);
};
