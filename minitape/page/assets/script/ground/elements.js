// The page's elements: found, made, brought into sight.

export const $ = (id) => document.getElementById(id);

export const el = (tag, text, cls) => {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (cls) node.className = cls;
  return node;
};
// Words in the place of others, in the text that is there: a new one would be garbage at the next step.
export const say = (node, text) => {
  if (!node.firstChild) node.textContent = text;
  else if (node.firstChild.data !== text) node.firstChild.data = text;
};
export const reveal = (pane, item) => {
  const a = pane.getBoundingClientRect(), b = item.getBoundingClientRect();
  if (b.top < a.top + 24 || b.bottom > a.bottom - 24) pane.scrollTop += b.top - a.top - a.height / 2;
};
