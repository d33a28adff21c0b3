// Computes the tapes in a file of JSON with other leaves; prints the target, the gradients of the sources and the slopes as JSON.

import { readFileSync } from "node:fs";

import { FUNCTIONS, backward, forward, normOfLink, slopeAt } from "../../../minitape/html/assets/script/plain/tape.js";

const made = JSON.parse(readFileSync(process.argv[2], "utf8")).map(({ tape, leaves }) => {
  const values = forward(tape, leaves), { gradients, sent } = backward(tape, values);
  return {
    target: values[tape.target[0]][0],
    gradients: tape.sources.map((place) => gradients[place]),
    slopes: tape.sources.map((place) => gradients[place].map((_, at) => slopeAt(tape, leaves, place, at))),
    links: tape.links.map((link) => normOfLink(tape, link, sent)),
  };
});
console.log(JSON.stringify({ made, functions: Object.keys(FUNCTIONS) }));
