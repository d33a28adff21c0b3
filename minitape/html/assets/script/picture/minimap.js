// A small copy of a picture that is larger than its pane: its nodes, the current one, and the part that is visible.

import { $ } from "../ground/elements.js";
import { state } from "../ground/state.js";

// The boxes of the nodes in units of the drawing; measured once, because a picture does not change its layout.
const boxesOf = (figure) => {
  if (figure.boxes) return figure.boxes;
  const svg = figure.canvas.firstElementChild, all = svg.getBoundingClientRect(), { scale } = figure.view;
  if (!all.width) return [];
  figure.boxes = [...figure.cards.values()].map(({ group }) => {
    const box = group.getBoundingClientRect();
    return {
      group, x: (box.left - all.left) / scale, y: (box.top - all.top) / scale, width: box.width / scale, height: box.height / scale,
      isBad: ["bad", "brk"].some((kind) => group.classList.contains(kind)),
    };
  });
  return figure.boxes;
};
const extentOf = (figure) => {
  const svg = figure.canvas.firstElementChild;
  return { width: svg.clientWidth || Number.parseFloat(svg.getAttribute("width")), height: svg.clientHeight || Number.parseFloat(svg.getAttribute("height")) };
};
let shownScale = 1;

export const drawMinimap = () => {
  const map = $("minimap"), { shown } = state;
  if (!shown || !shown.view || state.atStory) { map.hidden = true; return; }
  const stage = $("stage").getBoundingClientRect(), size = extentOf(shown), { x, y, scale } = shown.view;
  const isLarger = size.width * scale > stage.width + 1 || size.height * scale > stage.height + 1;
  map.hidden = !isLarger || !stage.width;
  if (map.hidden) return;
  $("stage").classList.toggle("wide", size.width / size.height > stage.width / stage.height);
  const room = map.getBoundingClientRect(), pane = $("pictures").getBoundingClientRect();
  shownScale = Math.min((room.width - 8) / size.width, (room.height - 8) / size.height);
  map.width = Math.round(room.width * devicePixelRatio);
  map.height = Math.round(room.height * devicePixelRatio);
  const paint = map.getContext("2d"), style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(name);
  paint.scale(devicePixelRatio, devicePixelRatio);
  paint.translate(4, 4);
  for (const box of boxesOf(shown)) {
    const { group } = box;
    const name = group.classList.contains("current") ? "--mark" : box.isBad ? "--lost"
      : group.classList.contains("hit") ? "--mark" : group.classList.contains("arrived") ? "--backward"
        : group.classList.contains("future") ? "--rule" : "--forward";
    paint.fillStyle = color(name);
    paint.fillRect(box.x * shownScale, box.y * shownScale, Math.max(2, box.width * shownScale), Math.max(2, box.height * shownScale));
  }
  paint.strokeStyle = color("--ink");
  paint.lineWidth = 1.5;
  const from = { x: Math.max(0, -x / scale), y: Math.max(0, -y / scale) };
  const to = { x: Math.min(size.width, (pane.width - x) / scale), y: Math.min(size.height, (pane.height - y) / scale) };
  paint.strokeRect(from.x * shownScale, from.y * shownScale, (to.x - from.x) * shownScale, (to.y - from.y) * shownScale);
};
// A point of the small copy becomes the middle of the pane.
export const setUpMinimap = (place) => {
  const map = $("minimap");
  const move = (event) => {
    const { shown } = state, room = map.getBoundingClientRect(), pane = $("pictures").getBoundingClientRect();
    const at = { x: (event.clientX - room.left - 4) / shownScale, y: (event.clientY - room.top - 4) / shownScale };
    Object.assign(shown.view, { x: pane.width / 2 - at.x * shown.view.scale, y: pane.height / 2 - at.y * shown.view.scale, isOwn: true });
    place();
  };
  map.addEventListener("pointerdown", (event) => { map.setPointerCapture(event.pointerId); move(event); });
  map.addEventListener("pointermove", (event) => { if (event.buttons) move(event); });
};
