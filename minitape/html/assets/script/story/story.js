// The story: the page opens on it. It shows the sentence, the scenes and the picture of the finished run.

import { D } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { flushAddress, go, leaving, replaceAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { fitAgain } from "../picture/zoom.js";
import { openRun, watchers } from "../run/pane.js";
import { revealLine } from "../source.js";
import { lightLines, setUpMarks } from "./marks.js";
import { fitRivers, lightCards } from "./river.js";

const PACE = 4000; // milliseconds for a scene
let timer = 0;

const stopPlaying = () => {
  clearInterval(timer);
  timer = 0;
  $("play").textContent = D.story.play[0];
};
const showScene = (number) => {
  state.scene = number;
  for (const button of $("scenes").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.scene) === number));
  }
  const chosen = $("scenes").querySelector("[aria-pressed=true]");
  if (chosen) $("announcement").textContent = chosen.innerText.replace(/\s+/g, " ");
  lightLines(number - 1);
  lightCards(number - 1);
};
export const chooseScene = (number) => {
  stopPlaying();
  showScene(Math.max(0, Math.min(D.story.scenes.length, number)));
  replaceAddress();
};
export const playStory = () => {
  if (timer) return stopPlaying();
  const next = () => {
    if (state.scene >= D.story.scenes.length) { stopPlaying(); showScene(0); }
    else showScene(state.scene + 1);
    replaceAddress();
  };
  if (state.scene >= D.story.scenes.length) showScene(0);
  next();
  $("play").textContent = D.story.play[1];
  timer = setInterval(next, PACE);
  return undefined;
};
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
// In a run of many iterations the map is the picture: the sentence and the scenes are above it.
const placeHead = () => {
  const home = state.atStory && state.atRun ? $("run") : $("story");
  if (home && $("story-head").parentNode !== home) home.prepend($("story-head"));
};
export const openStory = (number) => {
  setMode(true);
  if (D.opensOnRun) openRun(true);
  placeHead();
  fitRivers();
  showScene(Math.max(0, Math.min(D.story.scenes.length, number)));
};
const closeStory = () => {
  if (!state.atStory) return;
  flushAddress();
  stopPlaying();
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
  openStory(0);
  return replaceAddress();
};
// The keys of the story; others leave it and step.
export const storyKeys = {
  ArrowRight: () => chooseScene(state.scene + 1),
  ArrowLeft: () => chooseScene(state.scene - 1),
  Escape: () => chooseScene(0),
  " ": playStory,
};
export const setUpStory = () => {
  if (!$("story")) return;
  setUpMarks();
  setMode(false);
  $("modes").hidden = false;
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
  new ResizeObserver(fitRivers).observe($("story"));
};
