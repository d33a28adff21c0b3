// Light and dark. What is painted, and not styled, has to be painted anew for other colours or another size.

export const painters = []; // functions without arguments; main.js lists them

export const paint = () => { for (const each of painters) each(); };

export const switchTheme = () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme === "dark" || root.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  paint();
};
export const setUpPainting = () => {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  addEventListener("resize", paint);
  paint();
};
