// What is shown on request, below what happens now.

import { $, el } from "../ground/elements.js";

export const detail = (title, ...parts) => {
  $("detail").replaceChildren(el("h3", title), ...parts);
  $("detail").hidden = false;
};
