// The share of a room, in percent, that a pane has; a split is what lies between it and the rest.

// The nearest share that a split allows; so little that nothing could be read is none at all.
export const allowed = (share, { least, most }) => {
  if (share < least / 2) return 0;
  return Math.round(10 * Math.max(least, Math.min(most, share))) / 10;
};
// The share of a pane whose edge is at a place in the room. A pane at the end of its room grows towards the beginning.
export const shareAt = (at, room, isAtEnd) => {
  const share = 100 * (at - room.from) / (room.to - room.from);
  return isAtEnd ? 100 - share : share;
};
// What a key makes of a share; undefined where it means nothing here. Enter closes a pane, and opens it as it is by itself.
export const shareBy = (key, isLarge, share, split) => {
  const [smaller, larger] = split.isDown ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  const by = (isLarge ? 10 : 2) * (split.isAtEnd ? -1 : 1);
  if (key === smaller || key === larger) {
    const grown = Math.max(share, split.least) + (key === larger ? by : -by);
    return allowed(Math.max(split.least, grown), split);
  }
  return { Home: split.least, End: split.most, Enter: share ? 0 : split.usual }[key];
};
