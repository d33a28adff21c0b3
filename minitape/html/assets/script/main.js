// All texts were written in Python; here they are only shown and hidden: go(i) shows step i.

import { showAnswer } from "./frame/answer.js";
import { setUpFrame } from "./frame/frame.js";
import { D, count } from "./ground/data.js";
import { $ } from "./ground/elements.js";
import { goToAddress, telling, views, writeAddress } from "./ground/going.js";
import { state } from "./ground/state.js";
import { setUpKeys } from "./keys.js";
import { showNow, showPosition, showTop } from "./now/now.js";
import { setUpOrigins, showQuestions } from "./now/origin.js";
import { setUpSteps, showSteps } from "./now/steps.js";
import { setUpPickers } from "./pickers.js";
import { setUpPictures } from "./picture/pointer.js";
import { drawPicture } from "./picture/showing.js";
import { followCard } from "./picture/zoom.js";
import { setUpRun } from "./run/hands.js";
import { drawRun, showRun } from "./run/pane.js";
import { setUpSearch } from "./search.js";
import { revealLine, setUpSource, showSource } from "./source.js";
import { openStory, setUpStory } from "./story/story.js";
import { followTensor, repaintTensor } from "./tensor/panel.js";
import { repaintThumbs } from "./tensor/thumb.js";
import { painters, setUpPainting, setUpTheme } from "./theme.js";
import { drawLine } from "./time.js";

views.push(showAnswer, showSource, drawPicture, showNow);
if (D.origins) views.push(showQuestions);
views.push(followTensor, showSteps, showPosition, showRun); // the list of steps gets the space that is left
views.push(followCard, revealLine, showTop); // last, because they read positions: after a change, each read causes a new layout
if ($("story")) telling.push(openStory);
painters.push(drawLine, drawRun, repaintThumbs, repaintTensor);

const setUpNotes = () => $("note").addEventListener("change", () => {
  if ($("note").value) state.notes[state.now] = $("note").value; else delete state.notes[state.now];
  writeAddress(false);
});
const setUp = () => {
  setUpTheme();
  setUpKeys();
  setUpFrame();
  if (!count) { $("what").textContent = "the run has no steps"; return; }
  setUpSource();
  setUpPictures();
  setUpPickers();
  setUpSearch();
  setUpNotes();
  setUpSteps();
  setUpRun();
  setUpStory();
  if (D.origins) setUpOrigins();
  addEventListener("hashchange", goToAddress);
  addEventListener("popstate", goToAddress);
  goToAddress();
  setUpPainting();
};
setUp();
