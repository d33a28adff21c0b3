// Light and dark. Everything that is painted, and not styled, must be painted again for a new theme or size.

import { memorize, recalled } from "./frame/memory.js";

export const painters = []; // functions without arguments; main.js lists them

export const paint = () => { for (const each of painters) each(); };

export const switchTheme = () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme === "dark" || root.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  memorize("theme", root.dataset.theme);
  paint();
};
// A page that was created as light or dark keeps its theme, regardless of the reader's choice on another page.
export const setUpTheme = () => {
  const root = document.documentElement, kept = recalled("theme");
  if (root.dataset.theme === "auto" && ["light", "dark"].includes(kept)) root.dataset.theme = kept;
};
export const setUpPainting = () => {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  addEventListener("resize", paint);
  // Some browsers report the end of printing while the page is still laid out for paper.
  matchMedia("print").addEventListener("change", ({ matches }) => { if (!matches) paint(); });
  paint();
};
