// The frame of the page: panes, text size, names, the handout, and their state in an address.

import { count } from "../ground/data.js";
import { named } from "../ground/names.js";
import { setUpChoices } from "./choices.js";
import { setUpHandout } from "./handout.js";
import { setUpLetters } from "./letters.js";
import { setUpSplits } from "./splits.js";
import { setUpPanes } from "./tabs.js";

export const setUpFrame = () => {
  const name = document.querySelector("h1");
  name.replaceWith(named("h1", name.textContent));
  setUpSplits();
  setUpPanes();
  setUpLetters();
  setUpHandout();
  if (count) setUpChoices();
};
