// The story: the page opens on it. It shows the sentence, the scenes and the picture of the finished run.

import { D } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { flushAddress, go, leaving, replaceAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { fitAgain } from "../picture/zoom.js";
import { openRun, watchers } from "../run/pane.js";
import { revealLine } from "../source.js";
import { chooseIteration, setUpIterations, stopIterations } from "./iterations.js";
import { setUpMarks } from "./marks.js";
import { endPresenting, present, presenterKeys, setUpPresenter } from "./presenter.js";
import { fitRivers } from "./river.js";
import { chooseScene, playStory, showScene, stopPlaying } from "./scenes.js";
import { setUpShare } from "./share.js";
import { setUpSlides } from "./slides.js";
import { setUpTrial } from "./trial.js";

const setMode = (isStory) => {
  state.atStory = isStory;
  document.body.classList.toggle("story", isStory);
  $("main").classList.toggle("at-story", isStory);
  $("story").hidden = !isStory;
  $("play").hidden = !isStory;
  $("step-through").hidden = !isStory;
  $("to-story").setAttribute("aria-pressed", String(isStory));
  $("to-steps").setAttribute("aria-pressed", String(!isStory));
};
// In a run of many iterations the story is above the map.
const placeHead = () => {
  if (state.slide) return;
  const home = state.atStory && state.atRun ? $("run") : $("story"), parts = [$("story-head"), $("rivers")].filter(Boolean);
  if (home && parts.some((part) => part.parentNode !== home)) home.prepend(...parts);
};
export const openStory = ({ scene, slide, iteration }) => {
  endPresenting();
  setMode(true);
  if (D.opensOnRun) openRun(true);
  placeHead();
  fitRivers();
  chooseIteration(iteration);
  showScene(Math.max(0, Math.min(D.story.scenes.length, scene)));
  if (D.story.call) $("calls").value = String(D.story.call);
  if (slide) present(slide);
};
const closeStory = () => {
  if (!state.atStory) return;
  endPresenting();
  flushAddress();
  stopPlaying();
  stopIterations();
  showScene(0);
  setMode(false);
  openRun(false);
  placeHead();
  fitAgain();
  revealLine();
};
// The step of the scene, or else the first one.
export const stepThrough = () => {
  const scene = D.story.scenes[state.scene - 1], step = scene ? scene.step : state.now;
  closeStory();
  go(step, true);
  replaceAddress();
};
export const switchStory = () => {
  if (state.atStory) return stepThrough();
  openStory({ scene: 0, slide: 0, iteration: state.iteration });
  return replaceAddress();
};
const leavePresenting = () => {
  endPresenting();
  placeHead();
  fitRivers();
  replaceAddress();
  $("present").focus();
};
export const startPresenting = () => {
  if (!state.atStory) switchStory();
  stopPlaying();
  stopIterations();
  showScene(0);
  present(1);
};
const slideKeys = presenterKeys(leavePresenting);
// The keys of the story; others leave it and step.
const sceneKeys = {
  ArrowRight: () => chooseScene(state.scene + 1),
  ArrowLeft: () => chooseScene(state.scene - 1),
  Escape: () => chooseScene(0),
  " ": playStory,
  p: startPresenting,
};
export const storyKey = (key) => {
  if (state.slide) return slideKeys[key] || (() => {});
  return /^[1-9]$/.test(key) ? () => chooseScene(Number(key)) : sceneKeys[key];
};
export const setUpStory = () => {
  if (!$("story")) return;
  setUpMarks();
  setUpIterations();
  setUpTrial();
  setUpPresenter(leavePresenting);
  setUpShare();
  setUpSlides();
  setMode(false);
  $("modes").hidden = $("present").hidden = $("share").hidden = false;
  $("present").addEventListener("click", startPresenting);
  leaving.push(closeStory);
  watchers.push(placeHead);
  $("play").textContent = D.story.play[0];
  $("play").addEventListener("click", playStory);
  $("step-through").addEventListener("click", stepThrough);
  $("to-story").addEventListener("click", () => { if (!state.atStory) switchStory(); });
  $("to-steps").addEventListener("click", () => { if (state.atStory) stepThrough(); });
  const choose = (number) => chooseScene(state.scene === number ? 0 : number);
  $("scenes").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) choose(Number(button.dataset.scene));
  });
  for (const badge of document.querySelectorAll(".river .badge")) badge.addEventListener("click", () => choose(Number(badge.dataset.scene)));
  new ResizeObserver(fitRivers).observe($("main"));
};
