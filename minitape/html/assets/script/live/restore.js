// Keeps what the reader is looking at when the page is replaced.

import { D, T, calls, count } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { go } from "../ground/going.js";
import { state } from "../ground/state.js";
import { figures } from "../picture/figures.js";
import { place, sizeOf } from "../picture/zoom.js";
import { files, showFile } from "../source.js";
import { openStory } from "../story/story.js";
import { drawLine } from "../time.js";
import { isSame, lineNow, nearest } from "./likeness.js";

const STORED = "minitape";

// The identity of a step, independent of its number, which changes when a line is added above.
const markOf = (i) => {
  const [file, line, column] = D.place[i] || [];
  return {
    at: i, words: T[D.what[i]].replace(/^#\d+ /, ""), phase: D.phase[i], code: T[D.code[i]], file: D.files[file], line, column,
    call: D.call[i], visit: D.visit[i],
  };
};
const textOf = (k) => [...files[k].children].map((line) => line.lastChild.textContent);

export const keep = () => {
  if (!count) return;
  const { now, notes, pinned, file, shown } = state;
  if ($("note").value) notes[now] = $("note").value;
  const kept = {
    step: markOf(now), notes: Object.entries(notes).map(([i, text]) => [markOf(Number(i)), text]),
    theme: document.documentElement.dataset.theme, query: $("query").value, pinned,
    file: D.files[file], top: $("files").scrollTop, texts: Object.fromEntries(D.files.map((name, k) => [name, textOf(k)])),
    scene: state.atStory ? state.scene : null, figure: figures.indexOf(shown), size: shown && sizeOf(shown), view: shown && shown.view,
  };
  sessionStorage.setItem(STORED, JSON.stringify(kept));
};
export const restore = () => {
  const kept = JSON.parse(sessionStorage.getItem(STORED));
  sessionStorage.removeItem(STORED);
  if (!kept || !count) return;
  document.documentElement.dataset.theme = kept.theme;
  $("query").value = kept.query;
  const moved = (was) => ({ ...was, line: placed(kept.texts, was) });
  const found = (was) => nearest(moved(was), markOf, count);
  state.notes = Object.fromEntries(kept.notes.map(([was, text]) => [found(was), text]));
  state.pinned = calls.has(kept.pinned) ? kept.pinned : null;
  $("tapes").value = state.pinned ?? "";
  const i = found(kept.step);
  state.now = -1; // everything is shown again, with the theme and the notes
  go(i);
  drawLine();
  if (D.files.includes(kept.file)) {
    showFile(D.files.indexOf(kept.file));
    $("files").scrollTop = kept.top;
  }
  restoreView(kept);
  if (kept.scene !== null && $("story")) openStory({ scene: kept.scene, slide: 0, iteration: 0 });
  else if (!isSame(moved(kept.step), markOf(i))) tellGone(kept.step);
};
// The new position of a line of the previous page, if its file still exists.
const placed = (texts, { file, line }) => {
  const old = texts[file], text = D.files.includes(file) && textOf(D.files.indexOf(file));
  return old && text ? lineNow(old, text, line) : line;
};
// A picture that was moved or zoomed keeps its position while its size does not change.
const restoreView = ({ figure, size, view }) => {
  const { shown } = state;
  if (!shown || figures.indexOf(shown) !== figure || !size) return;
  const is = sizeOf(shown);
  if (is.width !== size.width || is.height !== size.height) return;
  shown.view = view;
  place();
};
const tellGone = (was) => {
  const where = was.line === undefined ? "" : " on line " + was.line;
  const note = el("p", "The step you were viewing (" + was.words + where + ") no longer exists; this is the nearest one.");
  note.id = "gone";
  document.querySelector("main").before(note);
  for (const moved of ["keydown", "pointerdown"]) addEventListener(moved, () => note.remove(), { once: true });
};
