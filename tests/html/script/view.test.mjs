import assert from "node:assert/strict";
import test from "node:test";

import { broughtIn, fitted, zoomed } from "../../../minitape/html/assets/script/plain/view.js";

const PANE = { left: 300, right: 900, top: 50, bottom: 450, width: 600, height: 400 };
const box = (left, top, width = 100, height = 60) => ({ left, top, right: left + width, bottom: top + height });

test("a small picture is enlarged a little, and stands in the middle", () => {
  assert.deepEqual(fitted(PANE, { width: 200, height: 100 }), { scale: 1.35, x: 165, y: 132.5 });
});
test("a tall picture stays readable and starts at its top", () => {
  const { scale, y } = fitted(PANE, { width: 500, height: 9_000 }, false, 1.125);
  assert.equal(scale, 1.125);
  assert.equal(y, 12);
});
test("all of a tall picture is shown when that is asked for", () => {
  const { scale } = fitted(PANE, { width: 500, height: 1_880 }, true);
  assert.equal(scale, .2);
});
test("what is under the pointer stays there while one zooms", () => {
  const view = { scale: 1, x: 20, y: -40 }, nearer = zoomed(view, 1.25, 300, 200);
  assert.equal(nearer.scale, 1.25);
  const under = (of) => [(300 - of.x) / of.scale, (200 - of.y) / of.scale];
  under(nearer).forEach((at, k) => assert.ok(Math.abs(at - under(view)[k]) < 1e-9));
});
test("zooming ends where nothing can be seen any more", () => {
  assert.equal(zoomed({ scale: 1, x: 0, y: 0 }, 1e6, 0, 0).scale, 4);
  assert.equal(zoomed({ scale: 1, x: 0, y: 0 }, 1e-6, 0, 0).scale, .08);
});
test("a card that is seen moves nothing", () => {
  const view = { scale: 1, x: 0, y: 0 };
  assert.equal(broughtIn(view, PANE, box(400, 200), { width: 2_000, height: 2_000 }), view);
});
test("a card below the pane is brought up to a third of it", () => {
  const view = broughtIn({ scale: 1, x: 0, y: 0 }, PANE, box(400, 900), { width: 500, height: 2_000 });
  assert.ok(Math.abs(900 + 60 + view.y - (PANE.bottom - PANE.height / 3)) < 1e-9);
});
test("a picture is not moved beyond its own end", () => {
  const view = broughtIn({ scale: 1, x: 0, y: 0 }, PANE, box(400, 440), { width: 500, height: 500 });
  assert.equal(view.y, PANE.height - 12 - 500);
});
