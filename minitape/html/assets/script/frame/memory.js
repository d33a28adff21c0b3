// The reader's settings, stored by the browser if it allows that: a frame in a notebook may not.

const NAME = "minitape.frame";

const allKept = () => {
  try { return Object(JSON.parse(localStorage.getItem(NAME))); } catch { return {}; }
};
export const recalled = (name) => allKept()[name];
export const memorize = (name, value) => {
  try { localStorage.setItem(NAME, JSON.stringify({ ...allKept(), [name]: value })); } catch { /* then it is not kept */ }
};
