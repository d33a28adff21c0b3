"""The exceptions of minitape: TensorFlow's types, words that help.

    OpError                       what TensorFlow's runtime raises
      InvalidArgumentError          shapes or dtypes that do not fit
        DtypeMismatchError          a number beside a tensor of another dtype: a TypeError too
        KernelError                 an op that computes, but not in this dtype: a NotFoundError too
        AxisError                   an axis, or a rank, that is not there: a ValueError too
      ResourceExhaustedError        a tensor that no memory holds
      InternalError                 a tape was asked for what it no longer holds
        SpentTapeError              the same of a vjp that was used: a RuntimeError too
      OutOfRangeError               a pass over a dataset is over
      DataLossError                 an element that does not fit into its place
      FailedPreconditionError       something is not as it was said to be
      UnknownError                  code of the user's raised inside the runtime
      NotFoundError                 no such file, or nothing of that name in it
      UnimplementedError            minitape does not have this (yet)
        NowhereImplementedError     nor does TensorFlow: a NotImplementedError too
    TapeValueError(ValueError)    a wrong value given to a tape
    TapeRuntimeError(RuntimeError)  a right call at the wrong time
    TapeTypeError(TypeError)      a wrong kind of thing
    TapeAttributeError(AttributeError)  the same, where TensorFlow raises AttributeError
      MissingAttributeError       an attribute that an object does not have
    TapeKeyError(KeyError)        a name that there is not
    TapeAssertionError(AssertionError)  what a program insisted on is not so
    TapeIndexError(IndexError)    fewer arguments, or axes, than were asked for
    MissingNameError(ImportError)   `from minitape import` of what it does not have
    MissingModuleError(ModuleNotFoundError)  `import` of such a module
    NoGradientError(LookupError)  an op without a registered gradient
    TraceError(Exception)         a trace file that cannot be read
    DrawError(Exception)          a picture that cannot be made here
    PythonError(Exception)        a Python that cannot run a script here
    StorageError(Exception)       a folder or a limit that leaves no room for a file
    CourseError(Exception)        a course that cannot be read, or a name that is not in it
    DownloadError(Exception)      a file that cannot be had from the network
    LegacyError(ImportError)      a class of Keras 2 that Keras 3 refuses
    LoopWarning(UserWarning)      what could run at once runs one by one
    NoEffectWarning(UserWarning)  a call that is accepted and does nothing here

Each message says what happened, then what to write (`try`), then where to read more (`more`). A note under it (PEP 678) names
the user's line and the shapes of what stands in it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from minitape import callsite
from minitape.printable import printable_lines


class Teaching(Exception):  # noqa: N818 - mixed into the errors, never raised itself
    """Mixed into each exception: composes the message from what happened, the fix and the code."""

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
        call = callsite.find(self.__traceback__)
        if call is not None:
            self.__notes__ = [
                printable_lines(str(call))
            ]  # as add_note does, which Python 3.10 does not have

    def __str__(self) -> str:
        return str(self.args[0])  # LookupError's kin would show the repr


class OpError(Teaching):
    """An op could not run; the name and the base are TensorFlow's."""


class InvalidArgumentError(OpError):
    """The arguments of an op do not fit together (shapes, dtypes, axes)."""


class DtypeMismatchError(InvalidArgumentError, TypeError):
    """Operands of different dtype.

    TensorFlow raises InvalidArgumentError for two tensors and for `int + 1.5`, TypeError for `int * 1.5`: whichever a
    script catches, it catches this.
    """


class AxisError(InvalidArgumentError, ValueError):
    """An axis or a rank that the value does not have.

    TensorFlow raises ValueError where its Python looks first, InvalidArgumentError where the op does.
    """


class InternalError(OpError):
    """A tape was asked for what it no longer holds."""


class SpentTapeError(InternalError, RuntimeError):
    """A vjp that was good for one call is called again."""


class OutOfRangeError(OpError):
    """There is no next element: a pass over a dataset is over."""


