import assert from "node:assert/strict";
import test from "node:test";

import { doubles, floats, ints } from "../../../minitape/page/assets/script/plain/packed.js";

const packed = (numbers) => Buffer.from(numbers.buffer).toString("base64");

test("numbers come back to the last bit", () => {
  assert.deepEqual(ints(packed(Int32Array.of(0, -1, 2 ** 31 - 1))), Int32Array.of(0, -1, 2 ** 31 - 1));
  assert.deepEqual(floats(packed(Float32Array.of(.1, -Infinity, 1e-40))), Float32Array.of(.1, -Infinity, 1e-40));
  assert.deepEqual(doubles(packed(Float64Array.of(.1, 1e300))), Float64Array.of(.1, 1e300));
});
test("what is not there is NaN", () => assert.ok(Number.isNaN(floats(packed(Float32Array.of(NaN)))[0])));
test("nothing is an empty array", () => assert.equal(floats("").length, 0));
