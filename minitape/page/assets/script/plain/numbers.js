// Numbers as they are written, and as depths of a colour.

export const short = (number) => typeof number === "number" ? String(Number(number.toPrecision(4))) : String(number);

// The numbers of a tensor as rows: all of them, or the means of its stretches. A number that JSON has not is a word.
export const rowsOf = (tensor) => {
  let rows = tensor.data !== undefined ? tensor.data : [tensor.strip || []];
  if (tensor.data !== undefined && tensor.shape.length === 1) rows = [rows];
  while (Array.isArray(rows[0]) && Array.isArray(rows[0][0])) rows = rows.flat();
  return rows;
};
// The largest of the finite ones, to which the others are compared.
export const scaleOf = (rows) => Math.max(...rows.flat().map(Number).filter(Number.isFinite).map(Math.abs), 0) || 1;

export const colored = (hue, depth) => "color-mix(in srgb, " + hue + " " + depth + "%, var(--paper))";
export const colorOf = (number, scale) => {
  const value = Number(number);
  if (!Number.isFinite(value)) return colored("var(--none)", 100);
  return colored(value < 0 ? "var(--minus)" : "var(--plus)", Math.round(70 * Math.abs(value) / scale));
};
