// The keys of the source.

import { $ } from "./ground/elements.js";

// All lines are one stop of the Tab key: the arrow keys go from line to line, Enter goes to the step of a line.
export const stopAt = (button) => {
  for (const other of document.querySelectorAll(".file button[tabindex='0']")) other.tabIndex = -1;
  if (button) button.tabIndex = 0;
};
export const setUpLineKeys = () => {
  stopAt(document.querySelector(".file .ran button"));
  $("files").addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key], button = event.target.closest(".file button");
    if (!by || !button || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...button.closest(".file").querySelectorAll(".ran button")], next = all[all.indexOf(button) + by];
    if (next) { stopAt(next); next.focus(); }
  });
};
