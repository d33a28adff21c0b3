// The size of a pane as a percentage of its container; a split is the bar between it and the rest.

// The nearest size that a split allows; 0 if it is too small to read anything.
export const allowed = (share, { least, most }) => {
  if (share < least / 2) return 0;
  return Math.round(10 * Math.max(least, Math.min(most, share))) / 10;
};
// The size of a pane whose edge is at a position in the container. A pane at the end of its container grows towards the start.
export const shareAt = (at, room, isAtEnd) => {
  const share = 100 * (at - room.from) / (room.to - room.from);
  return isAtEnd ? 100 - share : share;
};
// The size after a key; undefined for other keys. Enter closes a pane, and opens it at its default size.
export const shareBy = (key, isLarge, share, split) => {
  const [smaller, larger] = split.isDown ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  const by = (isLarge ? 10 : 2) * (split.isAtEnd ? -1 : 1);
  if (key === smaller || key === larger) {
    const grown = Math.max(share, split.least) + (key === larger ? by : -by);
    return allowed(Math.max(split.least, grown), split);
  }
  return { Home: split.least, End: split.most, Enter: share ? 0 : split.usual }[key];
};
