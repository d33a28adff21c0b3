// The page's elements: finds, creates and scrolls to them.

export const $ = (id) => document.getElementById(id);

export const el = (tag, text, cls) => {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (cls) node.className = cls;
  return node;
};
// Replace the text of an existing text node: a new text node would be garbage at the next step.
export const say = (node, text) => {
  if (!node.firstChild) node.textContent = text;
  else if (node.firstChild.data !== text) node.firstChild.data = text;
};
export const reveal = (pane, item) => {
  const a = pane.getBoundingClientRect(), b = item.getBoundingClientRect();
  if (b.top < a.top + 24 || b.bottom > a.bottom - 24) pane.scrollTop += b.top - a.top - a.height / 2;
};
