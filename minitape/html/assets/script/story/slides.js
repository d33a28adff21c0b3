// The story on paper: a slide for the sentence and one for each scene.

import { D } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { state } from "../ground/state.js";
import { lightCards } from "./river.js";

const pictures = () => {
  const copied = [...document.querySelectorAll(".river")].map((figure) => figure.cloneNode(true));
  for (const node of copied) node.querySelector(".as-table").remove();
  return copied;
};
const slideOf = (title, ...parts) => {
  const slide = el("section", undefined, "slide"), head = el("h2");
  head.append(...title);
  slide.append(head, ...parts);
  return slide;
};
const copiesOf = (node) => [...node.childNodes].map((each) => each.cloneNode(true));
const makeSlides = () => {
  if (!state.atStory) return;
  const head = $("story-head"), slides = [slideOf(copiesOf(head.querySelector("h2")), head.querySelector(".lede").cloneNode(true), ...pictures())];
  D.story.scenes.forEach((_, k) => {
    const button = $("scenes").querySelector('[data-scene="' + (k + 1) + '"]');
    lightCards(k);
    const texts = [...button.children].slice(1).map((node) => el("p", undefined, node.className));
    [...button.children].slice(1).forEach((node, at) => texts[at].append(...copiesOf(node)));
    slides.push(slideOf(copiesOf(button.querySelector(".title")), ...texts, ...pictures()));
  });
  lightCards(state.scene - 1);
  $("slides").replaceChildren(...slides);
};
export const setUpSlides = () => {
  const home = el("div");
  home.id = "slides";
  home.setAttribute("aria-hidden", "true");
  document.body.append(home);
  addEventListener("beforeprint", makeSlides);
  addEventListener("afterprint", () => $("slides").replaceChildren());
};
