// The data from Python: columns over the steps, and the tables that they index (html/data/).

import { dataIn } from "../plain/packed.js";

const given = dataIn(document.getElementById("data").textContent);
export const D = given instanceof Promise ? await given : given; // immediately, unless the data is compressed
export const T = D.texts;
export const count = D.what.length;
export const TONES = ["op", "event", "muted", "gradient", "lost"];
export const calls = new Map(D.calls.map((call) => [call.call, call]));
