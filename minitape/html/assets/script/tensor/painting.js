// A sheet on a canvas: cells, bars or pixels, of which only the visible ones are painted.

import { short } from "../plain/numbers.js";

const LEAST = 4, MOST = 64, TALL = 22, BAR = 96, LETTER = 6.2; // pixels, for text of the default size

// The size of a cell, and of all of them: as large as space permits, and wider than high if there are many rows.
export const sizesOf = (sheet, room, zoom, unit) => {
  const tall = zoom * room.height / sheet.rows;
  const isBar = sheet.kind === "bars" || sheet.kind === "counts";
  const most = unit * (sheet.kind === "cells" ? 52 : 32), least = sheet.kind === "pixels" ? 2 : LEAST;
  const w = Math.max(least, Math.min(MOST * unit, Math.floor(zoom * Math.max(least, Math.min(most, Math.floor(room.width / sheet.columns))))));
  const h = isBar ? BAR : sheet.kind === "pixels" ? w : Math.max(LEAST, Math.min(w, TALL * unit, Math.floor(tall)));
  return { w, h, width: w * sheet.columns, height: h * sheet.rows };
};

// `seen` is the visible part of the sheet: left, top, width, height.
export const paintSheet = (paint, sheet, sizes, seen, look) => {
  const { w, h } = sizes, one = PAINTERS[sheet.kind](paint, sheet, sizes, look);
  paint.fillStyle = look.colors.paper;
  paint.fillRect(0, 0, seen.width, seen.height);
  const last = { row: Math.min(sheet.rows, Math.ceil((seen.top + seen.height) / h)), column: Math.min(sheet.columns, Math.ceil((seen.left + seen.width) / w)) };
  for (let i = Math.floor(seen.top / h); i < last.row; i++) {
    for (let j = Math.floor(seen.left / w); j < last.column; j++) one(i * sheet.columns + j, j * w - seen.left, i * h - seen.top);
  }
  for (const k of [look.cursor, sheet.marks?.least, sheet.marks?.most]) {
    if (k === undefined || k < 0) continue;
    const x = k % sheet.columns * w - seen.left, y = Math.floor(k / sheet.columns) * h - seen.top;
    if (k === look.cursor) outline(paint, x, y, sizes, look.colors.ink);
    if (k === sheet.marks?.most) corner(paint, x, y, sizes, look.colors.ink, true);
    if (k === sheet.marks?.least) corner(paint, x, y, sizes, look.colors.ink, false);
  }
};
const outline = (paint, x, y, { w, h }, ink) => {
  paint.lineWidth = 2;
  paint.strokeStyle = ink;
  paint.strokeRect(x, y, w - 1, h - 1);
};
// The largest element has a filled corner at the top, the smallest at the bottom.
const corner = (paint, x, y, { w, h }, ink, isTop) => {
  const size = Math.max(4, Math.min(w, h) / 2), from = isTop ? y : y + h - 1, to = isTop ? size : -size;
  paint.fillStyle = ink;
  paint.beginPath();
  paint.moveTo(x + w - 1, from);
  paint.lineTo(x + w - 1 - size, from);
  paint.lineTo(x + w - 1, from + to);
  paint.fill();
};

// --- one cell ---

