"""Chooses the engine to record: TensorFlow if the program has imported it, otherwise minitape.

If a program has imported both and has used a tape of minitape, minitape is recorded. `on` overrides the choice.
"""

import sys
from collections.abc import Callable

from minitape.autodiff.gradient_tape import GradientTape
from minitape.errors import TapeRuntimeError, TapeValueError
from minitape.tracer.engine import Engine
from minitape.tracer.minitape import Minitape


def engine_for(on: str | None) -> Engine:
    """Return the engine to record.

    Args:
        on: `"tensorflow"` or `"minitape"`; None for the engine that the program uses.

    Raises:
        RuntimeError: TensorFlow is not installed, or this version cannot be recorded.
        ValueError: `on` is not an engine.
    """
    if on is None:
        on = "tensorflow" if has_tensorflow() and not GradientTape.latest else "minitape"
    if on not in _ENGINES:
        raise TapeValueError(
            f"{on!r} is not an engine that minitape can record.",
            fix='call `record(on="tensorflow")` or `record(on="minitape")`; `record()` selects the imported engine',
        )
    return _ENGINES[on]()


def has_tensorflow() -> bool:
    """Return whether the program has imported TensorFlow itself, and not minitape under the name `tensorflow`."""
    return getattr(sys.modules.get("tensorflow"), "__name__", None) == "tensorflow"


def _tensorflow() -> Engine:
    if sys.modules.get("tensorflow") is not None and not has_tensorflow():
        raise TapeRuntimeError(
            "`import tensorflow` uses minitape here, so the program does not run on TensorFlow.",
            fix="use `minitape.debug.record()`, which records the engine that the program uses",
        )
    # Imported only here, because it is a large package and TensorFlow may not be installed.
    from minitape.tracer.tensorflow import TensorFlow, UntraceableError

    try:
        return TensorFlow()
    except ImportError as error:
        raise TapeRuntimeError(
            f"TensorFlow cannot be recorded, because it cannot be imported ({error}).",
            fix="run `pip install tensorflow`",
        ) from error
    except UntraceableError as error:
        raise TapeRuntimeError(
            f"TensorFlow cannot be recorded: {error.reason}",
            fix='install a tested version, or use `import minitape as tf` and `record(on="minitape")`',
        ) from error


_ENGINES: dict[str, Callable[[], Engine]] = {"tensorflow": _tensorflow, "minitape": Minitape}
