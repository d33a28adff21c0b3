// Two runs side by side. Only the visible rows exist, because a run may have twenty thousand.

import { resizeBy, setUpSize } from "../frame/size.js";
import { $, el } from "../ground/elements.js";
import { chosen, differs, next } from "../plain/comparison.js";
import { setUpTheme, switchTheme } from "../theme.js";
import { moveBy, setUpRuns } from "./runs.js";
import { D, markChanged, showSide, cellOf } from "./sides.js";

// The height of a row in pixels: 1.5rem in the style sheet.
const rowHigh = () => 1.5 * parseFloat(getComputedStyle(document.documentElement).fontSize);
let shown = []; // indices into D.rows
let now = 0; // the current row, as an index into D.rows

const drawRows = () => {
  const high = rowHigh();
  const from = Math.max(0, Math.floor($("scroll").scrollTop / high) - 5);
  const to = Math.min(shown.length, from + Math.ceil($("scroll").clientHeight / high) + 10);
  $("rows").replaceChildren();
  $("rows").style.top = from * high + "px";
  for (let place = from; place < to; place++) {
    const position = shown[place], row = D.rows[position], [a, b] = row;
    const item = el("li");
    item.dataset.row = position;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(position === now));
    item.classList.toggle("parts", differs(row));
    item.classList.toggle("alone", a < 0 || b < 0);
    item.append(cellOf(0, a), el("span", !differs(row) ? "" : a < 0 ? "+" : b < 0 ? "−" : "≠", "sign"), cellOf(1, b));
    $("rows").append(item);
  }
};
const show = (position, isFar) => {
  if (position < 0 || position >= D.rows.length) return;
  now = position;
  const [a, b, ...what] = D.rows[position], place = shown.indexOf(position), scroll = $("scroll");
  const high = rowHigh(), top = place * high;
  if (isFar || top < scroll.scrollTop || top + high > scroll.scrollTop + scroll.clientHeight) {
    scroll.scrollTop = top - scroll.clientHeight / 3;
  }
  drawRows();
  showSide(0, a, b);
  showSide(1, b, a);
  const step = [D.sides[0].what[a] || "nothing", D.sides[1].what[b] || "nothing"];
  $("announcement").textContent = step[0] + " beside " + step[1] + (what.length ? ": " + what.map((each) => D.says[each]).join(", ") : ": alike");
  $("earlier").disabled = next(D.rows, now, -1) < 0;
  $("later").disabled = next(D.rows, now, 1) < 0;
  try { history.replaceState(null, "", "#" + (now + 1)); } catch { /* inside a frame without one */ }
};
const choose = () => {
  shown = chosen(D.rows, $("only").checked, 3);
  $("room").style.height = shown.length * rowHigh() + "px";
  if (shown.length && !shown.includes(now)) now = shown.find((each) => each >= now) ?? shown[shown.length - 1];
  show(now, true);
};
const move = (by) => {
  const place = shown.indexOf(now) + by;
  if (place >= 0 && place < shown.length) show(shown[place]);
};
const setUpGradients = () => {
  $("gradients").hidden = !D.gradients.length;
  for (const { row, name, visit, more, results: [here, there] } of D.gradients) {
    const line = el("tr");
    line.tabIndex = 0;
    line.append(el("td", name + (visit > 1 ? ", iteration " + visit : "") + (more ? ", and in " + more + (more > 1 ? " more iterations" : " more iteration") : "")));
    for (const [value, code, label] of [here, there]) line.append(el("td", value + (code ? " ✗ " + code + " " + label : ""), code ? "lost" : ""));
    line.addEventListener("click", () => show(row, true));
    line.addEventListener("keydown", (event) => { if (event.key === "Enter") show(row, true); });
    $("gradients").tBodies[0].append(line);
  }
};
// The differences, with each line of the program listed once.
const setUpGroups = () => {
  $("groups").hidden = !D.groups.length;
  for (const { lines: [a, b], what, row, count } of D.groups) {
    const line = el("tr");
    line.tabIndex = 0;
    line.append(el("td", a === b ? "line " + a : (a ? "A line " + a : "not in A") + ", " + (b ? "B line " + b : "not in B")));
    line.append(el("td", what.map((each) => D.says[each]).join(", ")), el("td", count > 1 ? count.toLocaleString("en-US") + " times" : "once"));
    line.addEventListener("click", () => show(row, true));
    line.addEventListener("keydown", (event) => { if (event.key === "Enter") show(row, true); });
    $("groups").tBodies[0].append(line);
  }
};
const resize = (by) => {
  resizeBy(by);
  choose();
};
const KEYS = {
  "+": () => resize(1),
  "=": () => resize(1),
  "-": () => resize(-1),
  0: () => resize(0),
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  ArrowRight: () => move(1),
  ArrowLeft: () => move(-1),
  Home: () => show(shown[0] ?? -1),
  End: () => show(shown[shown.length - 1] ?? -1),
  n: () => show(next(D.rows, now, 1), true),
  N: () => show(next(D.rows, now, -1), true),
  a: () => { $("only").checked = !$("only").checked; choose(); },
  t: switchTheme,
  "[": () => moveBy(-1),
  "]": () => moveBy(1),
};
const setUp = () => {
  setUpTheme();
  setUpSize();
  setUpRuns();
  setUpGroups();
  setUpGradients();
  markChanged();
  const first = next(D.rows, -1, 1), [, requested] = /^#(\d+)$/.exec(location.hash) || [];
  $("only").checked = first >= 0 && requested === undefined;
  now = requested === undefined ? Math.max(0, first) : Math.min(Number(requested), D.rows.length) - 1;
  $("only").addEventListener("change", choose);
  $("earlier").addEventListener("click", KEYS.N);
  $("later").addEventListener("click", KEYS.n);
  $("theme").addEventListener("click", switchTheme);
  $("scroll").addEventListener("scroll", drawRows);
  addEventListener("resize", drawRows);
  $("rows").addEventListener("click", (event) => {
    const row = event.target.closest("[data-row]");
    if (row) show(Number(row.dataset.row));
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("button, input")) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  choose();
};
setUp();
