// Splits texts: references to lines and codes, and names that are too long.

const LINES = /\blines? \d+(?:(?:, | and )\d+)*(?: of [^\s,;:]+\.\w+)?|\bMT\d{3}\b|`[^`]+`/g;

// A text in pieces that together are the same text, except for the marks around code. A piece has `line` (and `file`, if it is
// named), `code`, or `isCode`, or is plain.
export const pieces = (text) => {
  const found = [];
  let at = 0;
  for (const match of text.matchAll(LINES)) {
    found.push({ text: text.slice(at, match.index) }, ...piecesOf(match[0]));
    at = match.index + match[0].length;
  }
  return [...found, { text: text.slice(at) }].filter((piece) => piece.text);
};
const piecesOf = (words) => {
  if (words.startsWith("`")) return [{ text: words.slice(1, -1), isCode: true }];
  if (words.startsWith("MT")) return [{ text: words, code: words }];
  const [lines, file] = words.split(" of "), numbers = [...lines.matchAll(/(?:^lines? )?\d+/g)];
  const found = [];
  let at = 0;
  for (const number of numbers) {
    found.push({ text: lines.slice(at, number.index) }, { text: number[0], line: Number(/\d+/.exec(number[0])[0]), file });
    at = number.index + number[0].length;
  }
  return [...found, { text: file === undefined ? "" : " of " + file }];
};
// A name in two parts, of which the second is kept if there is not enough space: names differ at their ends.
export const parted = (name) => {
  const letters = [...name], kept = Math.min(12, Math.floor(letters.length / 2));
  return letters.length < 16 ? [name, ""] : [letters.slice(0, -kept).join(""), letters.slice(-kept).join("")];
};
// A name of at most this many characters, shortened in the middle.
export const shortened = (name, most) => {
  const letters = [...name];
  if (letters.length <= most) return name;
  const tail = Math.floor((most - 1) / 2);
  return letters.slice(0, most - 1 - tail).join("") + "…" + letters.slice(-tail).join("");
};
