// Reads the data of pages, asks for the origin of each of their numbers, and says where the terms do not come to the number.

import { readFileSync } from "node:fs";
import { isComplexText, magnitudeOf, complexParts, sumOf } from "../../minitape/html/assets/script/plain/complex.js";
import { originAt } from "../../minitape/html/assets/script/plain/origins.js";

const shapeOf = (data, spot) => data.origins.tensor[spot] === null ? [] : data.tensors[data.origins.tensor[spot]].shape;
const bothParts = (number) => isComplexText(number) ? complexParts(number) : [number, 0];
const apart = (a, b) => Math.hypot(...bothParts(a).map((part, k) => part - bothParts(b)[k]));
const said = [];
for (const [name, page] of Object.entries(JSON.parse(readFileSync(process.argv[2], "utf8")))) {
  const rows = page.tensors.map((each) => [each.data].flat(Infinity));
  const data = { ...page, row: (tensor) => rows[tensor] };
  const counts = { terms: 0, ended: 0, wrong: [] };
  for (let spot = 0; spot < data.origins.made.length; spot++) {
    const size = shapeOf(data, spot).reduce((product, length) => product * length, 1);
    for (let at = 0; at < size; at++) {
      const origin = originAt(data, spot, at), total = sumOf(origin.terms.map((each) => each.amount));
      const largest = origin.terms.reduce((sum, each) => sum + magnitudeOf(each.amount), magnitudeOf(origin.number));
      if (!origin.terms.length) { counts.ended += 1; if (!origin.word) counts.wrong.push(origin.name + " has no word"); continue; }
      counts.terms += origin.terms.length;
      if (!origin.fn && !(apart(total, origin.number) <= 1e-5 * largest)) {
        counts.wrong.push(origin.name + " = " + origin.number + " and not " + total + " (" + origin.said + ")");
      }
    }
  }
  said.push([name, counts]);
}
console.log(JSON.stringify(Object.fromEntries(said)));
