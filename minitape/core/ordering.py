"""Functions that order ops in a graph. In minitape each op runs when it is called.

    The functions are `control_dependencies`, `group` and `no_op`.

Source: https://www.tensorflow.org/api_docs/python/tf/control_dependencies
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from minitape.core.arguments import listed
from minitape.errors import TapeTypeError, code_list


def control_dependencies(control_inputs: Any) -> AbstractContextManager[None]:
    """Return a context manager whose block runs after `control_inputs`; in minitape these ops have already run.

    Args:
        control_inputs: A list of tensors, or None; functions in the list are called.

    Returns:
        A context manager without effect.

    Raises:
        TypeError: `control_inputs` is not a list.

    Source: https://www.tensorflow.org/api_docs/python/tf/control_dependencies
    """
    for each in () if control_inputs is None else listed(control_inputs, "control_inputs"):
        if callable(each):
            each()
    return nullcontext()


def group(*inputs: Any, **kwargs: Any) -> None:
    """Group ops into one; in minitape all of them have already run.

    Args:
        inputs: Tensors, or results of ops.
        kwargs: `name`, which is ignored.

    Raises:
        TypeError: there is any other keyword argument.

    Source: https://www.tensorflow.org/api_docs/python/tf/group
    """
    unknown = set(kwargs) - {"name"}
    if unknown:
        raise TapeTypeError(
            f"`group` has no parameter {code_list(sorted(unknown))}.",
            fix="use `tf.group(first, second)`",
        )


def no_op(name: str | None = None) -> None:
    """Do nothing.

    Args:
        name: Ignored.

    Source: https://www.tensorflow.org/api_docs/python/tf/no_op
    """
