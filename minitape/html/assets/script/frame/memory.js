// The reader's settings, stored by the browser if it allows this, which it may not for a frame in a notebook.

const NAME = "minitape.frame";

const allKept = () => {
  try { return Object(JSON.parse(localStorage.getItem(NAME))); } catch { return {}; }
};
export const recalled = (name) => allKept()[name];
export const memorize = (name, value) => {
  try { localStorage.setItem(NAME, JSON.stringify({ ...allKept(), [name]: value })); } catch { /* then it is not kept */ }
};
