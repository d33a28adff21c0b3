// Everything that is said was written in Python; here it is only switched: go(i) shows step i.

import { count } from "./ground/data.js";
import { $ } from "./ground/elements.js";
import { go, readAddress, views, writeAddress } from "./ground/going.js";
import { state } from "./ground/state.js";
import { setUpKeys } from "./keys.js";
import { showAnswer, showNow, showPosition } from "./now/now.js";
import { setUpSteps, showSteps } from "./now/steps.js";
import { setUpPickers } from "./pickers.js";
import { setUpPictures } from "./picture/pointer.js";
import { showPicture } from "./picture/showing.js";
import { setUpRun } from "./run/hands.js";
import { drawRun, openRun, showRun } from "./run/pane.js";
import { setUpSearch } from "./search.js";
import { setUpSource, showSource } from "./source.js";
import { followTensor, repaintTensor } from "./tensor/panel.js";
import { forgetThumbs } from "./tensor/thumb.js";
import { painters, setUpPainting } from "./theme.js";
import { drawLine } from "./time.js";

views.push(showSource, showPicture, showNow, followTensor, showSteps, showAnswer, showPosition, showRun);
painters.push(drawLine, drawRun, forgetThumbs, repaintTensor);

const setUpNotes = () => $("note").addEventListener("change", () => {
  if ($("note").value) state.notes[state.now] = $("note").value; else delete state.notes[state.now];
  writeAddress(false);
});
const goThere = () => {
  const { step, atRun } = readAddress();
  if (atRun !== state.atRun) openRun(atRun);
  go(step);
};
const setUp = () => {
  setUpKeys();
  if (!count) { $("what").textContent = "nothing happened on a tape"; return; }
  setUpSource();
  setUpPictures();
  setUpPickers();
  setUpSearch();
  setUpNotes();
  setUpSteps();
  setUpRun();
  addEventListener("hashchange", goThere);
  addEventListener("popstate", goThere);
  goThere();
  setUpPainting();
};
setUp();