const cells = (paint, sheet, { w, h }, { colors, scale, unit }) => {
  const gap = w >= 6 ? 1 : 0, middle = h / 2, letters = Math.floor((w - 4) / (LETTER * unit));
  paint.font = 11 * unit + "px ui-monospace, Menlo, Consolas, monospace";
  paint.textAlign = "center";
  paint.textBaseline = "middle";
  return (k, x, y) => {
    const value = sheet.values[k];
    if (!sheet.isText) {
      paint.fillStyle = colors.fill(value, scale);
      paint.fillRect(x, y, w - gap, h - gap);
    }
    const text = h >= 14 * unit && letters >= 3 ? sheet.brief ? sheet.brief(k).slice(0, letters) : fitting(value, letters) : null;
    if (text === null) return sign(paint, value, x, y, w - gap, h - gap, colors);
    paint.fillStyle = Number.isFinite(value) ? colors.ink : colors.paper;
    paint.fillText(text, x + w / 2, y + middle);
  };
};
// As many digits as fit; null if not even one does.
const fitting = (value, letters) => {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const texts = [short(value), String(Number(value.toPrecision(3))), String(Number(value.toPrecision(2))), value.toExponential(0)];
  return texts.find((text) => text.length <= letters) ?? null;
};
// A second indication besides the color: a dash for minus, a dot for zero, a cross for nan, a vertical line for infinite.
const sign = (paint, value, x, y, w, h, colors) => {
  if (value > 0 && value < Infinity) return;
  const isSmall = Math.min(w, h) < 12, thick = isSmall ? 1 : 2, reach = Math.max(1, Math.floor(w / 4)), cx = Math.floor(x + w / 2), cy = Math.floor(y + h / 2);
  paint.globalAlpha = value < 0 && isSmall ? .6 : 1; // in small cells the dashes would hide the colors
  paint.fillStyle = paint.strokeStyle = Number.isFinite(value) ? value ? colors.ink : colors.quiet : colors.paper;
  if (value === 0) paint.fillRect(cx, cy, thick, thick);
  else if (Number.isNaN(value)) cross(paint, x + 1, y + 1, w - 2, h - 2);
  else {
    if (value < 0) paint.fillRect(cx - reach, cy, 2 * reach, thick);
    if (!Number.isFinite(value)) paint.fillRect(cx, y + 1, thick, h - 2);
  }
  paint.globalAlpha = 1;
};
const cross = (paint, x, y, w, h) => {
  paint.lineWidth = 1;
  paint.beginPath();
  paint.moveTo(x, y); paint.lineTo(x + w, y + h);
  paint.moveTo(x, y + h); paint.lineTo(x + w, y);
  paint.stroke();
};

// Up or down from the line; a bar without a height is drawn over the full height.
const bars = (paint, sheet, { w }, { colors, scale }) => {
  const hasBelow = sheet.values.some((value) => value < 0), hasAbove = sheet.values.some((value) => value > 0);
  const room = BAR - 8, line = 4 + room * (hasBelow ? hasAbove ? .5 : 0 : 1), reach = hasBelow && hasAbove ? room / 2 : room;
  const gap = w >= 6 ? 1 : 0;
  return (k, x, y) => {
    const value = sheet.values[k], height = Math.max(1, Math.abs(value) / scale * reach);
    paint.fillStyle = colors.rule;
    paint.fillRect(x, y + line, w, 1);
    paint.fillStyle = colors.fill(Number.isFinite(value) ? Math.sign(value) : value, 1);
    if (!Number.isFinite(value)) {
      paint.fillRect(x, y + 4, w - gap, room);
      sign(paint, value, x, y + 4, w - gap, room, colors);
    } else if (value) paint.fillRect(x, y + line - (value > 0 ? height : 0), w - gap, height);
    else sign(paint, value, x, y + line - 2, w - gap, 2, colors);
  };
};
const counts = (paint, sheet, { w }, { colors }) => {
  const most = Math.max(...sheet.values);
  return (k, x, y) => {
    const height = sheet.values[k] ? Math.max(2, sheet.values[k] / most * (BAR - 8)) : 0;
    paint.fillStyle = colors.rule;
    paint.fillRect(x, y + BAR - 4, w, 1);
    paint.fillStyle = colors.fill(sheet.signs[k], 1);
    paint.fillRect(x, y + BAR - 4 - height, w - 1, height);
    if (sheet.signs[k] < 0 && height > 6) sign(paint, -1, x, y + BAR - 4 - height, w - 1, height, colors);
  };
};
const pixels = (paint, sheet, { w, h }, { colors }) => (k, x, y) => {
  const parts = sheet.values.subarray(k * sheet.channels, (k + 1) * sheet.channels);
  const [red, green = red, blue = red] = Array.from(parts, sheet.level);
  paint.fillStyle = parts.every(Number.isFinite) ? "rgb(" + red + " " + green + " " + blue + ")" : colors.none;
  paint.fillRect(x, y, w, h);
};
const PAINTERS = { cells, bars, counts, pixels };
