// Names on the page: where there is no room for one its middle is left out, and by pointing it is whole.

import { el } from "./elements.js";
import { parted } from "../plain/words.js";

export const named = (tag, name, cls) => {
  const [head, tail] = parted(name), node = el(tag, undefined, "name " + (cls || ""));
  node.append(el("span", head, "head"));
  if (tail) node.append(el("span", tail, "tail"));
  node.title = name;
  return node;
};
