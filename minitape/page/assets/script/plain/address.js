// The address of a page: #17 for its step, #17&run for the run with this step in it, and the reader's notes behind it.

// What an address names; `step` is undefined where it is none, and `notes` where it has none.
export const fromHash = (hash, count) => {
  const [, step, run, kept] = /^#(\d+)(&run)?(?:&notes=(.*))?$/.exec(hash) || [];
  return {
    step: step === undefined ? undefined : Math.max(0, Math.min(Number(step), count) - 1),
    atRun: run !== undefined,
    notes: kept ? notesIn(kept) : undefined,
  };
};
const notesIn = (kept) => {
  try { return Object(JSON.parse(decodeURIComponent(kept))); } catch { return {}; }
};
export const toHash = (step, atRun, notes) => {
  const kept = Object.keys(notes).length ? "&notes=" + encodeURIComponent(JSON.stringify(notes)) : "";
  return "#" + (step + 1) + (atRun ? "&run" : "") + kept;
};
