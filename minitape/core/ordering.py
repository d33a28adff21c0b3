"""What orders ops in a graph; here each runs when it is called, one after the other.

    control_dependencies, group, no_op

Source: https://www.tensorflow.org/api_docs/python/tf/control_dependencies
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from minitape.core.arguments import listed
from minitape.errors import TapeTypeError


def control_dependencies(control_inputs: Any) -> AbstractContextManager[None]:
    """A block that runs after `control_inputs`: these have run already.

    Args:
        control_inputs: A list of tensors; functions in it are called. None for no wish.

    Raises:
        TypeError: it is no list.

    Source: https://www.tensorflow.org/api_docs/python/tf/control_dependencies
    """
    for each in () if control_inputs is None else listed(control_inputs, "control_inputs"):
        if callable(each):
            each()
    return nullcontext()


def group(*inputs: Any, **kwargs: Any) -> None:
    """One op that stands for several: all have run already.

    Args:
        inputs: Tensors, or what ops returned.
        kwargs: `name`, which is ignored.

    Raises:
        TypeError: another keyword.

    Source: https://www.tensorflow.org/api_docs/python/tf/group
    """
    unknown = set(kwargs) - {"name"}
    if unknown:
        raise TapeTypeError(
            f"`group` has no parameter {', '.join(sorted(unknown))}.", fix="tf.group(first, second)"
        )


def no_op(name: str | None = None) -> None:
    """An op that does nothing.

    Source: https://www.tensorflow.org/api_docs/python/tf/no_op
    """
