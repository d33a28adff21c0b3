// The choices of the reader that an address stores besides the step.

import { D, calls } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { addressed, writeAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { closeDetail } from "../now/detail.js";
import { originNamed, tellOrigin } from "../now/origin.js";
import { whereFrom } from "../now/terms.js";
import { showPicture } from "../picture/showing.js";
import { pointAtNamed } from "../source.js";
import { showTensor } from "../tensor/panel.js";
import { showAnswer, tellCode } from "./answer.js";
import { paneNamed, seePane } from "./tabs.js";

// The tape whose picture is pinned, by the number of its call.
const pinTape = (text) => {
  const pinned = calls.has(Number(text)) ? Number(text) : null;
  if (pinned === state.pinned) return;
  state.pinned = pinned;
  $("tapes").value = pinned ?? "";
  showPicture(state.now);
  showAnswer(state.now);
};
// The tensor in the panel: the fact of the step, the view, the element, and the sliders: "2:cells:5:0,3".
const numbersNamed = () => {
  const { looked } = state;
  if (!looked || $("detail").hidden) return "";
  const k = D.facts[state.now].findIndex(([label, text, , at]) => label === looked.fact.label && text === looked.fact.text && at === looked.fact.at);
  return k < 0 ? "" : [k, looked.view, looked.cursor, looked.at].join(":");
};
const lookAt = (named) => {
  if (!named) { if (state.looked) closeDetail(); return; }
  const [k, view, cursor, sliders = ""] = named.split(":"), fact = (D.facts[state.now] || [])[k];
  if (!fact || fact[3] === undefined) return;
  const [label, text, tone, at, of] = fact;
  const places = sliders.split(",").map((place) => Math.max(0, Math.floor(Number(place)) || 0));
  showTensor({ label, text, tone, at, of }, { view, at: places, cursor: /^\d+$/.test(cursor) ? Number(cursor) : -1 });
};
// The node whose gradient is shown as terms.
const cardNamed = () => $("detail").hidden ? "" : state.card;
const tellTerms = (card) => {
  if (card && state.shown && state.shown.cards.has(card)) whereFrom(card);
  else if (cardNamed()) closeDetail();
};
export const setUpChoices = () => {
  addressed.push(
    { name: "pane", get: paneNamed, set: seePane },
    { name: "tape", get: () => state.pinned === null ? "" : String(state.pinned), set: pinTape },
    { name: "code", get: () => state.code, set: tellCode },
    { name: "line", get: () => state.line, set: pointAtNamed },
    { name: "numbers", get: numbersNamed, set: lookAt },
    { name: "terms", get: cardNamed, set: tellTerms },
    { name: "from", get: originNamed, set: tellOrigin },
  );
  for (const id of ["facts", "detail", "pictures"]) $(id).addEventListener("click", () => writeAddress(false));
  for (const name of ["keyup", "input"]) $("detail").addEventListener(name, () => writeAddress(false));
};
