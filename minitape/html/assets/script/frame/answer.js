// The result of a gradient call, as a card next to the picture: the value, the cause, the path, and the fix.

import { D, T, calls } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { writeAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { toCode, toLine, toStep, withLeads } from "./leads.js";

const FEW = 6; // the number of names that are shown before the rest is collapsed
let shownCall; // the call of the current card
let isHeldOpen = false; // whether the reader has opened the card

// While the reader steps, the card is one line, its first heading. A jump, such as to the next problem, opens it.
const foldButton = el("button", "why");
const setFold = (isFolded) => {
  $("answers").classList.toggle("folded", isFolded);
  foldButton.setAttribute("aria-expanded", String(!isFolded));
  foldButton.textContent = isFolded ? "▸ why" : "▾ less";
};
$("answers").addEventListener("click", () => { isHeldOpen = !$("answers").classList.contains("folded"); }, true); // a link in the card does not collapse it
foldButton.type = "button";
foldButton.id = "fold";
foldButton.addEventListener("click", () => {
  isHeldOpen = $("answers").classList.contains("folded");
  setFold(!isHeldOpen);
});

export const showAnswer = (i) => {
  setFold(state.isSingleStep && shownCall !== undefined && !isHeldOpen);
  const call = calls.get(D.call[i]);
  if (call) $("calls").value = String(state.pinned ?? call.call);
  if ($("calls").selectedIndex < 0) $("calls").value = ""; // one of many iterations
  const answering = state.pinned ?? D.call[i];
  if (answering === shownCall) return;
  shownCall = answering;
  const card = D.answers[answering];
  $("answers").hidden = !card;
  $("split-answer").hidden = !card;
  if (!card) return $("answers").replaceChildren();
  const about = calls.get(answering);
  $("answers").classList.toggle("lost", card.lost.length > 0);
  const fold = card.lost.length || card.notes.length ? [foldButton] : [];
  $("answers").replaceChildren(...fold, requestLine(about), ...card.lost.map((each) => lostCard(each, about)), ...card.notes.map(noteCard), ...cameList(card));
  return tellCode(state.code);
};
const requestLine = (call) => {
  const line = el("p", undefined, "request");
  const place = D.place[call.requested];
  line.append(el("code", call.text), " ");
  if (place) line.append(toLine("line " + place[1], place[0], place[1]));
  line.title = call.text;
  return line;
};
const lostCard = (lost, call) => {
  const title = el("h3");
  title.append(...listOf(lost.of), " = " + T[lost.value], el("span", " ✗ ", "sign"));
  return cardOf("lost", title, lost, lost.path.length ? [["path", pathOf(lost, call)]] : []);
};
// Notes about gradients that arrived.
const noteCard = (note) => cardOf("note", el("h3", T[note.headline] + " · "), note, []);
const cardOf = (kind, heading, finding, further) => {
  const card = el("article", undefined, kind), rows = el("dl");
  heading.setAttribute("aria-level", "2"); // below the name of the page
  if (finding.line) heading.append(toLine("line " + finding.line, finding.file, finding.line), ": ");
  heading.append(T[finding.label]);
  const row = (name, what) => rows.append(el("dt", name), what);
  row("why", withLeads("dd", T[finding.why], finding.file ?? 0, switchCode));
  for (const [name, what] of further) row(name, what);
  if (T[finding.fix]) row("try", withLeads("dd", T[finding.fix], finding.file ?? 0, switchCode));
  const more = el("dd");
  const title = withLeads("span", D.codes[finding.code][0], -1, switchCode);
  title.classList.add("muted");
  more.append(toCode(finding.code, () => switchCode(finding.code)), " ", title);
  row("more", more);
  const meaning = el("div", undefined, "code-meaning");
  meaning.dataset.code = finding.code;
  meaning.hidden = true;
  card.append(heading, rows, meaning);
  return card;
};
// Names separated by commas; many names are collapsed.
const listOf = (sources) => {
  const parts = [], shown = sources.length > FEW ? sources.slice(0, FEW - 1) : sources;
  shown.forEach(([name, , , came], k) => {
    if (k) parts.push(k === sources.length - 1 ? " and " : ", ");
    parts.push(toStep(T[name], came));
  });
  if (shown.length === sources.length) return parts;
  const rest = el("button", "and " + (sources.length - shown.length) + " more", "lead");
  rest.type = "button";
  rest.addEventListener("click", () => rest.replaceWith(...sources.slice(shown.length).flatMap(([name, , , came]) => [", ", toStep(T[name], came)])));
  return [...parts, " ", rest];
};
const pathOf = (lost, call) => {
  const path = el("dd", undefined, "path"), [name, , step] = lost.of[0];
  path.append(toStep(T[name], step));
  for (const [word, at, isCut] of lost.path) {
    path.append(isCut ? el("b", " ✂ ", "cut") : " → ", T[word] ? toStep(T[word], at) : "…");
  }
  path.append(" → ", toStep(T[lost.target[0]], call.requested));
  return path;
};
// The name of a gradient in the program; if that is the source's name, the derivative, to distinguish it from the source.
const gradientName = (name, came) => {
  const what = came === null ? "" : T[D.what[came]];
  return what.endsWith("/∂" + name) ? what : name;
};
const cameList = (card) => {
  if (!card.came.length) return [];
  const list = el("ul", undefined, "came"), most = 4 * FEW;
  const item = ([name, value, , came]) => {
    const each = el("li");
    each.append(toStep(gradientName(T[name], came), came), " = " + T[value]);
    return each;
  };
  list.append(...card.came.slice(0, most).map(item));
  if (card.came.length > most) {
    const rest = el("button", "and " + (card.came.length - most) + " more", "lead");
    rest.type = "button";
    rest.addEventListener("click", () => list.lastChild.replaceWith(...card.came.slice(most).map(item)));
    const last = el("li");
    last.append(rest);
    list.append(last);
  }
  return [list];
};

// --- the meaning of a code ---

export const tellCode = (code) => {
  state.code = Object.hasOwn(D.codes, code) ? code : "";
  if (state.code) { isHeldOpen = true; setFold(false); }
  for (const meaning of document.querySelectorAll(".code-meaning")) {
    meaning.hidden = meaning.dataset.code !== state.code;
    if (meaning.hidden || meaning.childElementCount) continue;
    const [title, ...paragraphs] = D.codes[code];
    meaning.append(el("h4", code + ": " + title), ...paragraphs.map((text) => withLeads("p", text, -1, switchCode)));
    meaning.append(withLeads("p", "Run `minitape explain " + code + "` for the full explanation, with a program before and after the fix.", -1, switchCode));
  }
};
const switchCode = (code) => {
  tellCode(state.code === code ? "" : code);
  const meaning = document.querySelector(".code-meaning:not([hidden])");
  if (meaning) meaning.scrollIntoView({ block: "nearest" });
  writeAddress(false);
};
