// The page's colors for a canvas: mixed with its background, from pale to full.

const LEVELS = 32;
const FULL = .8; // so that text on it is legible

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const mixed = (paper, hue, depth) => paper.map((part, i) => Math.round(part + (hue[i] - part) * depth));
const asText = (color) => "rgb(" + color.join(" ") + ")";

// The current colors. They change with the theme; reading them from the page at each step would be too slow.
let palette = null;
export const forgetColors = () => { palette = null; };
export const paletteNow = () => palette ??= made();

const made = () => {
  const style = getComputedStyle(document.documentElement), named = (name) => channels(style.getPropertyValue("--" + name).trim());
  const paper = named("paper"), steps = Array.from({ length: LEVELS + 1 }, (_, i) => i / LEVELS * FULL);
  const hues = [steps.map((depth) => mixed(paper, named("plus"), depth)), steps.map((depth) => mixed(paper, named("minus"), depth))];
  const plain = Object.fromEntries(["paper", "ink", "quiet", "none", "mark", "rule"].map((name) => [name, asText(named(name))]));
  const texts = hues.map((levels) => levels.map(asText));
  const level = (value, scale) => Math.min(LEVELS, Math.ceil(LEVELS * Math.abs(value) / scale));
  return {
    ...plain,
    rgb: (value, scale) => Number.isFinite(value) ? hues[value < 0 ? 1 : 0][level(value, scale)] : named("none"),
    fill: (value, scale) => Number.isFinite(value) ? texts[value < 0 ? 1 : 0][level(value, scale)] : plain.none,
  };
};
