"""The exceptions of minitape: TensorFlow's types, with helpful messages.

    OpError                       an error of TensorFlow's runtime
      InvalidArgumentError          shapes or dtypes that do not fit
        DtypeMismatchError          operands of different dtypes; also a TypeError
        KernelError                 an op that does not support this dtype; also a NotFoundError
        AxisError                   an axis or a rank that does not exist; also a ValueError
      ResourceExhaustedError        a tensor that does not fit in memory
      InternalError                 a tape no longer has the values for a gradient
        ConsumedTapeError           the same for a vjp that was already used; also a RuntimeError
      OutOfRangeError               a dataset has no more elements
      DataLossError                 an element that would have to be truncated
      FailedPreconditionError       an object is not in the required state
      UnknownError                  code of the user raised inside the runtime
      NotFoundError                 a file does not exist, or does not contain the requested name
      UnimplementedError            minitape does not support this (yet)
        NotInTensorFlowError        TensorFlow does not support it either; also a NotImplementedError
    TapeValueError(ValueError)    an invalid value for a tape
    TapeRuntimeError(RuntimeError)  a valid call at the wrong time
    TapeTypeError(TypeError)      an object of the wrong type
    TapeAttributeError(AttributeError)  the same, where TensorFlow raises AttributeError
      MissingAttributeError       an attribute that an object does not have
    TapeKeyError(KeyError)        an unknown name
    TapeAssertionError(AssertionError)  an assertion of the program failed
    TapeIndexError(IndexError)    an argument or axis that does not exist
    MissingNameError(ImportError)   `from minitape import` of an unknown name
    MissingModuleError(ModuleNotFoundError)  `import` of an unknown module
    NoGradientError(LookupError)  an op without a registered gradient
    TraceError(Exception)         a trace file that cannot be read
    DrawError(Exception)          a picture that cannot be drawn
    PythonError(Exception)        a Python interpreter that cannot run a script
    StorageError(Exception)       a folder or a limit without space for a file
    CourseError(Exception)        a course that cannot be read, or an unknown name in it
    DownloadError(Exception)      a file that cannot be downloaded
    LegacyError(ImportError)      a class of Keras 2 that Keras 3 refuses
    LoopWarning(UserWarning)      a computation that runs in a loop instead of as one batch
    NoEffectWarning(UserWarning)  a call that is accepted and has no effect

Each message says what happened, then what to write (`try`), then where to read more (`more`). A note (PEP 678) names the user's
line and the shapes of the values in it.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from minitape import raised_at
from minitape.printable import printable_lines


class Teaching(Exception):  # noqa: N818 - mixed into the errors, never raised itself
    """A mixin for all exceptions that composes the message from what happened, the fix and the code."""

    def __init__(self, what: str, *, fix: str | None = None, code: str | None = None) -> None:
        lines = [what]
        if fix is not None:
            lines.append(f"  try : {fix}")
        if code is not None:
            lines.append(f"  more: minitape explain {code}")
        super().__init__(printable_lines("\n".join(lines)))
        self.what = what
        self.fix = fix
        self.code = code
        call = raised_at.find(self.__traceback__)
        if call is not None:
            self.__notes__ = [
                printable_lines(str(call))
            ]  # does what `add_note` does, which Python 3.10 does not have

    def __str__(self) -> str:
        return str(self.args[0])  # LookupError and its subclasses would show the repr


class OpError(Teaching):
    """An op could not run. The class has the same name and base class as in TensorFlow."""


class InvalidArgumentError(OpError):
    """The arguments of an op do not fit together (shapes, dtypes, axes)."""


class DtypeMismatchError(InvalidArgumentError, TypeError):
    """Operands of different dtypes.

    TensorFlow raises InvalidArgumentError for two tensors and for `int + 1.5`, but TypeError for `int * 1.5`; a handler for
    either type catches this error.
    """


class AxisError(InvalidArgumentError, ValueError):
    """An axis or a rank that the value does not have.

    TensorFlow raises ValueError if its Python code checks it, InvalidArgumentError if the op does.
    """


class InternalError(OpError):
    """A tape no longer has the values that a gradient needs."""


class ConsumedTapeError(InternalError, RuntimeError):
    """A vjp that can be called only once is called again."""


class OutOfRangeError(OpError):
    """A dataset has no next element."""


class DataLossError(OpError):
    """An element would have to be truncated."""


class FailedPreconditionError(OpError):
    """An object is not in the state that the call requires."""


class ResourceExhaustedError(OpError):
    """Not enough memory for a tensor of this size."""


class UnknownError(OpError):
    """The user's own code raised, where TensorFlow's runtime calls it."""


class NotFoundError(OpError):
    """A file does not exist, or it does not contain the requested name."""


class KernelError(InvalidArgumentError, NotFoundError):
    """An op that does not support this dtype.

    TensorFlow raises InvalidArgumentError if the op does not accept the dtype, NotFoundError if it has no kernel for it.
    """


class UnimplementedError(OpError):
    """TensorFlow supports this; minitape does not."""


class NotInTensorFlowError(UnimplementedError, NotImplementedError):
    """TensorFlow does not support it either, and raises NotImplementedError."""


class TapeValueError(Teaching, ValueError):
    """An invalid value for a tape."""


class TapeRuntimeError(Teaching, RuntimeError):
    """A valid call at the wrong time."""


class TapeTypeError(Teaching, TypeError):
    """An object of a type that cannot be differentiated."""


class TapeAttributeError(Teaching, AttributeError):
    """Like `TapeTypeError`, for the calls in which TensorFlow raises AttributeError."""


def code_list(words: Iterable[str]) -> str:
    """Return words as code in a message, such as "`sum`, `mean`"."""
    return ", ".join(f"`{word}`" for word in words)


class MessageParts(NamedTuple):
    """The parts of a message: what happened, what to write instead, and the code of the page about it."""

    what: str
    fix: str | None = None
    code: str | None = None


class MissingAttributeError(TapeAttributeError):
    """An attribute that an object does not have.

    The message is created when it is read, because most of these errors only make `hasattr` return False, and searching all names
    of TensorFlow for a suggestion takes longer than most ops.

    Args:
        name: The attribute.
        say: Creates the message.
    """

    _say: Callable[[], MessageParts] | None = None

    def __init__(self, name: str, say: Callable[[], MessageParts]) -> None:
        AttributeError.__init__(
            self, name=name
        )  # with a name, Python adds no suggestion of its own
        self._say = say

    def _read(self) -> None:
        if self._say is not None:
            name, parts, self._say = self.name, self._say(), None
            super().__init__(parts.what, fix=parts.fix, code=parts.code)
            self.name = name

    def __getattr__(self, name: str) -> Any:
        """Create the message when `what`, `fix`, `code` or `__notes__` is first read."""
        if self._say is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self._read()
        return getattr(self, name)

    @property
    def args(self) -> tuple[Any, ...]:  # type: ignore[override]  # Python's own can be set too
        self._read()
        return super().args

    def __str__(self) -> str:
        self._read()
        return super().__str__()

    def __repr__(self) -> str:
        self._read()
        return super().__repr__()

    def __reduce__(self) -> tuple[Any, ...]:
        return TapeAttributeError, self.args, vars(self)


class TapeKeyError(Teaching, KeyError):
    """An unknown name."""


class TapeAssertionError(Teaching, AssertionError):
    """An assertion of the program failed."""


class TapeIndexError(Teaching, IndexError):
    """An argument or an axis that does not exist, such as `argnums` beyond the arguments."""


class MissingNameError(Teaching, ImportError):
    """A name that cannot be imported from a module."""


class MissingModuleError(Teaching, ModuleNotFoundError):
    """A module that does not exist."""


class NoGradientError(Teaching, LookupError):
    """The op has no registered gradient: differentiating it is an error, not None."""


class TraceError(Teaching):
    """A trace that cannot be read."""


class DrawError(Teaching):
    """A picture that cannot be drawn on this machine."""


class PythonError(Teaching):
    """A Python interpreter that cannot run a script for minitape. `lacks` is the name of the package to install, if that
    helps."""

    lacks: str | None = None


class StorageError(Teaching):
    """The folder for temporary files, or a file size limit, leaves no space for a file."""

    number: int = 0  # the system's error number, such as errno.ENOSPC


class CourseError(Teaching):
    """A course that cannot be read, or an unknown name in it."""


class DownloadError(Teaching):
    """A file that is not on this machine and cannot be downloaded; Keras raises a plain Exception."""


class LegacyError(Teaching, ImportError):
    """A class of Keras 2 whose name exists in Keras 3, where it raises an error."""


class LoopWarning(UserWarning):
    """A part of a Jacobian or `vectorized_map` that cannot run on a batch of values, and so runs in a loop."""


class NoEffectWarning(UserWarning):
    """A call that has an effect in TensorFlow, but not in minitape."""
