// The address of a page: #17 for its step, and the reader's notes behind it.

// The step and the notes that an address names; notes are undefined where it has none.
export const fromHash = (hash, count, start) => {
  const [, step, kept] = /^#(\d+)(?:&notes=(.*))?$/.exec(hash) || [];
  return {
    step: step === undefined ? start : Math.max(0, Math.min(Number(step), count) - 1),
    notes: kept ? notesIn(kept) : undefined,
  };
};
const notesIn = (kept) => {
  try { return Object(JSON.parse(decodeURIComponent(kept))); } catch { return {}; }
};
export const toHash = (step, notes) => {
  const kept = Object.keys(notes).length ? "&notes=" + encodeURIComponent(JSON.stringify(notes)) : "";
  return "#" + (step + 1) + kept;
};
