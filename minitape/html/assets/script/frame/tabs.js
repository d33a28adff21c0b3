// Chooses the pane on a small screen, where only one pane is visible.

import { $ } from "../ground/elements.js";
import { writeAddress } from "../ground/going.js";

const PANES = ["source", "graph", "now"];

const paneSeen = () => $("main").dataset.pane;
const isSmall = () => getComputedStyle($("panes")).display !== "none";

// The pane in an address; empty on a large screen.
export const paneNamed = () => isSmall() && paneSeen() !== "graph" ? paneSeen() : "";
export const seePane = (pane) => {
  $("main").dataset.pane = PANES.includes(pane) ? pane : "graph";
  for (const tab of $("panes").children) tab.setAttribute("aria-pressed", String(tab.dataset.pane === paneSeen()));
};
export const setUpPanes = () => $("panes").addEventListener("click", (event) => {
  const { pane } = event.target.dataset;
  if (pane) { seePane(pane); writeAddress(false); }
});
