import assert from "node:assert/strict";
import test from "node:test";

import { linesOf } from "../../../minitape/html/assets/script/plain/rows.js";

const row = (name, layer) => ({ name, layer });
const TWO = [row("a/kernel", "a"), row("b/kernel", "b"), row("a/bias", "a"), row("b/bias", "b"), row("w", "")];

test("the sources of a layer stand together under its name, in their order", () => {
  const { lines } = linesOf(TWO, 400);
  assert.deepEqual(lines.map((line) => line.text ?? line.name), ["a", "kernel", "bias", "b", "kernel", "bias", "w"]);
  assert.deepEqual(lines.filter((line) => line.row !== undefined).map((line) => line.row), [0, 2, 1, 3, 4]);
});
test("a layer of one source needs no heading, and its name is whole", () => {
  const { lines } = linesOf([row("dense/kernel", "dense"), row("w", "")], 400);
  assert.deepEqual(lines.map((line) => line.name), ["dense/kernel", "w"]);
});
test("elements of a list are told by their place in it", () => {
  assert.deepEqual(linesOf([row("ws[0]", "ws"), row("ws[1]", "ws")], 400).lines.map((line) => line.text ?? line.name), ["ws", "[0]", "[1]"]);
});
test("lines follow each other without gap or overlap", () => {
  for (const room of [20, 120, 4000]) {
    const { lines, height } = linesOf(TWO, room);
    let top = 0;
    for (const line of lines) { assert.equal(line.top, top); top += line.height; }
    assert.equal(height, top);
  }
});
test("two hundred rows are low and stand in what room there is, nearly", () => {
  const many = Array.from({ length: 200 }, (_, k) => row("layer" + (k >> 2) + "/" + k, "layer" + (k >> 2)));
  const { height, isReadable } = linesOf(many, 420);
  assert.ok(!isReadable);
  assert.ok(height <= 2 * 420);
});
test("a few rows can be read", () => assert.ok(linesOf(TWO, 200).isReadable));
