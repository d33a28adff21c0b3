// Numbers as they are written, and as depths of a colour.

export const short = (number) => typeof number === "number" ? String(Number(number.toPrecision(4))) : String(number);

export const colored = (hue, depth) => "color-mix(in srgb, " + hue + " " + depth + "%, var(--paper))";
