// The user's files: the current line, its callers, and the steps of a line.

import { D } from "./ground/data.js";
import { $, el, reveal } from "./ground/elements.js";
import { jump } from "./ground/going.js";
import { named } from "./ground/names.js";
import { state } from "./ground/state.js";
import { setUpLineKeys, stopAt } from "./line_keys.js";
import { upTo } from "./plain/lists.js";
import { rowsOfBoxes, scrolledFor } from "./plain/rectangles.js";

export const files = [...document.querySelectorAll(".file")];
const span = el("span");
span.id = "span";
span.setAttribute("aria-hidden", "true");
const visits = new Map(); // "file line" → its steps
let lines = [], scrolledCode = null;
export const lineOf = (place) => place && files[place[0]] && files[place[0]].children[place[1] - 1];

export const showFile = (number) => {
  state.file = number;
  files.forEach((each, i) => { each.hidden = i !== number; });
  [...$("tabs").children].forEach((tab, i) => tab.setAttribute("aria-pressed", String(i === number)));
};
const setUpTabs = () => {
  if (files.length > 1) D.files.forEach((name, i) => {
    const tab = named("button", name);
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
      if (line) line.classList.add("ran");
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
  setUpLineKeys();
  showFile(0);
  new ResizeObserver(revealLine).observe($("files"));
};
export const showSource = (i) => {
  lines.forEach((line) => line.classList.remove("now", "caller", "pointed"));
  state.line = "";
  const line = lineOf(D.place[i]);
  lines = [];
  span.remove();
  if (scrolledCode) scrolledCode.scrollLeft = 0;
  scrolledCode = null;
  for (const place of D.callers[i] || []) {
    const caller = lineOf(place);
    if (caller) { caller.classList.add("caller"); lines.push(caller); }
  }
  if (!line) return;
  if (D.place[i][0] !== state.file) showFile(D.place[i][0]);
  line.classList.add("now");
  stopAt(line.firstChild);
  lines.push(line);
};
// Mark the expression at its current position, and scroll to it.
export const revealLine = () => {
  if (state.atStory) { if (state.reason) reveal($("files"), state.reason); return; }
  const line = lineOf(D.place[state.now]);
  if (!line) return;
  reveal($("files"), line);
  markExpression(line, D.place[state.now]);
};

// --- the current expression ---

// A box around each of its lines; only this line is scrolled sideways, until the expression is visible.
const markExpression = (line, [, , start, end]) => {
  const code = line.lastChild;
  const boxes = start !== undefined && end > start ? rowsOfBoxes(stretchOf(code, start, end).getClientRects()) : [];
  const box = code.getBoundingClientRect(), room = code.clientWidth;
  const from = { left: box.left - code.scrollLeft, top: box.top };
  const marks = boxes.map((box) => {
    const mark = el("span");
    Object.assign(mark.style, {
      left: box.left - from.left + "px", top: box.top - from.top + "px",
      width: box.right - box.left + "px", height: box.bottom - box.top + "px",
    });
    return mark;
  });
  const left = boxes.length ? Math.min(...boxes.map((box) => box.left)) : from.left;
  const right = Math.max(left, ...boxes.map((box) => box.right));
  span.replaceChildren(...marks);
  code.append(span);
  const scrolled = scrolledFor(code.scrollLeft, room, left - from.left, right - from.left);
  if (scrolled !== code.scrollLeft) code.scrollLeft = scrolled;
  scrolledCode = code;
};
// The range of a line between two columns, across marks. Columns count characters, JavaScript counts halves of some.
// One range for all steps: browsers keep each range and check all of them whenever an element changes.
const stretch = document.createRange();
const stretchOf = (code, start, end) => {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  let at = 0;
  stretch.selectNodeContents(code);
  while (texts.nextNode()) {
    const { currentNode: node } = texts, letters = [...node.data], to = at + letters.length;
    const offset = (column) => letters.slice(0, column - at).join("").length;
    if (start >= at && start <= to) stretch.setStart(node, offset(start));
    if (end >= at && end <= to) { stretch.setEnd(node, offset(end)); break; }
    at = to;
  }
  return stretch;
};

// --- a line that the reader chose ---

export const hasLine = (file, line) => Boolean(lineOf([file, line]));
export const pointAt = (file, line) => {
  const row = lineOf([file, line]);
  document.querySelectorAll(".file .pointed").forEach((each) => each.classList.remove("pointed"));
  state.line = row ? (file ? file + ":" : "") + line : "";
  if (!row) return;
  if (file !== state.file) showFile(file);
  row.classList.add("pointed");
  lines.push(row);
  reveal($("files"), row);
};
// The line in an address: "5", in another file "1:5".
export const pointAtNamed = (text) => {
  const [line, file] = text.split(":").reverse();
  pointAt(Number(file || 0), Number(line));
};
