// The colors of the map, and the marks for cells without a norm: each has a pattern or a letter, so that color is never the only distinction.

import { SEVERITY } from "../plain/columns.js";
import { portion } from "../plain/scale.js";

export const LETTERS = { partial: "p", zero: "0", none: "N", nan: "!", error: "E", empty: "-" };

const read = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const redGreenBlue = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

let shades = [], patterns = {}, inks = {};
// Read again when the theme has changed.
export const mixColors = () => {
  const stops = ["--map-low", "--map-middle", "--map-high"].map(read).map(redGreenBlue);
  shades = Array.from({ length: 256 }, (_, k) => {
    const at = k / 255 * 2, [from, to] = at < 1 ? stops : stops.slice(1), rest = at < 1 ? at : at - 1;
    return from.map((part, i) => Math.round(part + (to[i] - part) * rest));
  });
  inks = { ink: read("--ink"), quiet: read("--quiet"), paper: read("--paper"), lost: read("--lost"), mark: read("--mark"), rule: read("--rule") };
  patterns = {};
};
export const shadeOf = (value, range) => shades[Math.round(255 * portion(value, range))];
export const ink = (name) => inks[name];

// A repeated pattern of six by six dots.
const TILES = {
  partial: (paint) => { dots(paint, inks.paper, [[0, 0], [1, 1], [3, 3], [4, 4]], 2); },
  zero: (paint) => { ground(paint, inks.paper); paint.fillStyle = inks.quiet; paint.fillRect(0, 3, 6, 1); },
  none: (paint) => { ground(paint, inks.paper); dots(paint, inks.lost, [[0, 5], [1, 4], [2, 3], [3, 2], [4, 1], [5, 0]], 1); },
  nan: (paint) => { ground(paint, inks.lost); dots(paint, inks.paper, [[1, 1], [2, 2], [3, 3], [4, 4], [4, 1], [3, 2], [2, 3], [1, 4]], 1); },
  error: (paint) => { ground(paint, inks.lost); },
  empty: (paint) => { ground(paint, inks.paper); dots(paint, inks.quiet, [[1, 1], [4, 4]], 1); },
};
const ground = (paint, color) => { paint.fillStyle = color; paint.fillRect(0, 0, 6, 6); };
const dots = (paint, color, places, size) => {
  paint.fillStyle = color;
  for (const [x, y] of places) paint.fillRect(x, y, size, size);
};
export const patternOf = (paint, rank) => {
  const name = SEVERITY[rank];
  if (!TILES[name]) return null;
  if (!patterns[name]) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    TILES[name](tile.getContext("2d"));
    patterns[name] = paint.createPattern(tile, "repeat");
  }
  return patterns[name];
};
