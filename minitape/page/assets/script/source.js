// The user's files: which line is at work, who called it, and what happened there.

import { D } from "./ground/data.js";
import { $, el, reveal } from "./ground/elements.js";
import { jump } from "./ground/going.js";
import { state } from "./ground/state.js";
import { upTo } from "./plain/lists.js";

export const files = [...document.querySelectorAll(".file")];
const span = el("span");
span.id = "span";
const visits = new Map(); // "file line" → the steps that happened there
let lines = [];
const lineOf = (place) => place && files[place[0]] && files[place[0]].children[place[1] - 1];

export const showFile = (number) => {
  state.file = number;
  files.forEach((each, i) => { each.hidden = i !== number; });
  [...$("tabs").children].forEach((tab, i) => tab.setAttribute("aria-pressed", String(i === number)));
};
const setUpTabs = () => {
  if (files.length > 1) D.files.forEach((name, i) => {
    const tab = el("button", name);
    tab.type = "button";
    tab.addEventListener("click", () => showFile(i));
    $("tabs").append(tab);
  });
};
export const setUpSource = () => {
  setUpTabs();
  D.place.forEach((place, i) => {
    if (!place) return;
    const key = place[0] + " " + place[1];
    if (!visits.has(key)) {
      visits.set(key, []);
      const line = lineOf(place);
      if (line) { line.classList.add("ran"); line.firstChild.tabIndex = 0; }
    }
    visits.get(key).push(i);
  });
  for (const i of Object.keys(D.problem)) {
    const line = lineOf(D.place[i]);
    if (line) line.classList.add("bad");
  }
  $("files").addEventListener("click", (event) => {
    const line = event.target.closest("li");
    const there = line && visits.get(state.file + " " + line.dataset.line);
    if (there) jump(there[(upTo(there.map((i) => [i]), state.now) + 1) % there.length]);
  });
  showFile(0);
};
export const showSource = (i) => {
  lines.forEach((line) => line.classList.remove("now", "caller"));
  const line = lineOf(D.place[i]);
  lines = [];
  span.remove();
  for (const place of D.callers[i] || []) {
    const caller = lineOf(place);
    if (caller) { caller.classList.add("caller"); lines.push(caller); }
  }
  if (!line) return;
  if (D.place[i][0] !== state.file) showFile(D.place[i][0]);
  line.classList.add("now");
  lines.push(line);
  const [, , start, end] = D.place[i];
  if (start !== undefined && end > start) {
    span.style.left = start + "ch";
    span.style.width = end - start + "ch";
    line.lastChild.append(span);
  }
  reveal($("files"), line);
};
