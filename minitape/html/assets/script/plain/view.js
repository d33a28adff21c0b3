// The position of a picture in its pane: an offset by x and y, and a scale.

// Scaled to fit, but at least so that all text is legible, at scale `least`, unless the whole is requested: a tall picture starts
// at its top and follows the steps.
export const fitted = (pane, size, isWhole, least = 1) => {
  const whole = Math.min(Math.max(1.35, least), (pane.width - 24) / size.width, (pane.height - 24) / size.height);
  const scale = isWhole ? Math.max(.05, whole) : Math.max(least, whole);
  const tooTall = size.height * scale > pane.height, tooWide = size.width * scale > pane.width;
  return {
    scale,
    x: tooWide ? 12 : (pane.width - size.width * scale) / 2,
    y: tooTall ? 12 : (pane.height - size.height * scale) / 2,
  };
};
// The point at x and y does not move.
export const zoomed = (view, factor, x, y) => {
  const scale = Math.max(.08, Math.min(4, view.scale * factor));
  return { ...view, scale, x: x - (x - view.x) * scale / view.scale, y: y - (y - view.y) * scale / view.scale };
};
// Moved just far enough that a box is visible, and not beyond the picture; the same view if it is already visible.
export const broughtIn = (view, pane, box, size) => {
  const dx = box.left < pane.left ? pane.left - box.left + 24 : box.right > pane.right ? pane.right - box.right - 24 : 0;
  const dy = box.top < pane.top + 30 ? pane.top - box.top + pane.height / 3
    : box.bottom > pane.bottom ? pane.bottom - box.bottom - pane.height / 3 : 0;
  if (!dx && !dy) return view;
  return {
    ...view,
    x: within(view.x + dx, pane.width, size.width * view.scale),
    y: within(view.y + dy, pane.height, size.height * view.scale),
  };
};
const within = (at, room, length) => length > room - 24 ? Math.min(12, Math.max(room - 12 - length, at)) : at;
