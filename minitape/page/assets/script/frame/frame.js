// The frame around what is shown: panes, letters, names, the handout, and what of it an address keeps.

import { calls } from "../ground/data.js";
import { $ } from "../ground/elements.js";
import { addressed } from "../ground/going.js";
import { named } from "../ground/names.js";
import { state } from "../ground/state.js";
import { showPicture } from "../picture/showing.js";
import { pointAtNamed } from "../source.js";
import { showAnswer, tellCode } from "./answer.js";
import { setUpHandout } from "./handout.js";
import { setUpLetters } from "./letters.js";
import { setUpSplits } from "./splits.js";
import { paneNamed, seePane, setUpPanes } from "./tabs.js";

const setUpAddress = () => {
  addressed.push(
    { name: "pane", get: paneNamed, set: seePane },
    { name: "tape", get: () => state.pinned === null ? "" : String(state.pinned), set: pinTape },
    { name: "code", get: () => state.code, set: tellCode },
    { name: "line", get: () => state.line, set: pointAtNamed },
  );
};
// The tape whose picture stays, by the call that asked it.
const pinTape = (text) => {
  const pinned = calls.has(Number(text)) ? Number(text) : null;
  if (pinned === state.pinned) return;
  state.pinned = pinned;
  $("tapes").value = pinned ?? "";
  showPicture(state.now);
  showAnswer(state.now);
};
export const setUpFrame = () => {
  const name = document.querySelector("h1");
  name.replaceWith(named("h1", name.textContent));
  setUpSplits();
  setUpPanes();
  setUpLetters();
  setUpHandout();
  setUpAddress();
};
