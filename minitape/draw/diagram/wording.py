"""The texts of a block diagram: numbers with three digits, shapes without the batch, ops as they are written in a program,
settings of layers.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from minitape.draw.words import count

SCALAR = "scalar"
CONSTANT = "constant"
AGAIN = "shared"
WATCHED = "watched"
NOT_WATCHED = "not watched"
INPUT = "input"
LABELS = "labels"
TARGET = "target"
SEED = "seed {text}"
NONE = "None"
ZERO = "zero"
NOT_NEEDED = "not needed"
NEVER = "never reached"
ITERATIONS = "iterations"
OVER = "{count:,} {name}"
CALL = "gradient call {number:,} of {count:,}, line {line}"
STEPS = "steps"
LAYERS = "{name} layers"
CALLS = "calls to {name}"
STATE = "state"
OVER_STEPS = "Over the {over}"
DERIVATIVE = "|∂L/∂{name}|"
LOG_SCALE = "log"
PER_STEP = "× {factor} per backward step"
LAST_STEP = "the step before"
ALIKE = "+ {count} alike"
ABOUT = "≈ {number}"
STOPS = "StopGradient"
STOPPED = "stop_gradient"
TAPE = "tape"
RECORDS = "{tape} records this"
MIRROR = "backward pass of {tape}"
LOOP = "for …"
SCALES = "{count:,} {op}: gradient × {factor} each, line {line}"
PIECE = "part {number} of {count}"
RUN = "{first} … {last}"
FORWARD = "Forward pass: values"
BACKWARD = "Backward pass: gradients"

# How the ops of TensorFlow are written in a program.
SYMBOLS = {
    "AddV2": "+",
    "AddN": "+",
    "Add": "+",
    "BiasAdd": "+ bias",
    "Sub": "−",
    "Mul": "multiply",  # a lone × looks like a variable
    "RealDiv": "÷",
    "DivNoNan": "÷",
    "MatMul": "@",
    "BatchMatMulV2": "@",
    "Neg": "−x",
    "Pow": "power",
    "Square": "square",
    "SquaredDifference": "(a − b)²",
    "Sqrt": "√",
    "StridedSlice": "x[…]",
    "SplitV": "split",
    "Pack": "stack",
    "Unpack": "unstack",
    "StopGradient": "stop_gradient",
    "GatherV2": "gather",
    "ConcatV2": "concat",
    "SelectV2": "where",
    "ResourceGather": "gather",
}
ADDITIONS = ("AddV2", "AddN", "Add")
_CALL = re.compile(r"(?:\w+\s*=\s*)?(?:return )?(?:\w+\.)*(\w+)\([^()]*(?:\([^()]*\)[^()]*)*\)$")
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SIZES = ("kernel_size", "pool_size")
_WITH_NAME = {
    "rate": "rate {}",
    "strides": "stride {}",
    "num_heads": "{} heads",
    "key_dim": "key {}",
    "input_dim": "{} entries",
    "axis": "axis {}",
    "momentum": "momentum {}",
    "learning_rate": "rate {}",
}


def number(value: float | None) -> str:
    """Return a number with three digits, such as `0.274` or `1.8×10⁻⁵`."""
    if value is None:
        return "?"
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else ("inf" if value > 0 else "−inf")
    if value == 0:
        return "0"
    size = abs(value)
    sign = "−" if value < 0 else ""
    if 0.001 <= size < 10_000:
        digits = max(0, 2 - math.floor(math.log10(size)))
        text = f"{size:.{digits}f}"
        return sign + text
    mantissa, _, exponent = f"{size:.1e}".partition("e")
    return f"{sign}{mantissa}×10{str(int(exponent)).translate(_SUPERSCRIPT)}"


def shape(sizes: Sequence[int], batch: int | None) -> str:
    """Return a shape without the batch axis, such as `26 × 26 × 8`."""
    rest = list(sizes)
    if batch is not None and rest and rest[0] == batch:
        rest = rest[1:]
        return " × ".join(map(str, rest)) if rest else count(batch, "value")
    return " × ".join(map(str, rest)) if rest else SCALAR


def parameter_shape(sizes: Sequence[int]) -> str:
    return "·".join(map(str, sizes))


def op_title(name: str) -> str:
    return SYMBOLS.get(name) or _apart(name)


def callee(code: str) -> str:
    """Return the name of the function that a statement calls, such as `argmax` in `i = tf.argmax(x)`, or an empty string."""
    called = _CALL.match(code)
    return called[1] if called else ""


def settings(given: Mapping[str, Any]) -> str:
    """Return the settings of a layer in a few words, such as `3×3, relu`."""
    words = []
    for key in _SIZES:
        if key in given:
            sizes = given[key] if isinstance(given[key], list | tuple) else [given[key]]
            words.append("×".join(map(str, sizes)))
    for key, text in _WITH_NAME.items():
        if key in given and given[key] is not None:
            value = given[key]
            sizes = value if isinstance(value, list | tuple) else [value]
            words.append(text.format("×".join(map(str, dict.fromkeys(sizes)))))
    activation = given.get("activation")
    if isinstance(activation, str):
        words.append(activation)
    if given.get("padding") == "same":
        words.append("same size")
    return ", ".join(words)


def spaced(name: str) -> str:
    """Return a long class name as words, so that it can be wrapped: `sparse categorical crossentropy`."""
    if len(name) <= 18:
        return name
    return _apart(name)


def _apart(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
