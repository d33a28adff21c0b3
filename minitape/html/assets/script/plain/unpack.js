// The elements of a tensor in a trace (docs/trace-format.md).

import { magnitudeOf } from "./complex.js";

const ARRAYS = {
  bool: Uint8Array, int8: Int8Array, uint8: Uint8Array, int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array,
  int64: BigInt64Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array, complex64: Float32Array, complex128: Float64Array,
  float16: Uint16Array, bfloat16: Uint16Array,
};
export const isComplex = (dtype) => dtype.startsWith("complex");

// The numbers in base64, little-endian; for complex numbers, alternating real and imaginary parts.
export const unpacked = (text, dtype) => {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const raw = new ARRAYS[dtype](bytes.buffer);
  if (dtype === "bfloat16") return new Float32Array(Uint32Array.from(raw, (half) => half << 16).buffer);
  return dtype === "float16" ? Float32Array.from(raw, halfAsNumber) : raw;
};
const halfAsNumber = (bits) => {
  const sign = bits & 0x8000 ? -1 : 1, power = bits >> 10 & 31, fraction = bits & 1023;
  if (power === 31) return fraction ? NaN : sign * Infinity;
  return sign * (power ? 2 ** (power - 15) * (1 + fraction / 1024) : 2 ** -24 * fraction);
};

// `values` are painted: the numbers, for complex numbers the absolute values, for strings nothing. `text(k)` is the text of element k.
// Null if the trace does not contain the elements.
export const elementsOf = (tensor) => {
  const { dtype } = tensor;
  if (tensor.packed !== undefined) {
    const raw = unpacked(tensor.packed, dtype);
    if (!isComplex(dtype)) return { values: Float64Array.from(raw, Number), text: (k) => asWritten(raw[k], dtype) };
    const values = Float64Array.from({ length: raw.length / 2 }, (_, k) => Math.hypot(raw[2 * k], raw[2 * k + 1]));
    return { values, text: (k) => asComplex(raw[2 * k], raw[2 * k + 1], dtype) };
  }
  if (tensor.data === undefined) return null;
  const flat = [tensor.data].flat(Infinity);
  if (dtype === "string") return { values: new Float64Array(flat.length), text: (k) => flat[k], isText: true };
  if (isComplex(dtype)) return { values: Float64Array.from(flat, magnitudeOf), text: (k) => flat[k] };
  // Integers that JavaScript would round are strings, and so are numbers that JSON lacks.
  const text = (k) => typeof flat[k] === "string" && dtype.includes("int") ? flat[k] : asWritten(dtype === "bool" ? flat[k] : Number(flat[k]), dtype);
  return { values: Float64Array.from(flat, Number), text };
};

// The element as Python writes it; for float32, the shortest number that converts to the element.
const asWritten = (number, dtype) => {
  if (dtype === "bool") return number ? "True" : "False";
  if (Number.isNaN(Number(number))) return "nan";
  if (number === Infinity || number === -Infinity) return number < 0 ? "-inf" : "inf";
  if (Object.is(number, -0)) return "-0";
  for (let digits = 6; dtype === "float32" && digits < 9; digits++) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return String(short);
  }
  return String(number);
};
const asComplex = (real, imaginary, dtype) => {
  const part = dtype === "complex64" ? "float32" : "float64", second = asWritten(imaginary, part);
  return "(" + asWritten(real, part) + (second.startsWith("-") ? "" : "+") + second + "j)";
};
