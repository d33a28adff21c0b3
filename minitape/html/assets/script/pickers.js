// Choosing a gradient call, or the tape whose picture is pinned while the steps change.

import { showAnswer } from "./frame/answer.js";
import { D, calls } from "./ground/data.js";
import { $, el } from "./ground/elements.js";
import { writeAddress } from "./ground/going.js";
import { state } from "./ground/state.js";
import { showNow } from "./now/now.js";
import { showPicture } from "./picture/showing.js";
import { shortened } from "./plain/words.js";
import { leaveTo, switchRun } from "./run/pane.js";
import { runs } from "./run/iterations.js";

const offer = (picker, name, value) => {
  const option = el("option", shortened(name, 64));
  option.title = name;
  option.value = value;
  picker.append(option);
};
const nameOf = (call) => {
  const again = D.calls.filter((each) => each.text === call.text).length > 1 ? " (" + call.visit + ")" : "";
  return "line " + call.line + ": " + call.text + again + (call.problem ? " !" : "");
};
// The calls of loops are on the map of the overview.
const inRounds = new Set(runs.filter((run) => run.iterations >= D.many).flatMap((run) => [...run.requested]));

export const setUpPickers = () => {
  const tapes = new Map(); // tapes with gradient calls, by name; the tapes of a loop count as one
  for (const call of D.calls) if (!tapes.has(call.tape)) tapes.set(call.tape, call.call);
  $("tapes-label").hidden = tapes.size < 2;
  const listed = D.calls.filter((call) => !inRounds.has(call.requested));
  $("calls-label").hidden = D.calls.length < 2 || !listed.length;
  for (const [name, first] of [["of this step", ""], ...tapes]) offer($("tapes"), name, first);
  if (listed.length < D.calls.length) offer($("calls"), "iterations: overview (m)", "");
  for (const call of listed) offer($("calls"), nameOf(call), call.call);
  $("calls").addEventListener("change", () => {
    if (!$("calls").value) return switchRun();
    state.pinned = null;
    $("tapes").value = "";
    return leaveTo(calls.get(Number($("calls").value)).requested);
  });
  $("tapes").addEventListener("change", () => {
    state.pinned = $("tapes").value ? Number($("tapes").value) : null;
    showPicture(state.now);
    showNow(state.now);
    showAnswer(state.now);
    writeAddress(false);
  });
};
