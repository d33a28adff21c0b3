// Finding a step by its line or by words.

import { D, T, count } from "./ground/data.js";
import { $ } from "./ground/elements.js";
import { jump } from "./ground/going.js";
import { state } from "./ground/state.js";
import { asked, found } from "./plain/query.js";
import { leaveTo } from "./run/pane.js";

const stepAt = (i) => ({
  line: D.place[i] ? D.place[i][1] : undefined,
  texts: [T[D.what[i]], T[D.code[i]], T[D.said[i]]],
});
const find = (isNext) => {
  const isIt = asked($("query").value);
  if (!isIt) return;
  const i = found(isIt, stepAt, state.now, count, isNext);
  $("query").className = i < 0 ? "none" : "";
  if (i >= 0) (isNext ? leaveTo : jump)(i);
};
export const setUpSearch = () => {
  $("search").addEventListener("submit", (event) => { event.preventDefault(); find(true); });
  $("query").addEventListener("input", () => find(false));
  $("query").addEventListener("keydown", (event) => { if (event.key === "Escape") $("query").blur(); });
};
