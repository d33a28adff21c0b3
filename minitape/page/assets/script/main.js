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
import { setUpSearch } from "./search.js";
import { setUpSource, showSource } from "./source.js";
import { followTensor, repaintTensor } from "./tensor/panel.js";
import { repaintThumbs } from "./tensor/thumb.js";
import { painters, setUpPainting } from "./theme.js";
import { drawLine } from "./time.js";

views.push(showSource, showPicture, showNow, followTensor, showSteps, showAnswer, showPosition);
painters.push(drawLine, repaintThumbs, repaintTensor);

const setUpNotes = () => $("note").addEventListener("change", () => {
  if ($("note").value) state.notes[state.now] = $("note").value; else delete state.notes[state.now];
  writeAddress(false);
});
const setUp = () => {
  setUpKeys();
  if (!count) { $("what").textContent = "nothing happened on a tape"; return; }
  setUpSource();
  setUpPictures();
  setUpPickers();
  setUpSearch();
  setUpNotes();
  setUpSteps();
  addEventListener("hashchange", () => go(readAddress()));
  addEventListener("popstate", () => go(readAddress()));
  go(readAddress());
  setUpPainting();
};
setUp();
