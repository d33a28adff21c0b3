"""GradientTape is the public interface of a tape. It checks calls, raises helpful errors, and handles nested targets and sources.

    with tf.GradientTape() as tape:      opened: ops on watched values are recorded
        y = x * x
    tape.gradient(y, x)                  one backward pass; the resources of a non-persistent tape are then released

Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from types import TracebackType
from typing import Any, ClassVar

import numpy as np

from minitape.autodiff import jacobians
from minitape.autodiff.backward import run_backward
from minitape.autodiff.gradient_request import (
    GradientRequest,
    as_leaf,
    as_tensor,
    check_one_source,
    check_one_tensor,
    first_cotangent,
)
from minitape.autodiff.tape import Tape
from minitape.autodiff.unconnected import UnconnectedGradients, as_unconnected
from minitape.core import events, listeners, nest, recorders
from minitape.core.batched import Batched
from minitape.core.convert import convert_to_tensor
from minitape.core.declaration import DIFFERENTIABLE_KINDS
from minitape.core.frames import frames_to_user
from minitape.core.indexed_slices import IndexedSlices
from minitape.core.tensor import Tensor
from minitape.core.values import Value
from minitape.core.variable import Variable
from minitape.errors import (
    TapeAttributeError,
    TapeRuntimeError,
    TapeTypeError,
    TapeValueError,
)
from minitape.unsupported.attribute_errors import HelpfulAttributes

_next_number = count(1).__next__


def _is_watchable(leaf: Any) -> bool:
    return isinstance(leaf, Tensor | Variable | IndexedSlices)


class GradientTape(HelpfulAttributes):
    """Record ops on watched values, to differentiate them afterwards.

    Args:
        persistent: Whether to allow more than one `gradient` call; the tape then keeps its records until it is deleted.
        watch_accessed_variables: Whether to watch every trainable variable that is read inside the `with` block.

    Several tapes may be open at once, nested or not; each belongs to the thread that opened it.

    Source: https://www.tensorflow.org/api_docs/python/tf/GradientTape
    """

    latest: ClassVar[int] = 0  # the number of the latest tape

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watches_variables = watch_accessed_variables
        self._number = GradientTape.latest = _next_number()
        self._tape: Tape | None = None
        self._recording = False
        self._was_opened = False
        self._seen_variables: tuple[Variable, ...] = ()
        self._warned_of: set[int] = set()

    # --- opening, closing, watching ---

    def __enter__(self) -> "GradientTape":
        self._start()
        if listeners.active:
            listeners.emit(
                events.TapeOpened(self._number, self._persistent, self._watches_variables)
            )
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._recording:
            self._stop()
            if listeners.active:
                ops = 0 if self._tape is None else len(self._tape.records)
                listeners.emit(events.TapeClosed(self._number, ops))

    def _start(self) -> None:
        if self._recording:
            raise TapeValueError(
                "Tape is still recording, This can happen if you try to re-enter an already-active tape.",
                fix="leave the first `with` block before entering it again, or open a second tape",
                code="MT504",
            )
        if self._tape is None:
            self._tape = Tape(self._number, self._watches_variables)
        recorders.start(self._tape)
        self._recording = self._was_opened = True

    def _stop(self) -> None:
        if not self._recording or self._tape is None:
            raise TapeValueError(
                "Tape is not recording.",
                fix="call this inside the `with tf.GradientTape() as tape:` block",
                code="MT504",
            )
        recorders.stop(self._tape)
        self._recording = False

    def watch(self, tensor: Any) -> None:
        """Start recording ops on `tensor`.

        Values that were computed from it before this call remain unconnected.

        Args:
            tensor: A Tensor, a Variable, IndexedSlices (whose values are watched), or a nested structure of them.

        Raises:
            ValueError: `tensor` is an object of any other type.
            AttributeError: the tape was never entered.
        """
        leaves = nest.flatten(tensor)
        if self._tape is None and any(map(_is_watchable, leaves)):
            when = (
                "after this tape computed its gradient"
                if self._was_opened
                else "before it was opened"
            )
            raise TapeAttributeError(
                f"`tape.watch` was called {when}, so it has no effect.",
                fix="call `watch` on the first line inside the `with tf.GradientTape() as tape:` block",
                code="MT504",
            )
        if not leaves and listeners.active:
            listeners.emit(events.Watched(self._number, None, True))
        for leaf in leaves:
            if isinstance(leaf, IndexedSlices):
                leaf = leaf.values
            if not isinstance(leaf, Tensor | Variable) or self._tape is None:
                raise TapeValueError(
                    f"Passed in object {leaf!r} of type '{type(leaf).__name__}', "
                    "not tf.Tensor or tf.Variable or ExtensionType.",
                    fix="write `x = tf.constant(value)`, then watch `x` and compute with `x`",
                    code="MT502",
                )
            self._watch_one(self._tape, leaf)

    def _watch_one(self, tape: Tape, leaf: Tensor | Variable) -> None:
        if not leaf.dtype.is_differentiable:
            self._warned_of.add(leaf._id)
            warnings.warn(
                f"The dtype of the watched tensor must be floating (e.g. tf.float32), got tf.{leaf.dtype.name}",
                stacklevel=frames_to_user(),
            )
        elif isinstance(leaf, Variable):
            tape.watch_variable(leaf, explicitly=True)
        else:
            tape.watched.add(leaf._id)
            if listeners.active:
                listeners.emit(events.Watched(self._number, leaf, True))

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Record nothing inside this block; other tapes continue.

        Raises:
            RuntimeError: the tape was never entered.
            ValueError: the tape is not recording now.
        """
        if self._tape is None:
            raise TapeRuntimeError(
                "Trying to stop recording a tape which is not recording.",
                fix="use it inside the `with tf.GradientTape() as tape:` block",
                code="MT504",
            )
        self._stop()
        if listeners.active:
            listeners.emit(events.Paused(self._number))
        try:
            yield
        finally:
            self._start()
            if listeners.active:
                listeners.emit(events.Resumed(self._number))

    def reset(self) -> None:
        """Discard all records and all watched values.

        Raises:
            ValueError: the tape is not recording.
        """
        dropped = len(self._tape.records) if self._tape is not None else 0
        self._stop()
        self._tape = None
        self._start()
        if listeners.active:
            listeners.emit(events.WasReset(self._number, dropped))

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the variables that this tape watches, in the order in which they were created."""
        if self._tape is not None:
            seen = self._tape.variables
            self._seen_variables = tuple([seen[identity] for identity in sorted(seen)])
        return self._seen_variables

    # --- gradients ---

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """Return the gradient of the sum of `target` with respect to each source.

        Args:
            target: A tensor or variable, or a nested structure of them; the gradient of several targets is the gradient of
                their sum.
            sources: Tensors or Variables in any nested structure.
            output_gradients: The cotangent of each target, in its shape; ones by default.
            unconnected_gradients: The result for a source on which the target does not depend: None, or zeros.

        Returns:
            The gradients in the structure of `sources`: each a Tensor with its source's shape and dtype, IndexedSlices for a
            table from which rows were gathered, or None.

        Raises:
            RuntimeError: the tape is not persistent and has already computed a gradient.
            TypeError, AttributeError: a target or source is not a tensor.
            ValueError: `unconnected_gradients` is not a member of `tf.UnconnectedGradients`.
            LookupError: an op on the path has no gradient registered.
        """
        with self._request(
            "gradient", target, sources, output_gradients, unconnected_gradients
        ) as requested:
            tape = self._ready_tape()
            arrays = not recorders.thread.active
            ids = [leaf._id for leaf in requested.sources]
            seeds = [
                (leaf._id, first_cotangent(leaf, given, arrays))
                for leaf, given in zip(requested.targets, requested.seeds, strict=True)
                if leaf._array.dtype.kind in DIFFERENTIABLE_KINDS or leaf._id in ids
            ]
            found = run_backward(
                tape.records,
                tape.watched,
                seeds,
                ids,
                on_arrays=arrays,
                consume=not self._persistent,
            )
            gradients = [found.get(identity) for identity in ids] if seeds else [None] * len(ids)
            return requested.answer(
                [
                    requested.if_unconnected(leaf._array.shape, leaf)
                    if gradient is None
                    else as_tensor(gradient)
                    for gradient, leaf in zip(gradients, requested.sources, strict=True)
                ]
            )

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return the derivative of each element of `target` with respect to each element of each source.

        All rows are computed as a batch in one backward pass; with `experimental_use_pfor=False`, each row is computed in a
        separate backward pass.

        Args:
            target: One Tensor.
            sources: Tensors or Variables in any nested structure.
            unconnected_gradients: The result for a source on which the target does not depend: None, or zeros.
            parallel_iterations: Ignored.
            experimental_use_pfor: Whether to compute all rows at once.

        Returns:
            The Jacobians in the structure of `sources`: Tensors of shape target.shape + source.shape, or None.

        Raises:
            RuntimeError: the tape was already used, or it is not persistent and the rows need several backward passes.
        """

        def check() -> None:
            self._check_backward_passes("jacobian", experimental_use_pfor)
            check_one_tensor(target)

        with self._request(
            "jacobian", target, sources, None, unconnected_gradients, check
        ) as requested:
            leaf = requested.targets[0]
            tape = self._ready_tape()
            if isinstance(leaf, Variable) and leaf.trainable and tape.watches_variables:
                tape.see(leaf)  # the rows are elements of the target, so this counts as reading it
            matrices: list[Value | None] = [None] * len(requested.sources)
            if leaf._id in tape.watched:
                compute = jacobians.by_stack if experimental_use_pfor else jacobians.by_loop
                matrices = compute(tape, leaf, requested.sources, consume=not self._persistent)
            shapes = [tuple(leaf.shape) + tuple(source.shape) for source in requested.sources]
            return requested.answer(
                [
                    as_tensor(matrix)
                    if matrix is not None
                    else requested.if_unconnected(shape, source)
                    for matrix, shape, source in zip(
                        matrices, shapes, requested.sources, strict=True
                    )
                ]
            )

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return the Jacobian of each example of a batch: `result[b]` is the Jacobian of `target[b]` with respect to `source[b]`.

        The result is correct only if no example of the target depends on another example of the source; this is not checked.

        Args:
            target: A Tensor of shape [b, ...].
            source: A Tensor or Variable of shape [b, ...].
            unconnected_gradients: Ignored; an unconnected source receives zeros, as in TensorFlow.
            parallel_iterations: Ignored.
            experimental_use_pfor: Whether to compute all rows at once.

        Returns:
            A Tensor of shape [b] + target.shape[1:] + source.shape[1:].

        Raises:
            AttributeError: the target or the source is not one tensor.
            ValueError: a rank is below 2, or the batch sizes differ.
            RuntimeError: as for `jacobian`.
        """

        def check() -> None:
            self._check_backward_passes("batch_jacobian", experimental_use_pfor)
            check_one_tensor(target)
            check_one_source(source)
            jacobians.check_batches(target, source)

        requested = self._request(
            "batch_jacobian", target, source, None, unconnected_gradients, check
        )
        with requested:
            leaf, by = requested.targets[0], requested.sources[0]
            tape = self._ready_tape()
            stack = jacobians.of_batch(
                tape, leaf, by, consume=not self._persistent, at_once=experimental_use_pfor
            )
            shape = tuple(leaf.shape) + tuple(by.shape)[1:]
            zeros = Tensor(np.zeros(shape, by._array.dtype))
            return requested.answer([zeros if stack is None else as_tensor(stack)])

    def explain(self, target: Any, sources: Any, output_gradients: Any = None) -> Any:
        """Explain the result of `gradient` with the same arguments.

        The tape is unchanged, so it continues to record, and a non-persistent tape can still compute its gradient. If the tape
        has already computed this gradient, that call is explained.

        Args:
            target: Has the same meaning as in `gradient`.
            sources: Has the same meaning as in `gradient`.
            output_gradients: Has the same meaning as in `gradient`.

        Returns:
            A `minitape.notebook.shown.NotebookAnswer`, to be printed or displayed in a notebook. It has no entry for a source
            whose gradient has no problem.

        Raises:
            RuntimeError: the program was not traced, see `tf.debug.record`.

        Unlike TensorFlow, whose tapes have no such method.
        """
        return listeners.explainer().explain(self, target, sources, output_gradients)

    def graph(self, target: Any = None, sources: Any = None, **looks: Any) -> Any:
        """Draw a gradient of this tape, with the values, the gradients, and the points at which a gradient was lost.

        The tape is unchanged, as with `explain`.

        Args:
            target: The argument of `gradient` with this name. None draws a gradient that was already computed: the first one
                with a problem, otherwise the last; if there is none, everything that the tape recorded.
            sources: Has the same meaning as in `gradient`.
            looks: Options of the picture such as `theme="dark"` and `cards=20`; see `minitape.notebook.shown.drawn`.

        Returns:
            A `minitape.notebook.shown.Graph`: a notebook displays it, `print` shows it as plain text, `.save("tape.svg")`
            writes it to a file.

        Raises:
            RuntimeError: the program was not traced, see `tf.debug.record`.

        Unlike TensorFlow, whose tapes have no such method.
        """
        return listeners.explainer().graph(self, target, sources, **looks)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """Return what a notebook displays: the picture if the program is traced, otherwise a hint that explains how to get
        one.
        """
        try:
            explainer = listeners.explainer()
        except TapeRuntimeError:
            how = "call tf.debug.record() in the first cell, or write %%tape on the first line of a cell"
            return {"text/plain": f"<GradientTape; to draw it, {how}>"}
        return explainer.shown(self)

    # --- internals ---

    @contextmanager
    def _preserved(self) -> Iterator[None]:
        """Run a block that neither consumes the tape nor is recorded by any tape."""
        as_it_was = self._persistent, self._recording
        active = recorders.thread.active
        self._persistent, self._recording = True, False
        recorders.thread.active = ()
        try:
            yield
        finally:
            self._persistent, self._recording = as_it_was
            recorders.thread.active = active

    def _check_backward_passes(self, api: str, at_once: bool) -> None:
        """Raise an error if the rows need several backward passes and the tape is not persistent."""
        if self._tape is not None and not at_once and not self._persistent:
            raise TapeRuntimeError(
                f"GradientTape must be created with persistent=True to compute the {api} with eager "
                "execution enabled and with experimental_use_pfor set to False.",
                fix="use `tf.GradientTape(persistent=True)`, or remove `experimental_use_pfor`",
                code="MT501",
            )

    def _request(
        self,
        api: str,
        target: Any,
        sources: Any,
        output_gradients: Any,
        unconnected_gradients: Any,
        check: Callable[[], None] | None = None,
    ) -> GradientRequest:
        """Return the checked request of a call; if the call is refused, send an event about the refusal to the listeners."""
        try:
            if check is not None:
                check()
            return self._checked(api, target, sources, output_gradients, unconnected_gradients)
        except Exception as error:
            if listeners.active:
                self._emit_refusal(api, target, sources, error)
            raise

    def _emit_refusal(self, api: str, target: Any, sources: Any, error: Exception) -> None:
        targets, leaves = tuple(nest.flatten(target)), tuple(nest.flatten(sources))
        # A Batched value means that vectorized_map is trying to run a batch; it will run a loop instead, so the user made no
        # mistake.
        if not any(isinstance(leaf, Batched) for leaf in targets + leaves):
            requested = events.GradientCalled(self._number, api, targets, leaves, None, "none")
            listeners.emit(requested)
            listeners.emit(events.GradientFailed(error))

    def _checked(
        self, api: str, target: Any, sources: Any, output_gradients: Any, unconnected_gradients: Any
    ) -> GradientRequest:
        if self._tape is None:
            raise self._no_tape()
        unconnected = as_unconnected(unconnected_gradients)
        if target is None:
            raise TapeTypeError(
                "Argument `target` should be a list or nested structure of Tensors, Variables or "
                "CompositeTensors to be differentiated, but received None.",
                fix="return the loss from the function that computes it: `return loss`",
                code="MT503",
            )
        targets = [as_leaf(leaf, "target") for leaf in nest.flatten(target)]
        flat_sources = [as_leaf(leaf, "source") for leaf in nest.flatten(sources)]
        seeds: list[Tensor | None] = [None] * len(targets)
        if output_gradients is not None:
            for i, (leaf, goal) in enumerate(zip(nest.flatten(output_gradients), targets)):
                seeds[i] = convert_to_tensor(leaf, dtype_hint=goal.dtype)
        self._warn_of_integers(targets, flat_sources)
        return GradientRequest(
            self._number,
            api,
            sources,
            targets,
            flat_sources,
            seeds,
            unconnected,
            when_over=self._release_records,
        )

    def _release_records(self) -> None:
        """Release the records of a tape that is not persistent, and keep its list of variables."""
        if not self._persistent:
            self.watched_variables()
            self._tape = None

    def _no_tape(self) -> TapeRuntimeError:
        if not self._was_opened:
            return TapeRuntimeError(
                "This tape was never opened, so it has recorded nothing.",
                fix="put the code to differentiate in a `with tf.GradientTape() as tape:` block",
                code="MT504",
            )
        return TapeRuntimeError(
            "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians): "
            "this tape has already been used, and its resources were released.",
            fix="write `with tf.GradientTape(persistent=True) as tape:`, and `del tape` after the last call",
            code="MT501",
        )

    def _warn_of_integers(self, targets: list[Any], sources: list[Any]) -> None:
        names = [
            f"{role} of dtype {leaf.dtype.name}"
            for role, leaves in (("target", targets), ("source", sources))
            for leaf in leaves
            if leaf._array.dtype.kind not in DIFFERENTIABLE_KINDS
            and leaf._id not in self._warned_of
        ]
        if names:
            warnings.warn(
                f"Integers and booleans have no gradient. This call has a {' and a '.join(dict.fromkeys(names))}, so the result "
                "is None. Use `3.0` instead of `3`, or convert with `tf.cast(x, tf.float32)`.",
                stacklevel=frames_to_user(),
            )

    def _ready_tape(self) -> Tape:
        """Return the tape for the backward pass; a tape that is not persistent stops recording here."""
        tape = self._tape
        assert tape is not None
        if self._recording:
            if self._persistent:
                _warn_once_of_recording_itself()
            else:
                self._stop()
        return tape


_warned_of_recording_itself = False


def _warn_once_of_recording_itself() -> None:
    global _warned_of_recording_itself
    if not _warned_of_recording_itself:
        _warned_of_recording_itself = True
        import logging

        logging.getLogger("minitape").warning(
            "Calling GradientTape.gradient on a persistent tape inside its context is significantly less "
            "efficient than calling it outside the context (it causes the gradient ops to be recorded on the "
            "tape, leading to increased CPU and memory usage). Only call GradientTape.gradient inside the "
            "context if you actually want to trace the gradient in order to compute higher order derivatives."
        )
