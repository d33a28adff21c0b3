// The text size. The reader's choice is kept from page to page.

import { state } from "../ground/state.js";
import { isSize, sizeBy } from "../plain/type.js";
import { memorize, recalled } from "./memory.js";

const setSize = (size) => {
  state.type = size;
  document.documentElement.style.fontSize = size === 1 ? "" : 100 * size + "%";
};
// One step larger, one step smaller, or with 0 the default.
export const resizeBy = (by) => {
  setSize(by ? sizeBy(state.type, by) : 1);
  memorize("type", state.type);
};
export const setUpSize = () => {
  if (isSize(recalled("type"))) setSize(recalled("type"));
};
