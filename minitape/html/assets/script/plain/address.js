// The address of a page: #17 for its step; then other choices, &card=op-3, and the reader's notes. #story is the story, #scene=2 a
// scene of it, #present=3 a slide of it; &iteration=12 is the iteration of its picture.

const CHOICE = "(?:&[a-z]+=[^&]*)*?";
const partsOf = (hash) => new RegExp("^#(\\d+)(" + CHOICE + ")(?:&notes=(.*))?$").exec(hash) || [];

// The step and the notes in an address; notes are undefined if it has none. `names` are the names of the other choices;
// an address with an unknown name is ignored.
export const fromHash = (hash, count, start, names = []) => {
  const [, step, , kept] = partsOf(hash), isOurs = Object.keys(chosenIn(hash)).every((name) => names.includes(name));
  return {
    step: step === undefined || !isOurs ? start : Math.max(0, Math.min(Number(step), count) - 1),
    notes: kept && isOurs ? notesIn(kept) : undefined,
  };
};
// The other choices in an address, by name.
export const chosenIn = (hash) => {
  const [, , chosen = ""] = partsOf(hash);
  return Object.fromEntries(chosen.split("&").slice(1).map(pairOf));
};
const pairOf = (text) => {
  const [name, value] = text.split("=");
  try { return [name, decodeURIComponent(value)]; } catch { return [name, ""]; }
};
const notesIn = (kept) => {
  try { return Object(JSON.parse(decodeURIComponent(kept))); } catch { return {}; }
};
export const toHash = (step, notes, chosen = {}) => {
  const named = Object.entries(chosen).filter(([, value]) => value !== "");
  const kept = Object.keys(notes).length ? "&notes=" + encodeURIComponent(JSON.stringify(notes)) : "";
  return "#" + (step + 1) + named.map(([name, value]) => "&" + name + "=" + encodeURIComponent(value)).join("") + kept;
};

// The story in an address: the scene (0 for the whole story), the slide while it is presented, and the iteration; null for a step.
// `isDefault` is whether an address without a step is the story.
export const fromStoryHash = (hash, isDefault) => {
  const story = /^#(?:story|scene=(\d+)|present=(\d+))(?:&iteration=(\d+))?$/.exec(hash);
  if (story) return { scene: Number(story[1] || 0), slide: Number(story[2] || 0), iteration: Number(story[3] || 0) };
  return isDefault && !/^#\d/.test(hash) ? { scene: 0, slide: 0, iteration: 0 } : null;
};
export const toStoryHash = ({ scene, slide, iteration }) => {
  const place = slide ? "#present=" + slide : scene ? "#scene=" + scene : "#story";
  return iteration ? place + "&iteration=" + iteration : place;
};
