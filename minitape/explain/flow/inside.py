"""Ops inside a library function. To the user the function is one op, so the finding names the call on the user's line.

is_inside_function  whether an op runs inside a library function with a different name
"""

import ast
from functools import lru_cache

from minitape.explain.flow.graph import FlowGraph
from minitape.trace import events

# The functions that consist of one op, by the op's name, where that is not the function's name without underscores.
_FUNCTIONS = {
    "ClipByValue": ("clip",),
    "DivNoNan": ("dividenonan",),
    "EuclideanNorm": ("norm",),
    "Maximum": ("max", "clipbyvalue", "clip", "relu"),
    "Minimum": ("min", "clipbyvalue", "clip", "relu6"),
    "Pow": ("pow",),
    "Prod": ("reduceprod",),
    "RealDiv": ("divide", "truediv", "div"),
    "SelectV2": ("where",),
}
# The activations that a layer receives by their name.
_ACTIVATIONS = {
    "Elu": "elu",
    "LeakyRelu": "leaky",
    "Maximum": "relu",
    "Relu": "relu",
    "Relu6": "relu",
    "Sigmoid": "sigmoid",
    "Softmax": "softmax",
    "Softplus": "softplus",
    "Tanh": "tanh",
}


def is_inside_function(flow: FlowGraph, op: events.OpEvent) -> bool:
    """Return whether an op runs inside a library function, such as a loss of Keras.

    An operator, such as `x / y`, is not a function, and neither is an activation that the program passes to a layer by its name.
    """
    site = flow.innermost(op)
    if site is None or not _is_call(site.expression):
        return False
    called = site.expression.partition("(")[0].rpartition(".")[2].replace("_", "").lower()
    if called in {op.name.lower(), *_FUNCTIONS.get(op.name, ())}:
        return False
    word = _ACTIVATIONS.get(op.name)
    return word is None or not any(word in text.lower() for text in flow.texts.values())


@lru_cache(maxsize=1024)
def _is_call(expression: str) -> bool:
    try:
        return isinstance(ast.parse(expression.strip(), mode="eval").body, ast.Call)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
