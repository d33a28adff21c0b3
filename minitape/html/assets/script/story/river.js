// The pictures of the story: their size, and the cards of a scene.

import { D } from "../ground/data.js";

const streams = [...document.querySelectorAll(".stream")].map((pane) => ({ pane, svg: pane.querySelector("svg") }));

// A picture fills its pane, but its smallest text stays legible; then the pane is scrolled.
export const fitRivers = () => {
  const most = innerHeight * .62 / Math.max(1, streams.length);
  for (const { pane, svg } of streams) {
    const { width, height } = svg.viewBox.baseVal, least = Number(svg.dataset.least);
    const room = pane.clientWidth;
    if (!room) continue;
    const wide = Math.max(least, Math.min(room, most * width / height, width * 1.1));
    svg.style.width = wide + "px";
    svg.style.height = wide * height / width + "px";
    pane.classList.toggle("scrolls", wide > room + 1);
  }
};
export const lightCards = (k) => {
  const scene = D.story.scenes[k], number = String(k + 1);
  for (const { svg } of streams) {
    const prefix = svg.closest("figure").id.replace("river-", "") + "-";
    const lit = new Set(scene && prefix === "run-" ? scene.cards.map((card) => prefix + card) : []);
    const isTried = scene && scene.kind === "tried";
    svg.classList.toggle("in-scene", scene !== undefined && !(isTried && prefix === "fixed-"));
    svg.dataset.kind = scene ? scene.kind : "";
    for (const node of svg.querySelectorAll("g.node")) node.classList.toggle("lit", lit.has(node.id));
    for (const badge of svg.querySelectorAll(".badge")) badge.classList.toggle("lit", badge.dataset.scene === number);
  }
};
