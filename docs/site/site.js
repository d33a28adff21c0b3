// A wide table scrolls sideways; a reader without a mouse can move the focus to it.
document.addEventListener("DOMContentLoaded", () => {
  const name = () => { for (const each of document.querySelectorAll(".md-typeset__scrollwrap")) each.tabIndex = 0; };
  name();
  new MutationObserver(name).observe(document.body, { childList: true, subtree: true });
});
