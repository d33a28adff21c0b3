// A thumbnail of a tensor next to its line, one pixel per cell, which opens the panel.

import { D } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { viewsOf } from "../plain/sheets.js";
import { thinned } from "../plain/thinned.js";
import { forgetColors, paletteNow } from "./colors.js";

const ROWS = 8, COLUMNS = 24, IMAGES = 500;
const IN_MEMORY = { willReadFrequently: true }; // for such a small image, a graphics card is slower

let images = new Map(); // by index in the data
export const repaintThumbs = () => {
  forgetColors();
  images = new Map();
  for (const button of $("facts").querySelectorAll("[data-tensor]")) paintThumb(button.firstChild, Number(button.dataset.tensor));
};

// Whether there is an image of this tensor; it is then on the canvas.
export const paintThumb = (canvas, at) => {
  if (images.size > IMAGES) images = new Map();
  if (!images.has(at)) images.set(at, imageOf(D.tensors[at]));
  const image = images.get(at);
  if (!image) return false;
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d", IN_MEMORY).putImageData(image, 0, 0);
  return true;
};
const imageOf = (tensor) => {
  if (!viewsOf(tensor).length || tensor.dtype === "string") return null;
  const { rows, columns, values } = thinned(tensor, ROWS, COLUMNS);
  if (!rows || !columns) return null;
  const image = new ImageData(columns, rows), colors = paletteNow();
  const scale = values.reduce((most, value) => Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most, 0) || 1;
  values.forEach((value, k) => image.data.set([...colors.rgb(value, scale), 255], 4 * k));
  return image;
};
