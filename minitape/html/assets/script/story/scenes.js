// The scenes of the story: which one is shown, and Play, which shows one after the other.

import { D } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { replaceAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { lightLines } from "./marks.js";
import { endPass, playScene } from "./passes.js";
import { lightCards } from "./river.js";

const PACE = 4000; // milliseconds for a scene
let timer = 0;

export const stopPlaying = () => {
  clearInterval(timer);
  timer = 0;
  $("play").textContent = D.story.play[0];
};
export const showScene = (number) => {
  state.scene = number;
  for (const button of $("scenes").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.scene) === number));
  }
  const chosen = $("scenes").querySelector("[aria-pressed=true]");
  if (chosen) $("announcement").textContent = chosen.innerText.replace(/\s+/g, " ");
  lightLines(number - 1);
  lightCards(number - 1);
  endPass();
};
// A scene that the reader chose also moves: the values go forward, or the gradients backward.
const playAt = (number) => {
  showScene(number);
  playScene(D.story.scenes[number - 1]?.kind);
};
export const chooseScene = (number) => {
  stopPlaying();
  playAt(Math.max(0, Math.min(D.story.scenes.length, number)));
  replaceAddress();
};
export const playStory = () => {
  if (timer) return stopPlaying();
  const next = () => {
    if (state.scene >= D.story.scenes.length) { stopPlaying(); showScene(0); }
    else playAt(state.scene + 1);
    replaceAddress();
  };
  if (state.scene >= D.story.scenes.length) showScene(0);
  next();
  $("play").textContent = D.story.play[1];
  timer = setInterval(next, PACE);
  return undefined;
};
