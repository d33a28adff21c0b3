import assert from "node:assert/strict";
import test from "node:test";

import { chosenIn, fromHash, toHash } from "../../../minitape/html/assets/script/plain/address.js";
import { rowsOfBoxes, scrolledFor } from "../../../minitape/html/assets/script/plain/rectangles.js";
import { allowed, shareAt, shareBy } from "../../../minitape/html/assets/script/plain/shares.js";
import { isSize, sizeBy } from "../../../minitape/html/assets/script/plain/type.js";
import { parted, pieces, shortened } from "../../../minitape/html/assets/script/plain/words.js";

const HOSTILE = ["</script><img src=x onerror=alert(1)>", "a=b&c=d#e%", "\u202e\u{1F600}\n\"'`", "x".repeat(5000), "%E0%A4%A"];

// --- the address ---

test("what was chosen stands between the step and the notes, and comes back", () => {
  for (const value of HOSTILE) {
    const hash = toHash(4, { 1: value }, { code: value, pane: "" });
    assert.deepEqual(chosenIn(hash), { code: value });
    assert.deepEqual(fromHash(hash, 10, 0, ["code"]), { step: 4, notes: { 1: value } });
  }
});
test("an address that chooses what there is not is none", () => {
  assert.equal(fromHash("#5&code=MT201", 10, 0, ["pane"]).step, 0);
  assert.equal(fromHash("#5&code=MT201", 10, 0, ["code"]).step, 4);
});
test("a choice that is no text is empty, and the step is found", () => {
  assert.deepEqual(chosenIn("#5&code=%E0%A4%A"), { code: "" });
  assert.equal(fromHash("#5&code=%E0%A4%A", 10, 0, ["code"]).step, 4);
});
test("an address without a choice is as it always was", () => {
  assert.equal(toHash(4, {}, {}), "#5");
  assert.equal(toHash(4, {}, { pane: "" }), "#5");
  assert.deepEqual(chosenIn("#5&notes=%7B%221%22%3A%22a%3Db%26c%22%7D"), {});
});

// --- panes ---

const LEFT = { least: 10, most: 60, usual: 27 }, RIGHT = { ...LEFT, isAtEnd: true }, TOP = { ...LEFT, isDown: true };
test("a share stays within its bounds, and one too small to be read is none", () => {
  assert.deepEqual([4, 6, 10, 33.333, 60, 99].map((share) => allowed(share, LEFT)), [0, 10, 10, 33.3, 60, 60]);
});
test("a pane reaches from its end of the room to where its edge is", () => {
  assert.equal(shareAt(300, { from: 100, to: 1100 }, false), 20);
  assert.equal(shareAt(300, { from: 100, to: 1100 }, true), 80);
});
test("arrows move the edge where they point, further with Shift, and the other two mean nothing", () => {
  assert.equal(shareBy("ArrowRight", false, 30, LEFT), 32);
  assert.equal(shareBy("ArrowRight", false, 30, RIGHT), 28);
  assert.equal(shareBy("ArrowLeft", true, 30, LEFT), 20);
  assert.equal(shareBy("ArrowDown", false, 30, TOP), 32);
  assert.equal(shareBy("ArrowDown", false, 30, LEFT), undefined);
  assert.equal(shareBy("ArrowLeft", false, 30, TOP), undefined);
  assert.equal(shareBy("b", false, 30, LEFT), undefined);
});
test("no arrow leads beyond the bounds, and from a closed pane it leads to an open one", () => {
  assert.equal(shareBy("ArrowLeft", true, 11, LEFT), 10);
  assert.equal(shareBy("ArrowRight", true, 59, LEFT), 60);
  assert.equal(shareBy("ArrowRight", false, 0, LEFT), 12);
});
test("Home and End lead to the bounds, and Enter closes and opens", () => {
  assert.deepEqual(["Home", "End", "Enter"].map((key) => shareBy(key, false, 30, LEFT)), [10, 60, 0]);
  assert.equal(shareBy("Enter", false, 0, LEFT), 27);
});

// --- letters ---

