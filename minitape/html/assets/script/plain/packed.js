// Large data that Python has compressed (html/data/packing.py). The elements of float32 tensors are unpacked at their first use.

import { unpacked } from "./unpack.js";

// The data of a page from the text of its element; compressed data is returned as a promise.
export const dataIn = (text) => {
  const held = JSON.parse(text);
  return held.packed === undefined ? held : unzipped(held);
};
const unzipped = async ({ packed, floats }) => {
  const [text, columns] = await Promise.all([bytesOf(packed), floats && bytesOf(floats)]);
  const data = JSON.parse(new TextDecoder().decode(text));
  if (columns) withElements(data.tensors, numbersIn(columns));
  if (data.moves) for (const [holder, name] of steadilyGrowing(data)) summedUp(holder[name]);
  return data;
};
// The lists of which Python stores the differences of successive numbers.
const steadilyGrowing = ({ moves, origins }) => [...[moves.again, moves.op].flatMap((pair) => [[pair, 0], [pair, 1]]), ...(origins ? [[origins, "step"]] : [])];
const summedUp = (numbers) => {
  for (let i = 1; i < numbers.length; i++) numbers[i] += numbers[i - 1];
};
const bytesOf = async (text) => {
  const stream = new Blob([unpacked(text, "uint8")]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};
// The lowest bytes of all numbers come first, and the highest bytes last.
const numbersIn = (columns) => {
  const count = columns.length / 4, bytes = new Uint8Array(columns.length);
  for (let i = 0; i < 4; i++) for (let k = 0; k < count; k++) bytes[4 * k + i] = columns[i * count + k];
  return new Float32Array(bytes.buffer);
};
// Give each tensor its smallest and largest number again, and its elements as `data`, `packed` or `strip`.
const withElements = (tensors, numbers) => {
  let from = 0;
  for (const tensor of tensors) {
    if (!tensor.floats) continue;
    const [name, size] = tensor.floats, start = from, own = numbers.subarray(from + 2, from + 2 + size);
    from += 2 + size;
    delete tensor.floats;
    computedOnce(tensor, "min", () => shortest(numbers[start]));
    computedOnce(tensor, "max", () => shortest(numbers[start + 1]));
    computedOnce(tensor, name, () => name === "data" ? nested(own, tensor.shape) : name === "strip" ? Array.from(own, sevenDigits) : packedAgain(own));
  }
};
// A property that is computed when it is first read.
const computedOnce = (tensor, name, make) => Object.defineProperty(tensor, name, {
  configurable: true,
  enumerable: true,
  get() {
    const value = make();
    Object.defineProperty(tensor, name, { value, enumerable: true });
    return value;
  },
});
// Means have seven digits in a trace.
const sevenDigits = (single) => Number(single.toPrecision(7));
const nested = (numbers, shape) => {
  let list = Array.from(numbers, shortest);
  for (const size of shape.slice(1).reverse()) list = Array.from({ length: list.length / size }, (_, k) => list.slice(k * size, (k + 1) * size));
  return list;
};
const packedAgain = (numbers) => {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters);
};
// The decimal number with the fewest digits that rounds to this float32.
export const shortest = (single) => {
  if (!single || !Number.isFinite(single)) return single;
  for (let digits = 6; digits < 9; digits++) {
    const decimal = Number(single.toPrecision(digits));
    if (Math.fround(decimal) === single) return decimal;
  }
  return Number(single.toPrecision(9));
};
