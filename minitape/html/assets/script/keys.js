// The action of each key, and the buttons that do the same.

import { larger, smaller, switchWrap, usualSize } from "./frame/letters.js";
import { D, count } from "./ground/data.js";
import { $ } from "./ground/elements.js";
import { go, jump } from "./ground/going.js";
import { state } from "./ground/state.js";
import { closeDetail } from "./now/detail.js";
import { whereFrom } from "./now/terms.js";
import { current } from "./picture/figures.js";
import { fitOrFollow } from "./picture/zoom.js";
import { after, before } from "./plain/lists.js";
import { nextChange, nextRound } from "./run/moves.js";
import { endComparing, leaveTo, switchRun } from "./run/pane.js";
import { startPresenting, storyKey, switchStory } from "./story/story.js";
import { switchTheme } from "./theme.js";

// Go to one of these steps, and close the overview.
const goOn = (which, steps) => { if (steps.length) leaveTo(which(steps, state.now)); };

const KEYS = {
  ArrowRight: (shift) => shift ? jump(D.moves.again[1][state.now]) : go(state.now + 1),
  ArrowLeft: (shift) => shift ? jump(D.moves.again[0][state.now]) : go(state.now - 1),
  ArrowDown: () => jump(D.moves.op[1][state.now]),
  ArrowUp: () => jump(D.moves.op[0][state.now]),
  Home: () => jump(0),
  End: () => jump(count - 1),
  f: () => jump(0),
  b: () => goOn(after, D.moves.backward),
  n: () => goOn(after, D.moves.problems),
  N: () => goOn(before, D.moves.problems),
  r: () => nextRound(after),
  R: () => nextRound(before),
  c: nextChange,
  m: switchRun,
  s: () => { if ($("story")) switchStory(); },
  p: () => { if ($("story")) startPresenting(); },
  g: () => whereFrom(current() || ""),
  t: switchTheme,
  w: switchWrap,
  "+": larger,
  "=": larger,
  "-": smaller,
  0: usualSize,
  " ": fitOrFollow,
  "/": () => { $("query").focus(); $("query").select(); },
  "?": () => $("keys").showModal(),
  Escape: () => { closeDetail(); endComparing(); document.activeElement.blur(); },
};
const actInStory = ({ key, shiftKey }) => state.atStory && !(shiftKey && !state.slide) && storyKey(key);
// A key with a meaning in the focused element is left to it.
const isTaken = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open) return true;
  const isTyping = event.target.matches("input:not([type=range]), select, textarea");
  if (isTyping && event.key !== "Escape") return true;
  const isSliding = event.target.matches("input[type=range]:not(#slider)") && /^(Arrow|Home|End|Page)/.test(event.key);
  if (isSliding) return true;
  return event.target.matches("button, summary, a") && (event.key === " " || event.key === "Enter");
};
const setUpButtons = () => {
  $("slider").max = Math.max(0, count - 1);
  $("slider").addEventListener("input", () => go(Number($("slider").value)));
  $("back").addEventListener("click", () => go(state.now - 1));
  $("step").addEventListener("click", () => go(state.now + 1));
  $("to-backward").addEventListener("click", KEYS.b);
  $("to-problem").addEventListener("click", KEYS.n);
  $("to-problem").disabled = !D.moves.problems.length;
  $("to-backward").disabled = !D.moves.backward.length;
  $("theme").addEventListener("click", switchTheme);
  $("help").addEventListener("click", KEYS["?"]);
};
export const setUpKeys = () => {
  setUpButtons();
  addEventListener("keydown", (event) => {
    const act = actInStory(event) || KEYS[event.key];
    if (!act || isTaken(event)) return;
    event.preventDefault();
    act(event.shiftKey);
  });
};
