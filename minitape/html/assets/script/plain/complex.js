// Complex numbers: strings, as Python writes them, (1.5-2e-05j) or 2j.

export const isComplexText = (number) => typeof number === "string" && /j\)?$/.test(number);

// The real and the imaginary part.
export const complexParts = (text) => {
  const [first = "nan", second] = text.match(/[+-]?(?:nan|inf|[\d.]+(?:e[+-]?\d+)?)/g) || [];
  return (second === undefined ? ["0", first] : [first, second]).map((part) => Number(part.replace("inf", "Infinity").replace("nan", "NaN")));
};
const partAs = (number) => Number.isNaN(number) ? "nan" : String(number).replace("Infinity", "inf");
export const fromParts = ([real, imaginary]) => "(" + partAs(real) + (imaginary < 0 ? "" : "+") + partAs(imaginary) + "j)";
export const magnitudeOf = (number) => isComplexText(number) ? Math.hypot(...complexParts(number)) : Math.abs(number);
// A number for real factors; a string as soon as one of them is complex.
export const sumOf = (numbers) => {
  const parts = numbers.map((each) => isComplexText(each) ? complexParts(each) : [each, 0]);
  const [real, imaginary] = [0, 1].map((part) => parts.reduce((sum, each) => sum + each[part], 0));
  return numbers.some(isComplexText) ? fromParts([real, imaginary]) : real;
};
