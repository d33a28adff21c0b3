// The pictures of the story: their rows and their size, and the cards of a scene. A picture is drawn in one row; here it is broken
// between its columns, so that it fits its pane and its smallest text stays legible.

import { D } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { rowsIn } from "../plain/breaking.js";

const LEAST_TEXT = 12, MOST_SCALE = 1.7; // pixels of the smallest text; the largest scale
const MAP = 270; // pixels that the map of a run keeps
const ROW_NAMES = "abcdefghijklmnopqrstuvwxyz";
const NAMESPACE = "http://www.w3.org/2000/svg";

export const streams = [...document.querySelectorAll(".stream")].map((pane) => {
  const svg = pane.querySelector("svg"), columns = svg.dataset.columns.split(" ").map((each) => each.split(",").map(Number));
  return { pane, svg, columns, isRun: pane.parentNode.id === "river-run", parts: null };
});

const svgOf = (tag, attributes, ...children) => {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};
// The cards, links and frames, with their positions; `copies` are those in further rows; `from` and `to` are the columns that they are in or between.
const placesOf = ({ svg, columns }) => [...svg.querySelector(".all").children].map((node) => {
  const { x, y, width, height } = node.getBBox(), pad = node.matches(".edge") ? 16 : 3;
  const columnAt = (place) => Math.max(0, columns.findLastIndex(([left]) => left <= place));
  return {
    node, copies: [], left: x, right: x + width, top: y - pad, bottom: y + height + pad, isCard: node.matches(".node, .badge"),
    from: columnAt(node.matches(".edge") ? x + 4 : x + width / 2), to: columnAt(node.matches(".edge") ? x + width + 14 : x + width / 2),
  };
});
const isIn = (part, row) => part.isCard ? part.from >= row.first && part.from <= row.last : part.left < row.right - 4 && part.right > row.left + 4;
const boundsOf = (stream, row) => {
  const inside = stream.parts.filter((part) => isIn(part, row));
  return { top: Math.min(...inside.map(({ top }) => top)) - 6, bottom: Math.max(...inside.map(({ bottom }) => bottom)) + 6, inside };
};
// A letter where a row ends, and where the next one begins.
const rowSign = (letter, x, y, words) => svgOf(
  "g", { class: "sign" }, svgOf("title", {}, words), svgOf("circle", { cx: x, cy: y, r: 11 }),
  svgOf("text", { x, y: y + 4.5, "text-anchor": "middle", "font-size": 13 }, letter),
);
const breakRows = (stream, rows, scale) => {
  const { svg } = stream, middle = Number(svg.dataset.middle), used = new Set();
  const wide = Math.max(...rows.map(({ left, right }) => right - left));
  let y = 0;
  for (const part of stream.parts) part.copies = [];
  const drawn = rows.map((row, k) => {
    const { top, bottom, inside } = boundsOf(stream, row), width = row.right - row.left, height = bottom - top;
    const shown = inside.map((part) => {
      if (used.has(part)) part.copies.push(part.node.cloneNode(true));
      used.add(part);
      return part.copies[part.copies.length - 1] ?? part.node;
    });
    const signs = [];
    if (k) signs.push(rowSign(ROW_NAMES[k - 1], row.left + 14, middle, "continues from " + ROW_NAMES[k - 1] + " above"));
    if (k < rows.length - 1) signs.push(rowSign(ROW_NAMES[k], row.right - 14, middle, "continues at " + ROW_NAMES[k] + " below"));
    const part = svgOf("svg", { class: "row", x: 0, y, width, height, viewBox: [row.left, top, width, height].join(" ") }, ...shown, ...signs);
    y += height;
    return part;
  });
  svg.querySelector(".all").replaceChildren(...drawn);
  svg.setAttribute("viewBox", "0 0 " + wide + " " + y);
  svg.style.width = wide * scale + "px";
  svg.style.height = y * scale + "px";
};
// The space below the sentence and the scenes that is free for pictures.
const freeSpace = () => {
  const home = $("rivers").parentNode, box = home.getBoundingClientRect();
  const above = $("rivers").getBoundingClientRect().top - box.top + home.scrollTop;
  const others = $("rivers").offsetHeight - streams.reduce((sum, { pane }) => sum + pane.offsetHeight, 0);
  return home.clientHeight - above - others - (home.id === "run" ? MAP : 10);
};
export const fitRivers = () => {
  if (!streams.length || !streams[0].pane.clientWidth) return;
  for (const stream of streams) stream.parts ??= placesOf(stream);
  const pictures = streams.map((stream) => ({
    columns: stream.columns,
    heightOf: (row) => { const { top, bottom } = boundsOf(stream, row); return bottom - top; },
  }));
  const { rows, scale } = rowsIn(
    pictures, { width: streams[0].pane.clientWidth - 2, height: freeSpace() }, { least: LEAST_TEXT / Number(streams[0].svg.dataset.text), most: MOST_SCALE },
  );
  streams.forEach((stream, k) => breakRows(stream, rows[k], scale));
};
export const lightCards = (k) => {
  const scene = D.story.scenes[k], number = String(k + 1);
  for (const { svg, isRun } of streams) {
    const lit = new Set(scene && isRun ? scene.cards.map((card) => "run-" + card) : []);
    const isTried = scene && scene.kind === "tried";
    svg.classList.toggle("in-scene", scene !== undefined && !(isTried && !isRun));
    svg.dataset.kind = scene ? scene.kind : "";
    for (const node of svg.querySelectorAll("g.node")) node.classList.toggle("lit", lit.has(node.id));
    for (const badge of svg.querySelectorAll(".badge")) badge.classList.toggle("lit", badge.dataset.scene === number);
  }
};
