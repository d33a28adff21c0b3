// Words that are links: to a step, to a line of the source, to the meaning of a code.

import { D } from "../ground/data.js";
import { el } from "../ground/elements.js";
import { jump, writeAddress } from "../ground/going.js";
import { named } from "../ground/names.js";
import { pieces } from "../plain/words.js";
import { hasLine, pointAt } from "../source.js";
import { seePane } from "./tabs.js";

const lead = (node, title, act) => {
  node.type = "button";
  node.classList.add("lead");
  node.title = title;
  node.addEventListener("click", act);
  return node;
};
// A link to a step, and so to its node; plain text if there is no step.
export const toStep = (text, step) => {
  if (step === null || step === undefined) return named("span", text);
  return lead(named("button", text), text + ": go to its step, " + (step + 1), () => { seePane("graph"); jump(step); });
};
export const toLine = (text, file, line) => {
  if (!hasLine(file, line)) return el("span", text);
  return lead(el("button", text), D.files[file] + ", line " + line, () => {
    seePane("source");
    pointAt(file, line);
    writeAddress(false);
  });
};
export const toCode = (code, act) => lead(el("button", code), D.codes[code][0], act);

// A text with links to lines of the source (in `file`, unless another file is named) and to codes, which call `act`.
export const withLeads = (tag, text, file, act) => {
  const node = el(tag);
  for (const piece of pieces(text)) {
    const at = piece.file === undefined ? file : D.files.indexOf(piece.file);
    if (piece.isCode) node.append(el("code", piece.text));
    else if (piece.line !== undefined) node.append(toLine(piece.text, at, piece.line));
    else if (piece.code && Object.hasOwn(D.codes, piece.code)) node.append(toCode(piece.code, () => act(piece.code)));
    else node.append(piece.text);
  }
  return node;
};
