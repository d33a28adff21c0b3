import assert from "node:assert/strict";
import test from "node:test";

import { elementsOf, unpacked } from "../../../minitape/html/assets/script/plain/unpack.js";

const packed = (array) => Buffer.from(array.buffer).toString("base64");
const text = (tensor) => { const { values, text } = elementsOf(tensor); return Array.from(values, (_, k) => text(k)); };

test("bytes are numbers of their dtype again", () => {
  assert.deepEqual([...unpacked(packed(Float32Array.of(1.5, -2)), "float32")], [1.5, -2]);
  assert.deepEqual([...unpacked(packed(Int8Array.of(-1, 127)), "int8")], [-1, 127]);
  assert.deepEqual([...unpacked(packed(Uint16Array.of(0x3fc0, 0xff80)), "bfloat16")], [1.5, -Infinity]);
});
test("half a float has its smallest numbers, its infinities and nan", () => {
  const halves = unpacked(packed(Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7c00, 0x7e00, 0x8000)), "float16");
  assert.deepEqual([...halves], [1, -2, 2 ** -24, Infinity, NaN, -0]);
});
test("an element is text as short as gives it again, in the words of Python", () => {
  assert.deepEqual(text({ shape: [3], dtype: "float32", packed: packed(Float32Array.of(0.1, NaN, -Infinity)) }), ["0.1", "nan", "-inf"]);
  assert.deepEqual(text({ shape: [2], dtype: "bool", data: [true, false] }), ["True", "False"]);
  assert.deepEqual(text({ shape: [3], dtype: "float32", data: ["NaN", "Infinity", -0.5] }), ["nan", "inf", "-0.5"]);
});
test("whole numbers are exact, however large", () => {
  assert.deepEqual(text({ shape: [1], dtype: "int64", packed: packed(BigInt64Array.of(9007199254740993n)) }), ["9007199254740993"]);
  assert.deepEqual(text({ shape: [1], dtype: "int64", data: ["9007199254740993"] }), ["9007199254740993"]);
});
test("a complex number is painted by its size and text in full", () => {
  const few = elementsOf({ shape: [3], dtype: "complex64", data: ["(3+4j)", "(-0-2j)", "(1e-05+nanj)"] });
  assert.deepEqual([...few.values], [5, 2, NaN]);
  assert.equal(few.text(0), "(3+4j)");
  const many = elementsOf({ shape: [1], dtype: "complex64", packed: packed(Float32Array.of(3, -4)) });
  assert.deepEqual([many.values[0], many.text(0)], [5, "(3-4j)"]);
});
test("texts have no numbers, and what was not kept has no elements", () => {
  assert.deepEqual(text({ shape: [2], dtype: "string", data: ["a", "b"] }), ["a", "b"]);
  assert.equal(elementsOf({ shape: [900], dtype: "float32", strip: [1] }), null);
});
