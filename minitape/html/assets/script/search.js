// Finds a step by its line or by words.

import { D, T, count } from "./ground/data.js";
import { $, say } from "./ground/elements.js";
import { jump } from "./ground/going.js";
import { state } from "./ground/state.js";
import { figures } from "./picture/figures.js";
import { drawMinimap } from "./picture/minimap.js";
import { matcherFor, found } from "./plain/query.js";
import { leaveTo } from "./run/pane.js";

const stepAt = (i) => ({
  line: D.place[i] ? D.place[i][1] : undefined,
  texts: [T[D.what[i]], T[D.code[i]], T[D.label[i]]],
});
// All steps that match, and their cards in the picture.
const showHits = (isIt) => {
  const hits = isIt ? [...Array(count).keys()].filter((i) => isIt(stepAt(i))) : [];
  for (const figure of figures) {
    for (const group of figure.hits) group.classList.remove("hit");
    figure.hits = [...new Set(hits.flatMap((i) => (figure.acts[i] || []).slice(0, 1)))].map((id) => figure.cards.get(id)).filter(Boolean).map((card) => card.group);
    for (const group of figure.hits) group.classList.add("hit");
  }
  drawMinimap();
  return hits;
};
const find = (isNext) => {
  const isIt = matcherFor($("query").value);
  const hits = showHits(isIt);
  say($("hits"), isIt ? "0" : "");
  if (!isIt) return;
  const i = found(isIt, stepAt, state.now, count, isNext);
  $("query").className = i < 0 ? "none" : "";
  if (i >= 0) (isNext ? leaveTo : jump)(i);
  say($("hits"), i < 0 ? "0" : hits.indexOf(i) + 1 + " of " + hits.length);
};
export const setUpSearch = () => {
  $("search").addEventListener("submit", (event) => { event.preventDefault(); find(true); });
  $("query").addEventListener("input", () => find(false));
  $("query").addEventListener("keydown", (event) => { if (event.key === "Escape") $("query").blur(); });
};
