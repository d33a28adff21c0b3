import assert from "node:assert/strict";
import test from "node:test";

import { fromHash, fromStoryHash, toHash, toStoryHash } from "../../../minitape/html/assets/script/plain/address.js";

test("steps are counted from 1 in an address", () => {
  assert.equal(toHash(16, {}), "#17");
  assert.equal(fromHash("#17", 100, 0).step, 16);
});
test("an address without a step opens where the page begins", () => {
  for (const hash of ["", "#", "#here", "#-3", "#3x", "#3&other=1"]) assert.equal(fromHash(hash, 100, 42).step, 42);
});
test("a step beyond the end is the last one, and step 0 the first", () => {
  assert.equal(fromHash("#1000000", 100, 0).step, 99);
  assert.equal(fromHash("#0", 100, 5).step, 0);
});
test("an address that has no notes leaves those that are there", () => {
  assert.equal(fromHash("#17", 100, 0).notes, undefined);
});
test("notes come back as they were written, whatever is in them", () => {
  const notes = { 3: "here ȳ = 0 & more", 16: "</script>#&notes=%25 \u{1F600}\n\"" };
  const hash = toHash(16, notes);
  assert.match(hash, /^#17&notes=[^#&<>"\s]*$/);
  assert.deepEqual(fromHash(hash, 100, 0), { step: 16, notes });
});
test("notes that are no notes are none, and the step is found all the same", () => {
  for (const kept of ["{", "%", "%7B", "]["]) assert.deepEqual(fromHash("#5&notes=" + kept, 100, 0), { step: 4, notes: {} });
});
test("notes that are a number or nothing are something that notes can be put into", () => {
  for (const kept of ["3", "null", "true"]) {
    const { notes } = fromHash("#5&notes=" + kept, 100, 0);
    assert.equal(typeof notes, "object");
    assert.deepEqual(Object.keys(notes), []);
  }
});
test("an address names a scene or a slide of the story, and an iteration", () => {
  for (const place of [{ scene: 0, slide: 0, iteration: 0 }, { scene: 3, slide: 0, iteration: 12 }, { scene: 0, slide: 5, iteration: 0 }]) {
    assert.deepEqual(fromStoryHash(toStoryHash(place), false), place);
  }
  assert.equal(fromStoryHash("#12", true), null);
  assert.equal(fromStoryHash("", false), null);
  assert.equal(fromStoryHash("", true).scene, 0);
});
