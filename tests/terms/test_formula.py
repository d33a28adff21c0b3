"""The formula for a factor is correct: evaluated with its numbers, it returns the factor."""

import math
import re
from typing import Any

import numpy as np
import pytest
from samples import Sample

import minitape as tf
from minitape.core.declaration import EveryInput
from minitape.ops.rules import elementwise
from minitape.terms.formula import formula

# Functions in the rules whose names in Python are different.
_FUNCTIONS: dict[str, Any] = {
    "sign": np.sign,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "floor": np.floor,
    "conj": np.conj,
    "sigmoid": lambda x: tf.sigmoid(tf.constant(x)).numpy(),
    "digamma": lambda x: tf.math.digamma(tf.constant(x)).numpy(),
    "polygamma": lambda n, x: tf.math.polygamma(tf.constant(np.float64(n)), tf.constant(x)).numpy(),
    "zeta": lambda s, q: tf.math.zeta(tf.constant(s), tf.constant(q)).numpy(),
    "Γ": lambda a: math.gamma(a),
    "B": lambda a, b: math.gamma(a) * math.gamma(b) / math.gamma(a + b),
    **{
        f"{kind}{order}{end}": lambda x, name=f"bessel_{kind}{order}{end}": getattr(
            tf.math.special, name
        )(tf.constant(x)).numpy()
        for kind in "ijky"
        for order in "01"
        for end in ("", "e")
    },
}


def value(text: str, numbers: dict[str, Any]) -> Any:
    """The value of a formula; `numbers` are keyed by the names in it."""
    text = re.sub(r"\|([^|]+)\|", r"abs(\1)", text)
    text = re.sub(r"⌊([^⌋]+)⌋", r"floor(\1)", text)
    text = text.replace("√π", "√(π)").replace("√(", "sqrt(").replace("π ", "π·")
    names = "|".join(_FUNCTIONS)
    text = re.sub(rf"\b({names}) (\w+)", r"\1(\2)", text)
    for sign, power in (("²", "**2"), ("³", "**3"), ("^", "**"), ("·", "*")):
        text = text.replace(sign, power)
    text = re.sub(r"(?<![a-z])(\d)([(π])", r"\1*\2", text)
    known = {**_FUNCTIONS, **numbers, "e": math.e, "π": math.pi, "sqrt": np.sqrt, "abs": abs}
    return eval(text, {}, known)  # a formula of this test suite


def test_formula_equals_the_derivative(sample: Sample) -> None:
    primitive = sample.primitive
    is_alone = primitive.batch is elementwise and not isinstance(primitive.rules, EveryInput)
    if not is_alone or len({x.shape for x in sample.inputs}) > 1:
        return
    y = sample.run()
    inputs = [np.ravel(x) for x in sample.inputs]
    for position in sample.smooth:
        text = formula(
            primitive.name,
            primitive.rule,
            position,
            len(inputs),
            lambda letter: "out" if letter == "y" else f"in{letter}",
        )
        if text:
            derivatives = np.ravel(sample.vjp(position, np.ones_like(y), y, sample.inputs))
            for at, derivative in enumerate(derivatives):
                numbers = {f"in{k}": x[at] for k, x in enumerate(inputs)} | {"out": np.ravel(y)[at]}
                np.testing.assert_allclose(value(text, numbers), derivative, rtol=1e-9)


@pytest.mark.parametrize(
    ("op", "rule", "position", "said"),
    [
        ("Tanh", "x̄ = ȳ·(1 - y²)", 0, "1 - y²"),
        ("RealDiv", "ā = ȳ/b   b̄ = -ȳ·a/b²", 1, "-a/b²"),
        ("SquaredDifference", "ā = ȳ·2(a - b)   b̄ = -ā", 1, "-2(a - b)"),
        ("Pow", "ā = ȳ·b·aᵇ⁻¹   b̄ = ȳ·y·log a", 0, "b·a^(b - 1)"),
        ("Square", "x̄ = ȳ·2x", 0, "2·x"),
        ("Relu", "x̄ = ȳ where x > 0, else 0 (at 0 too)", 0, ""),
        ("Elu", "x̄ = ȳ above 0, ȳ·(y + 1) below", 0, ""),
    ],
)
def test_rule_that_is_a_product_has_a_formula(op: str, rule: str, position: int, said: str) -> None:
    letters = {"0": "a", "1": "b", "y": "y"} if "ā" in rule else {"0": "x", "y": "y"}
    assert formula(op, rule, position, len(letters) - 1, letters.__getitem__) == said
