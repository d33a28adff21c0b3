// Computes a small tape: its values forward, and its gradients backward. Python wrote each op as the elements that depend on each
// other (terms/small_tapes.py); the functions of single numbers are here.

const logistic = (x) => x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x));
// Each function with its derivatives with respect to its inputs; `y` is its result.
export const FUNCTIONS = {
  Pow: [(x, p) => x ** p, (x, p) => p === 0 ? 0 : p * x ** (p - 1), (x, p, y) => x > 0 ? y * Math.log(x) : 0],
  RealDiv: [(a, b) => a / b, (a, b) => 1 / b, (a, b) => -a / (b * b)],
  SquaredDifference: [(a, b) => (a - b) ** 2, (a, b) => 2 * (a - b), (a, b) => 2 * (b - a)],
  Square: [(x) => x * x, (x) => 2 * x],
  Sqrt: [Math.sqrt, (x, y) => 1 / (2 * y)],
  Rsqrt: [(x) => 1 / Math.sqrt(x), (x, y) => -(y ** 3) / 2],
  Reciprocal: [(x) => 1 / x, (x, y) => -y * y],
  Exp: [Math.exp, (x, y) => y],
  Expm1: [Math.expm1, (x) => Math.exp(x)],
  Log: [Math.log, (x) => 1 / x],
  Log1p: [Math.log1p, (x) => 1 / (1 + x)],
  Tanh: [Math.tanh, (x, y) => 1 - y * y],
  Sigmoid: [logistic, (x, y) => y * (1 - y)],
  Softplus: [(x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))), logistic],
  Relu: [(x) => Math.max(x, 0), (x) => x > 0 ? 1 : 0],
  Abs: [Math.abs, Math.sign],
  Sin: [Math.sin, Math.cos],
  Cos: [Math.cos, (x) => -Math.sin(x)],
};
// For each kind of op, its forward step, and its backward step, which returns the contribution to each input.
const KINDS = {
  linear: {
    forward: (name, parts, given, out) => {
      for (const [position, to, from, factors] of parts) factors.forEach((factor, k) => { out[to[k]] += factor * given[position][from[k]]; });
    },
    backward: (name, parts, given, out, cotangent, sent) => {
      for (const [position, to, from, factors] of parts) factors.forEach((factor, k) => { sent[position][from[k]] += factor * cotangent[to[k]]; });
    },
  },
  product: {
    forward: (name, [one, two, to], [a, b], out) => to.forEach((at, k) => { out[at] += a[one[k]] * b[two[k]]; }),
    backward: (name, [one, two, to], [a, b], out, cotangent, sent) => to.forEach((at, k) => {
      sent[0][one[k]] += cotangent[at] * b[two[k]];
      sent[1][two[k]] += cotangent[at] * a[one[k]];
    }),
  },
  each: {
    forward: (name, parts, given, out) => parts.at(-1).forEach((at, k) => { out[at] = FUNCTIONS[name][0](...given.map((values, i) => values[parts[i][k]])); }),
    backward: (name, parts, given, out, cotangent, sent) => parts.at(-1).forEach((at, k) => {
      const inputs = given.map((values, i) => values[parts[i][k]]);
      given.forEach((values, i) => { sent[i][parts[i][k]] += cotangent[at] * FUNCTIONS[name][i + 1](...inputs, out[at]); });
    }),
  },
};
const zeros = (count) => new Array(count).fill(0);

// All values, computed from those of the leaves.
export const forward = (tape, leaves) => {
  const values = tape.sizes.map(zeros);
  for (const [place, elements] of leaves) values[place] = [...elements];
  for (const [kind, name, given, made, parts] of tape.ops) KINDS[kind].forward(name, parts, given.map((place) => values[place]), values[made]);
  return values;
};
// The gradient of the target with respect to each value, and what each op sent to each of its inputs.
export const backward = (tape, values) => {
  const gradients = tape.sizes.map(zeros), sent = [], [target, , seed] = tape.target;
  gradients[target][0] = seed;
  for (let k = tape.ops.length - 1; k >= 0; k--) {
    const [kind, name, given, made, parts] = tape.ops[k];
    sent[k] = given.map((place) => zeros(tape.sizes[place]));
    KINDS[kind].backward(name, parts, given.map((place) => values[place]), values[made], gradients[made], sent[k]);
    given.forEach((place, i) => sent[k][i].forEach((number, at) => { gradients[place][at] += number; }));
  }
  return { gradients, sent };
};
// The leaves, with a different number at one position.
export const changed = (leaves, place, offset, number) =>
  leaves.map(([at, elements]) => at === place ? [at, elements.map((each, k) => k === offset ? number : each)] : [at, elements]);
// The slope of the target at an element of a leaf, from two nearby values.
export const slopeAt = (tape, leaves, place, offset) => {
  const [target, , seed] = tape.target, at = leaves.find(([each]) => each === place)[1][offset], step = 1e-5 * Math.max(1, Math.abs(at));
  const [high, low] = [at + step, at - step].map((number) => forward(tape, changed(leaves, place, offset, number))[target][0]);
  return seed * (high - low) / (2 * step);
};
export const normOf = (numbers) => Math.hypot(...numbers);
// The norm of the gradients that come back along a link: of several values, each from several ops.
export const normOfLink = (tape, [places, users], sent) => Math.hypot(...places.map((place) => {
  const total = zeros(tape.sizes[place]);
  for (const op of users) tape.ops[op][2].forEach((given, i) => { if (given === place) sent[op][i].forEach((number, at) => { total[at] += number; }); });
  return normOf(total);
}));
// The width of a band for a norm.
export const widthOf = ([low, high, narrowest, widest, hair], norm) =>
  norm ? narrowest + (widest - narrowest) * Math.min(1, Math.max(0, (Math.log10(norm) - low) / (high - low))) : hair;