class DataLossError(OpError):
    """An element would have to be cut to fit."""


class FailedPreconditionError(OpError):
    """Something is not as it was said to be."""


class ResourceExhaustedError(OpError):
    """There is no room for a tensor of this size."""


class UnknownError(OpError):
    """The user's own code raised, in a place where TensorFlow's runtime calls it."""


class NotFoundError(OpError):
    """What was asked for is in no file."""


class KernelError(InvalidArgumentError, NotFoundError):
    """An op that computes, but not in this dtype.

    TensorFlow raises InvalidArgumentError where the op does not take it, NotFoundError where nobody wrote a kernel for it.
    """


class UnimplementedError(OpError):
    """TensorFlow has this; minitape does not."""


class NowhereImplementedError(UnimplementedError, NotImplementedError):
    """TensorFlow does not have it either, and raises NotImplementedError."""


class TapeValueError(Teaching, ValueError):
    """A value that a tape cannot take."""


class TapeRuntimeError(Teaching, RuntimeError):
    """A call that comes at the wrong time in a tape's life."""


class TapeTypeError(Teaching, TypeError):
    """A kind of object that cannot be differentiated."""


class TapeAttributeError(Teaching, AttributeError):
    """As `TapeTypeError`, for the calls in which TensorFlow raises AttributeError."""


class Said(NamedTuple):
    """What an error says: what happened, what to write instead, and the code of the page about it."""

    what: str
    fix: str | None = None
    code: str | None = None


class MissingAttributeError(TapeAttributeError):
    """An attribute that an object does not have.

    The message is made when it is read: most of these errors answer `hasattr`, which reads none, and to look through all
    names of TensorFlow for a proposal takes longer than most ops.

    Args:
        name: The attribute.
        say: Makes the message.
    """

    _say: Callable[[], Said] | None = None

    def __init__(self, name: str, say: Callable[[], Said]) -> None:
        AttributeError.__init__(self, name=name)  # with a name, Python adds no guess of its own
        self._say = say

    def _read(self) -> None:
        if self._say is not None:
            name, said, self._say = self.name, self._say(), None
            super().__init__(said.what, fix=said.fix, code=said.code)
            self.name = name

    def __getattr__(self, name: str) -> Any:
        """`what`, `fix`, `code` and `__notes__` come with the message."""
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
    """A name that is not among those that there are."""


class TapeAssertionError(Teaching, AssertionError):
    """What a program has insisted on is not so."""


class TapeIndexError(Teaching, IndexError):
    """The gradient by an argument that was not given; the classes of a number that has no axis."""


class MissingNameError(Teaching, ImportError):
    """A name that is imported from where it is not."""


class MissingModuleError(Teaching, ModuleNotFoundError):
    """A module that is imported and not there."""


class NoGradientError(Teaching, LookupError):
    """The op has no gradient registered: differentiating through it is an error, not None."""


class TraceError(Teaching):
    """A trace that cannot be read."""


class DrawError(Teaching):
    """A picture that cannot be made on this machine."""


class PythonError(Teaching):
    """A Python that cannot run a script for minitape. `lacks` names the package that would help, if one would."""

    lacks: str | None = None


class StorageError(Teaching):
    """The folder for temporary files, or a limit on the size of files, leaves no room for what has to be written."""

    number: int = 0  # the system's, such as errno.ENOSPC


class CourseError(Teaching):
    """A course that cannot be read, or a name that is not in it."""


class DownloadError(Teaching):
    """A file that is neither here nor to be had from the network; Keras raises Exception itself."""


class LegacyError(Teaching, ImportError):
    """A class of Keras 2, which Keras 3 keeps the name of and refuses."""


class LoopWarning(UserWarning):
    """A Jacobian or `vectorized_map` meets what cannot run on a stack of values, and so runs it for each of them."""


class NoEffectWarning(UserWarning):
    """A call that does something in TensorFlow is accepted, and does nothing here."""
