// Numbers as text, and as intensities of a color.

import { complexParts, fromParts, isComplexText } from "./complex.js";

const fourDigits = (number) => Number(number.toPrecision(4));
export const short = (number) => isComplexText(number) ? fromParts(complexParts(number).map(fourDigits)) : String(typeof number === "number" ? fourDigits(number) : number);

// A number with three digits, as in pictures: 0.274 or 1.8×10⁻⁵.
export const threeDigits = (number) => {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "−inf";
  const size = Number(Math.abs(number).toPrecision(3)), sign = number < 0 ? "−" : "";
  if (size === 0) return "0";
  if (size >= .001 && size < 10_000) return sign + size.toFixed(Math.max(0, 2 - Math.floor(Math.log10(size))));
  const [mantissa, exponent] = size.toExponential(1).split("e");
  return sign + mantissa + "×10" + [...String(Number(exponent))].map((letter) => letter === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[letter]).join("");
};

export const colored = (hue, depth) => "color-mix(in srgb, " + hue + " " + depth + "%, var(--paper))";
