// Numbers as text, and as depths of a color.

import { complexParts, fromParts, isComplexText } from "./complex.js";

const fourDigits = (number) => Number(number.toPrecision(4));
export const short = (number) => isComplexText(number) ? fromParts(complexParts(number).map(fourDigits)) : String(typeof number === "number" ? fourDigits(number) : number);

export const colored = (hue, depth) => "color-mix(in srgb, " + hue + " " + depth + "%, var(--paper))";
