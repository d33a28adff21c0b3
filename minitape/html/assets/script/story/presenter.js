// The story as slides: one idea on each, in large letters. A question comes first and its answer with the next key, so that everybody
// can predict it.

import { D } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { replaceAddress } from "../ground/going.js";
import { state } from "../ground/state.js";
import { coverPass, endPass, playScene } from "./passes.js";
import { fitRivers, lightCards } from "./river.js";

// Slide 2k - 1 asks the question of scene k, and slide 2k answers it; the last one is the sentence.
const lastSlide = () => 2 * D.story.scenes.length + 1;

const slideAt = (number) => {
  if (number === lastSlide()) return { asks: "", scene: null };
  const place = Math.ceil(number / 2), scene = D.story.scenes[place - 1];
  return { scene, place, isAnswered: number % 2 === 0 };
};
// The parts that a question may not show yet.
const coverFor = ({ kind }, isAnswered) => {
  const isEarly = kind === "requested" || kind === "forward";
  if (!isAnswered) coverPass(!isEarly);
  else if (kind === "requested") coverPass(false);
  else playScene(kind, () => { if (kind === "forward") coverPass(true); });
};
const drawSlide = () => {
  const { scene, place, isAnswered } = slideAt(state.slide), isFixShown = !scene || scene.kind === "tried" && isAnswered;
  const answer = $("slide-answer");
  $("presenter").classList.toggle("shows-fix", isFixShown);
  $("slide-number").textContent = state.slide + " / " + lastSlide();
  if (!scene) {
    $("slide-question").replaceChildren(...[...$("story-head").querySelector("h2").childNodes].map((node) => node.cloneNode(true)));
    answer.replaceChildren(...[...$("story-head").querySelector(".lede").childNodes].map((node) => node.cloneNode(true)));
  } else {
    const button = $("scenes").querySelector('[data-scene="' + place + '"]');
    $("slide-question").textContent = scene.question;
    answer.replaceChildren(...(isAnswered ? [...button.children].map((node) => node.cloneNode(true)) : []));
    answer.querySelector(".count")?.remove();
  }
  fitRivers();
  lightCards(scene && isAnswered ? place - 1 : -1);
  if (scene) coverFor(scene, isAnswered); else endPass();
  $("announcement").textContent = $("slide-question").textContent + " " + answer.innerText;
};
export const present = (slide) => {
  const isStart = !state.slide;
  state.slide = Math.max(1, Math.min(lastSlide(), slide));
  if (isStart) {
    document.body.classList.add("presenting");
    $("presenter").hidden = false;
    $("slide-picture").append(...[$("rivers")].filter(Boolean));
    for (const each of document.querySelectorAll("header, main, footer, #panes")) each.inert = true;
    $("presenter").focus();
  }
  drawSlide();
  replaceAddress();
};
export const endPresenting = () => {
  if (!state.slide) return false;
  state.slide = 0;
  document.body.classList.remove("presenting");
  $("presenter").hidden = true;
  for (const each of document.querySelectorAll("[inert]")) each.inert = false;
  endPass();
  lightCards(state.scene - 1);
  return true;
};
export const presenterKeys = (leave) => ({
  ArrowRight: () => present(state.slide + 1),
  ArrowLeft: () => present(state.slide - 1),
  " ": () => present(state.slide + 1),
  PageDown: () => present(state.slide + 1),
  PageUp: () => present(state.slide - 1),
  Home: () => present(1),
  End: () => present(lastSlide()),
  Escape: leave,
  p: leave,
});
export const setUpPresenter = (leave) => {
  const presenter = el("section");
  presenter.id = "presenter";
  presenter.hidden = true;
  presenter.tabIndex = -1;
  presenter.setAttribute("aria-label", "presentation");
  presenter.setAttribute("role", "dialog");
  const head = el("div"), question = el("h2"), answer = el("div"), picture = el("div"), foot = el("p");
  const named = { "slide-head": head, "slide-question": question, "slide-answer": answer, "slide-picture": picture, "slide-foot": foot };
  for (const [id, node] of Object.entries(named)) node.id = id;
  head.append(question, answer);
  const button = (text, act) => {
    const node = el("button", text);
    node.type = "button";
    node.addEventListener("click", act);
    return node;
  };
  const number = el("span");
  number.id = "slide-number";
  foot.append(button("←", () => present(state.slide - 1)), number, button("→", () => present(state.slide + 1)), button("end (Esc)", leave));
  foot.children[0].setAttribute("aria-label", "previous slide");
  foot.children[2].setAttribute("aria-label", "next slide");
  presenter.append(head, picture, foot);
  document.body.append(presenter);
};
