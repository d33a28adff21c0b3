// Arrays of numbers that travelled as base64, little-endian (page/rounds.py).

const bytesOf = (text) => {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
};
export const ints = (text) => new Int32Array(bytesOf(text));
export const floats = (text) => new Float32Array(bytesOf(text));
export const doubles = (text) => new Float64Array(bytesOf(text));
