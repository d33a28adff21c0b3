// The data from Python: columns over the steps, and the tables that they index (html/data/).

export const D = JSON.parse(document.getElementById("data").textContent);
export const T = D.texts;
export const count = D.what.length;
export const TONES = ["op", "event", "muted", "gradient", "lost"];
export const calls = new Map(D.calls.map((call) => [call.call, call]));
