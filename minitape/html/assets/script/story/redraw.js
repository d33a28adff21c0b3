// Changes a picture of the story in place: the widths of its bands and its numbers.

export const retext = (node, text) => {
  if (!node || node.textContent === text) return;
  // A text is drawn with an explicit length, so that it fits its card with any font; digits have the same width.
  node.dataset.letter ??= Number(node.getAttribute("textLength")) / node.textContent.length;
  node.setAttribute("textLength", Number(node.dataset.letter) * text.length);
  node.textContent = text;
};
// The head of a band: its tip stays, its corners follow the width.
const widen = (head, width) => {
  const [tip, one, two] = head.getAttribute("points").split(" ").map((point) => point.split(",").map(Number));
  const back = [(one[0] + two[0]) / 2, (one[1] + two[1]) / 2], reach = Math.hypot(tip[0] - back[0], tip[1] - back[1]) || 1;
  const half = width ? width / 2 + 5 : 0, across = [(tip[1] - back[1]) / reach * half, (back[0] - tip[0]) / reach * half];
  const corners = [tip, [back[0] + across[0], back[1] + across[1]], [back[0] - across[0], back[1] - across[1]]];
  head.setAttribute("points", corners.map((corner) => corner.join(",")).join(" "));
};
// A link with a different width and norm; where a picture is broken, it is in both rows.
export const showLink = (svg, number, amount) => {
  for (const node of svg.querySelectorAll('[data-link="' + number + '"]')) showBand(node, amount);
};
const showBand = (node, [width, text]) => {
  const band = node.querySelector("path.gradient"), head = node.querySelector("polygon.gradient");
  if (!band || !head) return;
  band.dataset.drawn ??= band.getAttribute("stroke-width");
  band.setAttribute("stroke-width", width);
  widen(head, width);
  const words = node.querySelector("text.gradient");
  if (!words) return;
  words.dataset.drawn ??= words.getAttribute("y");
  words.setAttribute("y", Number(words.dataset.drawn) + (width - Number(band.dataset.drawn)) / 2);
  retext(words, text);
};
