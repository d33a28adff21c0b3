// The terms of a number as a table: names, below them their values and source texts, and the contributions in a column.

import { el } from "../ground/elements.js";
import { captionOf, heaviest, largestTerms, leadOf, numbersOf, opsNamedIn, opsOf } from "../plain/amounts.js";
import { sumOf } from "../plain/complex.js";
import { short } from "../plain/numbers.js";
import { calledByUser } from "./called.js";

const SHOWN = 10, OPS_SHOWN = 4;

// `goOn` is called with the number to follow: its slot, and the index in its tensor.
export const termTable = (origin, goOn) => {
  const made = el("div");
  made.append(...tableParts(origin, goOn, SHOWN));
  return made;
};
const tableParts = (origin, goOn, most) => {
  const { terms, fn, number } = origin, isSum = !fn, [shown, others] = largestTerms(terms, most);
  const table = el("table", undefined, "terms"), heavy = isSum ? heaviest(terms) : [];
  if (others.length) table.append(el("caption", captionOf(origin, shown.length)));
  shown.forEach((term, k) => {
    const sign = isSum ? k ? "+" : terms.length > 1 ? "" : "=" : "";
    table.append(lineOfTable(sign, namesOf(term, goOn), amountOf(term, heavy.includes(term))));
  });
  if (others.length) {
    const more = el("button", "and " + others.length + " more"), total = sumOf(others.map((each) => each.amount));
    more.type = "button";
    more.addEventListener("click", () => table.parentNode.replaceChildren(...tableParts(origin, goOn, Infinity)));
    table.append(lineOfTable(isSum ? "+" : "", [more], isSum ? [short(total)] : []));
  }
  if (isSum && terms.length > 1) table.append(lineOfTable("=", [], [short(number)], "total"));
  return [table, ...explained(opsOf(shown).filter((op) => op !== origin.op))];
};
const lineOfTable = (sign, names, amount, cls) => {
  const line = el("tr", undefined, cls), [first, second, third] = [el("td", sign), el("td"), el("td")];
  second.append(...names);
  third.append(...amount);
  line.append(first, second, third);
  return line;
};
const amountOf = (term, isHeavy) => [isHeavy ? el("strong", short(term.amount)) : short(term.amount)];
const namesOf = (term, goOn) => {
  const names = term.factors.flatMap((factor, i) => [...i ? ["·"] : [], linkedFactor(factor, factor === leadOf(term), goOn)]);
  const [first] = term.factors, called = first.isSent ? opsNamedIn(first.text).map(calledByUser) : [];
  return [...names, ...[...called, numbersOf(term)].filter(Boolean).map(below)];
};
// A line may break after each factor, so that no number is split.
const below = (text) => {
  const made = el("div", undefined, "below");
  text.split("·").forEach((part, i) => made.append(...i ? ["·", el("wbr")] : [], part));
  return made;
};
// A number that is in the trace is a link to it.
const linkedFactor = (factor, isMain, goOn) => {
  if (factor.slot < 0) return factor.text;
  const button = el("button", factor.text, isMain ? "on main" : "on");
  button.type = "button";
  button.title = "show how this number was computed";
  button.addEventListener("click", () => goOn(factor.slot, factor.at));
  return button;
};
const explained = (ops) => ops.slice(0, OPS_SHOWN).flatMap((op) => {
  const called = calledByUser(op);
  return called ? [el("p", "#" + op + " is " + called, "below")] : [];
});
