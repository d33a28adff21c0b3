// The rows of a node: their text, cut to the available width, and the cells of their strip.

import { T } from "../ground/data.js";
import { say } from "../ground/elements.js";
import { colored } from "../plain/numbers.js";

const IS_ZERO = /^(?:-?0(?:\.0*)?|all [\d,]+ are 0\.0)$/; // a gradient of zeros

// The text of a row from a step on.
export const write = (card, row, [, label, cells]) => {
  const text = typeof label === "number" ? T[label] : label;
  if (row.text.textContent !== text) {
    say(row.text, text);
    row.text.classList.toggle("none", text === "None");
    row.text.classList.toggle("zero", row === card.texts.grad && IS_ZERO.test(text));
    const room = roomOf(card, row);
    if (room > 0 && ruler.measureText(text).width > room) {
      row.text.setAttribute("textLength", room);
      row.text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    } else row.text.removeAttribute("textLength");
  }
  if (card.isRolled || row.shown === cells || !stripOf(card, row).length) return;
  row.shown = cells;
  stripOf(card, row).forEach((cell, k) => {
    const depth = cells && cells.length === row.cells.length ? cells[k] : 0;
    const hue = depth === null ? "var(--none)" : row === card.texts.grad ? "var(--backward)" : depth < 0 ? "var(--minus)" : "var(--plus)";
    cell.style.fill = colored(hue, depth === null ? 100 : Math.abs(depth));
  });
};
// Measured on a canvas, in the units of the picture: measuring the picture itself would cause a new layout.
const ruler = document.createElement("canvas").getContext("2d");
ruler.font = "10px Helvetica, Arial, sans-serif";

const boxOf = (shape) => {
  const box = shape.getBBox();
  return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height };
};
// The small shapes next to a row's text, from left to right.
const stripOf = (card, row) => {
  if (row.cells) return row.cells;
  if (!row.text.getBBox().width) return []; // the row is not laid out yet
  const text = boxOf(row.text), middle = (text.top + text.bottom) / 2;
  const shapes = [...card.group.querySelectorAll("polygon, rect")].map((shape) => ({ shape, ...boxOf(shape) }));
  const isCell = (box) => box.top < middle && box.bottom > middle && box.left > text.left && box.right - box.left < 14;
  const cells = new Map(shapes.filter(isCell).map((box) => [Math.round(box.left * 4), box])); // if there are several at one position, the last one is on top
  row.cells = [...cells.values()].sort((a, b) => a.left - b.left).map((box) => box.shape);
  row.start = text.left;
  row.end = row.cells.length ? boxOf(row.cells[0]).left : Math.max(...shapes.map((box) => box.right));
  return row.cells;
};
const roomOf = (card, row) => {
  stripOf(card, row);
  return row.cells ? row.end - row.start - 4 : 0;
};
