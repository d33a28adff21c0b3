// The bars between panes, which are moved with the mouse and with keys.

import { $ } from "../ground/elements.js";
import { allowed, shareAt, shareBy } from "../plain/shares.js";
import { memorize, recalled } from "./memory.js";

// By the id of the bar: the pane that it resizes, and the element that contains it.
const SPLITS = {
  "split-source": { pane: "source", room: "main", usual: 31, least: 10, most: 60 },
  "split-now": { pane: "now", room: "main", usual: 26, least: 12, most: 60, isAtEnd: true },
  "split-left": { pane: "source", room: "main", usual: 40, least: 20, most: 70 },
  "split-top": { pane: "source", room: "main", usual: 42, least: 12, most: 85, isDown: true },
  "split-answer": { pane: "answers", room: "graph", usual: 38, least: 8, most: 80, isDown: true },
};
const shares = {}; // by the same ids, the sizes that the reader has chosen

const isShare = (share) => typeof share === "number" && share >= 0 && share <= 100;
const putShare = (id, share) => {
  const split = SPLITS[id], bar = $(id);
  if (share === undefined) delete shares[id]; else shares[id] = share;
  if (share === undefined) $("main").style.removeProperty("--" + id);
  else $("main").style.setProperty("--" + id, share + "%");
  bar.setAttribute("aria-valuenow", String(Math.round(share ?? split.usual)));
  bar.setAttribute("aria-valuetext", share === 0 ? "closed" : Math.round(share ?? split.usual) + " percent");
  closePanes();
};
// A closed pane must not be reachable with keys.
const closePanes = () => {
  for (const pane of ["source", "now", "answers"]) {
    const isClosed = Object.entries(SPLITS).some(([id, split]) => split.pane === pane && shares[id] === 0 && isSeen($(id)));
    $(pane).toggleAttribute("data-closed", isClosed);
  }
};
const isSeen = (bar) => getComputedStyle(bar).display !== "none";
const keepShares = () => memorize("shares", shares);

const setUpSplit = (id) => {
  const split = SPLITS[id], bar = $(id);
  bar.setAttribute("aria-valuemin", "0");
  bar.setAttribute("aria-valuemax", String(split.most));
  putShare(id, isShare((recalled("shares") || {})[id]) ? allowed(recalled("shares")[id], split) : undefined);
  bar.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const share = shareBy(event.key, event.shiftKey, shares[id] ?? split.usual, split);
    if (share === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // on a bar, the arrow keys do not step
    putShare(id, share);
    keepShares();
  });
  bar.addEventListener("dblclick", () => { putShare(id, undefined); keepShares(); });
  setUpDragging(id);
};
const setUpDragging = (id) => {
  const split = SPLITS[id], bar = $(id);
  let start = null;
  bar.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    bar.focus();
    bar.setPointerCapture(event.pointerId);
    start = split.isDown ? event.clientY : event.clientX;
  });
  bar.addEventListener("pointermove", (event) => {
    const at = split.isDown ? event.clientY : event.clientX;
    if (start === null || Math.abs(at - start) < 3 && !bar.classList.contains("moving")) return;
    bar.classList.add("moving");
    const box = $(split.room).getBoundingClientRect();
    const room = split.isDown ? { from: box.top, to: box.bottom } : { from: box.left, to: box.right };
    putShare(id, allowed(shareAt(at, room, split.isAtEnd), split));
  });
  const stop = () => {
    if (bar.classList.contains("moving")) keepShares();
    bar.classList.remove("moving");
    start = null;
  };
  bar.addEventListener("pointerup", stop);
  bar.addEventListener("pointercancel", stop);
};
export const setUpSplits = () => {
  for (const id of Object.keys(SPLITS)) setUpSplit(id);
  addEventListener("resize", closePanes);
};
