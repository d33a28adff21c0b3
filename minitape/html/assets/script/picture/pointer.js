// The picture under the pointer: dragging, zooming, clicking nodes.

import { D, T } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { jump } from "../ground/going.js";
import { state } from "../ground/state.js";
import { whereFrom } from "../now/terms.js";
import { setUpMinimap } from "./minimap.js";
import { fitAgain, fitOrFollow, place, zoom } from "./zoom.js";

let isMoved = false; // a click at the end of a drag is ignored

const setUpMoving = (pane) => {
  let from = null;
  pane.addEventListener("pointerdown", (event) => {
    if (!state.shown || event.button) return;
    const { view } = state.shown;
    from = { x: event.clientX - view.x, y: event.clientY - view.y, id: event.pointerId };
    isMoved = false;
  });
  pane.addEventListener("pointermove", (event) => {
    if (!from) return;
    const { view } = state.shown, x = event.clientX - from.x, y = event.clientY - from.y;
    if (!isMoved && Math.abs(x - view.x) + Math.abs(y - view.y) < 5) return;
    if (!isMoved) pane.setPointerCapture(from.id);
    isMoved = true;
    pane.classList.add("moving");
    Object.assign(view, { x, y, isOwn: true });
    place();
  });
  const stop = () => { from = null; pane.classList.remove("moving"); };
  pane.addEventListener("pointerup", stop);
  pane.addEventListener("pointercancel", stop);
};
const setUpWheel = (pane) => pane.addEventListener("wheel", (event) => {
  event.preventDefault();
  const { shown } = state;
  if (event.ctrlKey || event.metaKey || event.altKey) zoom(Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
  else if (shown) { Object.assign(shown.view, { x: shown.view.x - event.deltaX, y: shown.view.y - event.deltaY, isOwn: true }); place(); }
}, { passive: false });

export const setUpPictures = () => {
  const pane = $("pictures");
  setUpMoving(pane);
  setUpWheel(pane);
  setUpMinimap(place);
  pane.addEventListener("click", (event) => {
    const group = event.target.closest("[data-card]");
    if (!group || isMoved) return;
    const { card } = group.dataset;
    if (event.target.classList.contains("grad")) whereFrom(card);
    else jump(visitOf(state.shown, card));
  });
  $("smaller").addEventListener("click", () => zoom(1 / 1.25));
  $("larger").addEventListener("click", () => zoom(1.25));
  $("fit").addEventListener("click", fitOrFollow);
  let { width, height } = pane.getBoundingClientRect();
  new ResizeObserver(() => {
    const box = pane.getBoundingClientRect();
    if (box.width === width && box.height === height) return;
    ({ width, height } = box);
    if (width && height) fitAgain();
  }).observe(pane);
};
// A click on a node goes to the step that made it, in the current iteration; another click goes to the next step about the node.
const visitOf = (figure, id) => {
  const about = Object.keys(figure.acts).map(Number).filter((i) => figure.acts[i].includes(id)), { now } = state;
  if (!about.length) return figure.cards.get(id).made;
  if (about.includes(now)) return about[(about.indexOf(now) + 1) % about.length];
  const call = D.call[now], ofCall = about.filter((i) => D.call[i] === call), iteration = T[D.iteration[now]];
  return ofCall.find((i) => iteration && T[D.iteration[i]] === iteration) ?? ofCall[0] ?? about.findLast((i) => i <= now) ?? about[0];
};
