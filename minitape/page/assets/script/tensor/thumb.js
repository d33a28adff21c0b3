// A tensor beside its line: a small picture, one pixel a cell, which opens the panel.

import { D } from "../ground/data.js";
import { $, el } from "../ground/elements.js";
import { cut } from "../plain/shapes.js";
import { sheetOf, viewsOf } from "../plain/sheets.js";
import { forgetColors, paletteNow } from "./colors.js";

const ROWS = 8, COLUMNS = 24, IMAGES = 500;

let images = new Map(); // by position in the data
export const repaintThumbs = () => {
  forgetColors();
  images = new Map();
  for (const button of $("facts").querySelectorAll("[data-tensor]")) button.firstChild.replaceWith(thumb(Number(button.dataset.tensor)));
};

export const thumb = (at) => {
  const canvas = el("canvas", undefined, "thumb");
  if (images.size > IMAGES) images = new Map();
  if (!images.has(at)) images.set(at, imageOf(D.tensors[at]));
  const image = images.get(at);
  if (!image) return null;
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
};
// Thinned out: every so many rows and columns, for it shows no more than that there is something.
const imageOf = (tensor) => {
  const [view] = viewsOf(tensor);
  if (!view || tensor.dtype === "string") return null;
  const { rows, columns, values } = sheetOf(tensor, view, tensor.shape.slice(0, -2).map(() => 0), true);
  if (!rows || !columns) return null;
  const down = Math.min(ROWS, rows), across = Math.min(COLUMNS, columns), image = new ImageData(across, down);
  const colors = paletteNow(), scale = values.reduce((most, value) => Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most, 0) || 1;
  for (let k = 0; k < down * across; k++) {
    const i = cut(Math.floor(k / across), rows, down), j = cut(k % across, columns, across);
    image.data.set([...colors.rgb(values[i * columns + j], scale), 255], 4 * k);
  }
  return image;
};
