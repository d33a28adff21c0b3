// A wide table scrolls sideways; a reader without a mouse can move the focus to it.
document.addEventListener("DOMContentLoaded", () => {
  const makeReachable = () => { for (const each of document.querySelectorAll(".md-typeset__scrollwrap")) each.tabIndex = 0; };
  makeReachable();
  new MutationObserver(makeReachable).observe(document.body, { childList: true, subtree: true });
});
