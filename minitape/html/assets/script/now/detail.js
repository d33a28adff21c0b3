// Details that are shown on request, below the current step.

import { $, el } from "../ground/elements.js";
import { state } from "../ground/state.js";

export const detail = (title, ...parts) => {
  $("detail").replaceChildren(el("h3", title), ...parts);
  $("detail").hidden = false;
  state.looked = null;
  state.card = "";
  state.trail = [];
};
export const closeDetail = () => {
  $("detail").hidden = true;
  state.looked = null;
};
