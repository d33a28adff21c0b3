// The numbers of the scenes next to the lines of the source, and the new lines of a fix.

import { D } from "../ground/data.js";
import { $, el, reveal } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { lineOf, showFile } from "../source.js";

const rowsOf = []; // for each scene, its lines of the source

export const setUpMarks = () => {
  const fix = D.story.scenes.findIndex(({ kind }) => kind === "tried" || kind === "try");
  D.story.scenes.forEach(({ kind, lines }, k) => {
    rowsOf[k] = lines.map((place) => lineOf(place)).filter(Boolean);
    for (const row of new Set(rowsOf[k])) {
      if (k === fix && D.story.changed.length) continue; // its number is beside the new line
      markRow(row, k + 1, kind);
      if (kind === "stops") row.classList.add("culprit");
    }
  });
  const kind = fix < 0 ? "" : D.story.scenes[fix].kind;
  D.story.changed.forEach(([file, line, text], k) => {
    const row = lineOf([file, line]);
    if (!row) return;
    const changed = el("span", undefined, "changed " + kind);
    changed.append(el("span", "→", "arrow"), el("span", text, "new"));
    if (k === 0 && fix >= 0) changed.append(el("b", String(fix + 1), "scene-mark " + kind));
    row.insertBefore(changed, row.lastChild); // the code stays the last child
    if (fix >= 0) rowsOf[fix].push(row);
  });
};
const markRow = (row, number, kind) => {
  let marks = row.querySelector(".marks");
  if (!marks) {
    marks = el("span", undefined, "marks");
    row.insertBefore(marks, row.lastChild);
  }
  const mark = el("b", String(number), "scene-mark " + kind);
  mark.title = "scene " + number;
  marks.append(mark);
};
// Highlight the lines of a scene; with -1, highlight nothing, and show the line that is the reason.
export const lightLines = (k) => {
  for (const row of document.querySelectorAll(".file .scene-line")) row.classList.remove("scene-line");
  for (const row of rowsOf[k] || []) row.classList.add("scene-line");
  const reason = D.story.scenes.findIndex(({ kind }) => kind === "stops");
  const first = (rowsOf[k < 0 ? reason : k] || [])[0];
  state.reason = first || null;
  if (!first) return;
  const file = Number(first.parentNode.dataset.file);
  showFile(file);
  reveal($("files"), first);
};
