// The page's elements: found, made, brought into sight.

export const $ = (id) => document.getElementById(id);

export const el = (tag, text, cls) => {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (cls) node.className = cls;
  return node;
};
export const reveal = (pane, item) => {
  const a = pane.getBoundingClientRect(), b = item.getBoundingClientRect();
  if (b.top < a.top + 24 || b.bottom > a.bottom - 24) pane.scrollTop += b.top - a.top - a.height / 2;
};
