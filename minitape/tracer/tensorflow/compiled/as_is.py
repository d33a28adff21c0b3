"""Notes what each gradient call returns in an untraced run: functions stay compiled, and no op is traced.

    GradientsAsIs  a companion (`run/jobs.py`) that wraps the methods of `GradientTape`, and nothing else

In a compiled function a gradient call runs once for each graph, and its results have no values yet. Only whether they are None
can be determined, and only that is noted.

Source: https://www.tensorflow.org/guide/function
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from minitape.tracer import source
from minitape.tracer.engine import Engine
from minitape.tracer.locations import EventLocations
from minitape.tracer.tensorflow.compiled.autograph import take_maps
from minitape.tracer.tensorflow.internals import Hooks, Privates

_METHODS = ("gradient", "jacobian", "batch_jacobian")


class GradientsAsIs:
    """Notes for each line with a gradient call which sources got None, in each call there.

    Args:
        folder: The folder that file names are relative to.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._calls: list[tuple[str, int, tuple[bool, ...]]] = []
        self._locations: EventLocations | None = None
        self._hooks: Hooks | None = None
        self._depth = 0

    def __enter__(self) -> GradientsAsIs:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._hooks is not None:
            self._hooks.take_out()

    def switch_engine(self, engine: Engine) -> bool:
        """Wrap the methods; returns False for minitape, which has no compiled functions."""
        if engine.header["engine"] != "tensorflow":
            return False
        tf = Privates()
        self._locations = EventLocations(lambda *_: None, Path(self._folder))
        self._hooks = hooks = Hooks()
        take_maps(hooks)
        for name in _METHODS:
            hooks.put(tf.backprop.GradientTape, name, partial(self._noting, tf))
        return True

    def message(
        self, gradients: Sequence[dict[str, Any]]
    ) -> list[tuple[str, int, tuple[bool, ...]]]:
        """Return for each call its file, its line, and for each source whether it got None."""
        return self._calls

    def _noting(self, tf: Privates, method: Callable[..., Any]) -> Callable[..., Any]:
        def called_method(*given: Any, **named: Any) -> Any:
            self._depth += 1
            try:
                returned = method(*given, **named)
            finally:
                self._depth -= 1
            if not self._depth:  # `jacobian` calls `gradient`
                self._note([each is None for each in tf.nest.flatten(returned)])
            return returned

        # AutoGraph must not convert it, as it does not convert TensorFlow's own methods.
        called_method.__name__ = called_method.__qualname__ = method.__name__
        unconverted: Callable[..., Any] = tf.public.autograph.experimental.do_not_convert(
            called_method
        )
        return unconverted

    def _note(self, are_none: Sequence[bool]) -> None:
        assert self._locations is not None
        at = self._locations.location(source.Stack()).where["at"]
        if at is not None:
            self._calls.append((at[0], at[1], tuple(are_none)))