test("letters grow and shrink by steps that lead back to where they were", () => {
  assert.equal(sizeBy(sizeBy(1, 1), -1), 1);
  assert.ok(sizeBy(1, 1) > 1 && sizeBy(1, -1) < 1);
  assert.equal(sizeBy(3, 1), 3);
  assert.equal(sizeBy(.8, -1), .8);
  for (let size = .8; size < 3; size = sizeBy(size, 1)) assert.ok(isSize(size));
});
test("only a size that letters can have is one: what was kept may be anything", () => {
  for (const kept of [undefined, null, "2", NaN, -1, 1e9, {}]) assert.equal(isSize(kept), false);
});

// --- words ---

const told = (text) => pieces(text).map((piece) => piece.line ?? piece.code ?? piece.text);
test("the pieces of a text are the text", () => {
  for (const text of [...HOSTILE.filter((each) => !each.includes("`")), "", "line 5", "mend all of lines 5, 7 and 12: fewer change nothing", "see MT201."]) {
    assert.equal(pieces(text).map((piece) => piece.text).join(""), text);
  }
});
test("each line that is named leads to it, alone and among others", () => {
  assert.deepEqual(told("here, line 5, it left"), ["here, ", 5, ", it left"]);
  assert.deepEqual(told("lines 5, 7 and 12"), [5, ", ", 7, " and ", 12]);
  assert.deepEqual(told("airline 5, lines of 7, linear 8"), ["airline 5, lines of 7, linear 8"]);
});
test("a line of another file is one of that file", () => {
  const [, piece] = pieces("in line 7 of model.py it");
  assert.deepEqual({ line: piece.line, file: piece.file, text: piece.text }, { line: 7, file: "model.py", text: "line 7" });
  assert.equal(pieces("in line 7 of model.py it").map((each) => each.text).join(""), "in line 7 of model.py it");
});
test("a code is a word of its own, and code stands without its marks", () => {
  assert.deepEqual(told("MT201 and XMT201 or MT2011"), ["MT201", " and XMT201 or MT2011"]);
  assert.deepEqual(pieces("`w = line 5` here"), [{ text: "w = line 5", isCode: true }, { text: " here" }]);
});
test("a name keeps its end, and its two parts are all of it", () => {
  const name = "encoder/layer_of_many_units/attention/output/kernel";
  const [head, tail] = parted(name);
  assert.equal(head + tail, name);
  assert.ok(name.endsWith(tail) && tail.length >= 8);
  assert.deepEqual(parted("weights"), ["weights", ""]);
  for (const odd of HOSTILE) assert.equal(parted(odd).join(""), odd);
});
test("a shortened name has both its ends and no more letters than asked for", () => {
  assert.equal(shortened("weights", 7), "weights");
  assert.equal(shortened("abcdefghijk", 7), "abc…ijk");
  assert.equal(shortened("\u{1F600}".repeat(9), 5), "\u{1F600}\u{1F600}…\u{1F600}\u{1F600}");
});

// --- where text is ---

const box = (left, right, top, bottom) => ({ left, right, top, bottom });
test("boxes of one row are one box, those of two rows two", () => {
  assert.deepEqual(rowsOfBoxes([box(0, 10, 0, 20), box(10, 30, 2, 18), box(0, 5, 20, 40)]), [box(0, 30, 0, 20), box(0, 5, 20, 40)]);
  assert.deepEqual(rowsOfBoxes([box(3, 3, 0, 20)]), []);
});
test("a pane that can show a stretch unscrolled does so", () => {
  assert.equal(scrolledFor(300, 400, 50, 200), 0);
});
test("a pane is scrolled until a stretch is seen, and not when it is seen already", () => {
  const at = scrolledFor(0, 400, 500, 600);
  assert.ok(at <= 500 && at + 400 >= 600);
  assert.equal(scrolledFor(at, 400, 510, 590), at);
  assert.ok(scrolledFor(900, 400, 500, 600) <= 500);
});
test("of a stretch that is too long its beginning is seen, where it is if it can be", () => {
  assert.equal(scrolledFor(300, 400, 90, 2000), 0);
  const at = scrolledFor(0, 400, 500, 2000);
  assert.ok(at <= 500 && at > 500 - 60);
});
