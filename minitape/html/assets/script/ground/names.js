// Names on the page: a long name is shortened in the middle, and its tooltip shows it in full.

import { el } from "./elements.js";
import { parted } from "../plain/words.js";

export const named = (tag, name, cls) => {
  const [head, tail] = parted(name), node = el(tag, undefined, "name " + (cls || ""));
  node.append(el("span", head, "head"));
  if (tail) node.append(el("span", tail, "tail"));
  node.title = name;
  return node;
};
