// The statistics of a tensor; the smallest and the largest element are links to their positions.

import { el } from "../ground/elements.js";
import { placeOfExtreme } from "../plain/extremes.js";
import { short } from "../plain/numbers.js";
import { indexIn } from "../plain/shapes.js";

const STATISTICS = ["min", "max", "mean", "std", "l2", "zeros", "nan", "inf"];

// `goTo` is called with the flat index.
export const statistics = (tensor, goTo) => {
  const known = tensor.dtype === "string" ? [] : STATISTICS.filter((key) => tensor[key] !== undefined && tensor[key] !== null);
  const line = el("p", undefined, "statistics");
  known.forEach((key, k) => line.append(k ? " · " : "", statistic(tensor, key, goTo)));
  return line;
};
const statistic = (tensor, key, goTo) => {
  const text = key + " " + short(tensor[key]), place = ["min", "max"].includes(key) ? placeOfExtreme(tensor, key) : null;
  if (place === null) return text;
  const button = el("button", text + " at [" + indexIn(tensor.shape, place).join(",") + "]", "on");
  button.type = "button";
  button.title = "go to this element";
  button.addEventListener("click", () => goTo(place));
  return button;
};
