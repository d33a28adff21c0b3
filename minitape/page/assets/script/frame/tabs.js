// On a small screen one pane at a time is seen: which one.

import { $ } from "../ground/elements.js";
import { writeAddress } from "../ground/going.js";

const PANES = ["source", "graph", "now"];

const paneSeen = () => $("main").dataset.pane;
const isSmall = () => getComputedStyle($("panes")).display !== "none";

// As an address names it: of a large screen nothing.
export const paneNamed = () => isSmall() && paneSeen() !== "graph" ? paneSeen() : "";
export const seePane = (pane) => {
  $("main").dataset.pane = PANES.includes(pane) ? pane : "graph";
  for (const tab of $("panes").children) tab.setAttribute("aria-pressed", String(tab.dataset.pane === paneSeen()));
};
export const setUpPanes = () => $("panes").addEventListener("click", (event) => {
  const { pane } = event.target.dataset;
  if (pane) { seePane(pane); writeAddress(false); }
});
