"""The errors for missing names, of the type that each kind of access expects.

of_namespace        tf.nn.relu7                      AttributeError
               from tensorflow.nn import relu7  ImportError
of_module      import tensorflow.nn.relu7       ModuleNotFoundError
of_attribute   model.predict_generator          the message of an AttributeError, made when it is read
"""

import sys
from collections.abc import Iterable
from dis import opmap
from types import FrameType

from minitape.errors import MessageParts, MissingModuleError, MissingNameError, TapeAttributeError
from minitape.unsupported import advice, table
from minitape.unsupported.messages import NameMessage, nearest, of_name

_CODE = "MT902"


def of_namespace(namespace: str, name: str, there: Iterable[str]) -> Exception:
    """Return the error for a name that a module does not have.

    Args:
        namespace: `tf`, or a module in it such as `tf.nn`.
        name: The missing name.
        there: The names that the namespace has.
    """
    reported = of_name(f"{namespace}.{name}", there)
    if _is_imported_from():
        return MissingNameError(reported.what, fix=reported.fix, code=_CODE)
    return _attribute_error(reported, name)


def of_package(error: MissingNameError, name: str) -> Exception:
    """Return the error for a name that needs a package which is not installed.

    Args:
        error: The error that was raised where the package is imported; it names the package.
        name: The name that the user wrote.

    Returns:
        An AttributeError for `tf.bfloat16`, because `hasattr`, `getattr` with a default and `inspect.getmembers` expect that type
        for a name that is not available; `error` itself for `from minitape import bfloat16`.
    """
    if _is_imported_from():
        return error
    unavailable = TapeAttributeError(error.what, fix=error.fix, code=error.code)
    unavailable.name = name  # otherwise Python would add its own suggestion
    return unavailable


def of_module(path: str, name: str) -> ModuleNotFoundError:
    """Return the error for `import tensorflow.lookup`; `name` is what TensorFlow calls it, `tf.lookup`."""
    reported = of_name(name, ())
    error = MissingModuleError(
        f"No module named '{path}'. {reported.what}", fix=reported.fix, code=_CODE
    )
    error.name = path
    return error


def of_attribute(kind: type, name: str, there: Iterable[str]) -> MessageParts:
    """Return the message for an attribute that objects of a class do not have; `there` are those that they have."""
    plain = f"'{kind.__name__}' object has no attribute '{name}'"
    if any(
        name in vars(base) for base in kind.__mro__
    ):  # the class has the attribute, but this object does not
        return MessageParts(plain)
    for known in kind.__mro__:
        if known.__module__.startswith("minitape.") and known.__name__ in table.classes():
            full = f"{table.classes()[known.__name__]}.{name}"
            if table.find(full) is not None or full in advice.VERSION_1:
                return MessageParts(*of_name(full, ()), code=_CODE)
    near = nearest(name, [each for each in there if not each.startswith("_")])
    return MessageParts(plain) if near is None else MessageParts(plain, f"use `.{near}`", _CODE)


def _attribute_error(reported: NameMessage, name: str) -> AttributeError:
    error = TapeAttributeError(reported.what, fix=reported.fix, code=_CODE)
    error.name = name  # otherwise Python would add its own suggestion
    return error


def _is_imported_from() -> bool:
    """Whether the user's line is `from ... import`, for which Python would replace an AttributeError with an error without this
    message."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "minitape":
        frame = frame.f_back
    return frame is not None and frame.f_code.co_code[frame.f_lasti] == opmap["IMPORT_FROM"]
