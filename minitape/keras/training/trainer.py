"""The loops over epochs and batches, which call the callbacks at each event.

    fit       runs `train_step` for several epochs, each with its validation
    evaluate  runs `test_step` on all batches
    predict   runs `predict_step` on all batches and joins the outputs in one array
    train_on_batch, test_on_batch, predict_on_batch

Source: https://keras.io/api/models/model_training_apis/
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minitape.core import listeners, nest
from minitape.core.convert import convert_to_tensor
from minitape.core.tensor import TensorLike
from minitape.errors import TapeTypeError, TapeValueError
from minitape.keras.training.batches import Batches, EndOfData, split_off, weights_by_class
from minitape.keras.training.callback import History, as_numbers
from minitape.keras.training.callback_list import CallbackList
from minitape.keras.training.compiled_metrics import CompiledMetrics
from minitape.keras.training.steps import Function, Steps
from minitape.keras.utils.batches import unpack_x_y_sample_weight


class Trainer(Steps):
    """Base class of `Model` that trains it on many batches."""

    history: History | None = None
    stop_training = stop_evaluating = stop_predicting = False
    steps_per_execution = 1

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: Any = "auto",
        callbacks: Any = None,
        validation_split: float = 0.0,
        validation_data: Any = None,
        shuffle: Any = True,
        class_weight: Any = None,
        sample_weight: Any = None,
        initial_epoch: int = 0,
        steps_per_epoch: int | None = None,
        validation_steps: int | None = None,
        validation_batch_size: int | None = None,
        validation_freq: Any = 1,
    ) -> History:
        """Train the model for `epochs` epochs, with one `train_step` for each batch.

        Args:
            x: Inputs, which are arrays, tensors, structures of arrays or tensors, or a source of batches (a tf.data.Dataset,
                a generator or a PyDataset). Floating-point arrays are converted to float32.
            y: Targets, in the structure of the outputs; None if the batches contain them.
            batch_size: Number of examples of a batch; 32 by default.
            epochs: Number of the epoch at which to stop, which is the number of epochs if `initial_epoch` is 0.
            verbose: 0 prints nothing, 1 shows a bar, 2 prints a line per epoch; "auto" is 1 in a terminal and 2 in a pipe.
            callbacks: List of `Callback` objects.
            validation_split: Fraction at the end of the arrays that is used for validation instead of training.
            validation_data: (x, y), (x, y, sample_weight), or a source of batches, for `evaluate` after each epoch.
            shuffle: Whether to shuffle the examples in each epoch; "batch" shuffles within each batch. A dataset or a generator
                keeps its order, and a warning is issued.
            class_weight: Dict from class indices to the weights of examples of these classes.
            sample_weight: Weights of the examples.
            initial_epoch: Number of the first epoch.
            steps_per_epoch: Number of batches of an epoch; None for all batches.
            validation_steps: Number of batches of the validation; None for all batches.
            validation_batch_size: Batch size of the validation; `batch_size` by default.
            validation_freq: Number of epochs between validations; or a list of epochs, where the first epoch is 1.

        Returns:
            A `History`, whose dict `history` maps each metric to a list with one value per epoch.

        Raises:
            ValueError: the model is not compiled, or the data do not match.

        Source: https://keras.io/api/models/model_training_apis/#fit-method
        """
        self._check_compiled("fit")
        if validation_split and validation_data is None:
            (x, y, sample_weight), validation_data = split_off(
                (x, y, sample_weight), validation_split
            )
        batches = Batches(
            x,
            y,
            sample_weight,
            batch_size,
            steps_per_epoch,
            shuffle,
            class_weight,
            self.steps_per_execution,
        )
        validation = None
        if validation_data is not None:
            validation = Batches(
                *unpack_x_y_sample_weight(validation_data),
                validation_batch_size or batch_size,
                validation_steps,
                per_call=self.steps_per_execution,
            )
        reported = self._reported(callbacks, verbose, epochs, batches.count, add_history=True)
        self.stop_training = False
        self.make_train_function()
        reported.on_train_begin()
        logs: Any = None
        for epoch in range(initial_epoch, epochs):
            logs = self._epoch(epoch, batches, reported)
            if validation is not None and _is_due(epoch, validation_freq):
                found = self._evaluated(validation, reported)
                logs.update({f"val_{name}": number for name, number in found.items()})
            reported.on_epoch_end(epoch, logs)
            if self.stop_training:
                break
        if self.optimizer is not None and epochs > 0:
            self.optimizer.finalize_variable_values(self.trainable_weights)  # type: ignore[attr-defined]  # also a Layer
        reported.on_train_end(logs)
        assert self.history is not None  # a callback sets this attribute
        return self.history

    def _epoch(self, epoch: int, batches: Batches, reported: CallbackList) -> dict[str, Any]:
        """Train on all batches once, and return the metrics at the end."""
        self.reset_metrics()
        reported.on_epoch_begin(epoch)
        logs: Any = {}
        try:
            for first, last in batches.epoch():
                reported.on_train_batch_begin(first)
                logs = self.train_function(batches)  # type: ignore[misc]  # made when fit began
                reported.on_train_batch_end(last, logs)
                if self.stop_training:
                    break
        except EndOfData:
            batches.ran_out()
        return self._final(logs)

    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        verbose: Any = "auto",
        sample_weight: Any = None,
        steps: int | None = None,
        callbacks: Any = None,
        return_dict: bool = False,
    ) -> Any:
        """Compute the loss and the metrics over all batches with `training=False`, without changing weights.

        Args:
            x: Inputs, as for `fit`.
            y: Targets, as for `fit`.
            batch_size: Number of examples of a batch; 32 by default.
            verbose: 0 prints nothing, 1 shows a bar, 2 prints a line; "auto" is 1 in a terminal and 2 in a pipe.
            sample_weight: Weights of the examples.
            steps: Number of batches; None for all batches.
            callbacks: List of `Callback` objects.
            return_dict: Whether to return a dict by name.

        Returns:
            The loss as a float, or a list of the loss and the metrics if there are metrics, or a dict with `return_dict`.

        Raises:
            ValueError: the model is not compiled.

        Source: https://keras.io/api/models/model_training_apis/#evaluate-method
        """
        self._check_compiled("evaluate")
        batches = Batches(x, y, sample_weight, batch_size, steps, per_call=self.steps_per_execution)
        reported = self._reported(callbacks, verbose, 1, batches.count)
        logs = self._evaluated(batches, reported, via="Model.evaluate")
        return logs if return_dict else self._in_order(logs)

    def _evaluated(
        self, batches: Batches, reported: CallbackList, via: str | None = None
    ) -> dict[str, Any]:
        self.make_test_function()
        self.stop_evaluating = False
        batches.restart()
        reported.on_test_begin()
        self.reset_metrics()
        logs: Any = {}
        try:
            for first, last in batches.epoch():
                reported.on_test_batch_begin(first)
                logs = self.test_function(batches)  # type: ignore[misc]
                reported.on_test_batch_end(last, logs)
                if self.stop_evaluating:
                    break
        except EndOfData:
            batches.ran_out()
        numbers = as_numbers(self._final(logs), via)
        reported.on_test_end(numbers)
        return numbers

    def predict(
        self,
        x: Any,
        batch_size: int | None = None,
        verbose: Any = "auto",
        steps: int | None = None,
        callbacks: Any = None,
    ) -> Any:
        """Compute the outputs for all batches as NumPy arrays. A tape does not record this; for a gradient, call the model.

        Args:
            x: Inputs, as for `fit`; targets in the batches are ignored.
            batch_size: Number of examples of a batch; 32 by default.
            verbose: 0 prints nothing, 1 shows a bar, 2 prints a line; "auto" is 1 in a terminal and 2 in a pipe.
            steps: Number of batches; None for all batches.
            callbacks: List of `Callback` objects.

        Returns:
            An array for each output, in the structure of the model's outputs.

        Raises:
            ValueError: the data are empty.

        Source: https://keras.io/api/models/model_training_apis/#predict-method
        """
        batches = Batches(x, None, None, batch_size, steps, per_call=self.steps_per_execution)
        reported = self._reported(callbacks, verbose, 1, batches.count)
        self.make_predict_function()
        self.stop_predicting = False
        reported.on_predict_begin()
        answers: list[Any] = []
        try:
            for first, last in batches.epoch():
                reported.on_predict_batch_begin(first)
                answers.append(self.predict_function(batches))  # type: ignore[misc]
                reported.on_predict_batch_end(last, {"outputs": answers[-1]})
                if self.stop_predicting:
                    break
        except EndOfData:
            batches.ran_out()
        reported.on_predict_end()
        if not answers:
            raise TapeValueError(
                "`predict` received no batches, because the data is empty.",
                fix="call `model.predict(x)` with `x.shape[0]` of at least 1",
            )
        return _given_out((x,), "Model.predict", _joined(answers))

    # --- one batch ---

    def train_on_batch(
        self,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        class_weight: Any = None,
        return_dict: bool = False,
    ) -> Any:
        """Run one `train_step`.

        Args:
            x: Inputs of the batch.
            y: Targets of the batch.
            sample_weight: Weights of the examples; None weights all equally.
            class_weight: Dict from class indices to weights; cannot be combined with `sample_weight`.
            return_dict: Whether to return a dict by name.

        Returns:
            The loss of this batch, a list of the loss and the metrics, or a dict with `return_dict`.

        Raises:
            ValueError: the model is not compiled, or both weights are given.
        """
        self._check_compiled("train_on_batch")
        if class_weight is not None:
            if sample_weight is not None:
                raise TapeValueError(
                    "Arguments `sample_weight` and `class_weight` cannot be specified at the same time.",
                    fix="pass only one of them: `sample_weight=own * weight_of_class`",
                )
            sample_weight = weights_by_class(y, class_weight)
        self.make_train_function()
        batch = x, y, sample_weight
        return self._on_batch(self.train_function, batch, return_dict, "Model.train_on_batch")

    def test_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, return_dict: bool = False
    ) -> Any:
        """Run one `test_step`.

        Args:
            x: Inputs of the batch.
            y: Targets of the batch.
            sample_weight: Weights of the examples; None weights all equally.
            return_dict: Whether to return a dict by name.

        Returns:
            The loss of this batch, a list of the loss and the metrics, or a dict with `return_dict`.

        Raises:
            ValueError: the model is not compiled.
        """
        self._check_compiled("test_on_batch")
        self.make_test_function()
        batch = x, y, sample_weight
        return self._on_batch(self.test_function, batch, return_dict, "Model.test_on_batch")

    def predict_on_batch(self, x: Any) -> Any:
        """Compute the outputs for one batch as NumPy arrays.

        Args:
            x: Inputs of the batch.

        Returns:
            An array for each output, in the structure of the model's outputs.
        """
        return _as_arrays(self.predict_step(_as_tensors((x,))), "Model.predict_on_batch")

    def _on_batch(self, function: Any, batch: Any, return_dict: bool, via: str) -> Any:
        self.reset_metrics()
        logs = as_numbers(function(iter([_as_tensors(batch)])), via)
        return logs if return_dict else self._in_order(logs)

    # --- the functions that the loops call ---

    def make_train_function(self, force: bool = False) -> Any:
        """Set `train_function` to one that calls `train_step`, unless it is already set.

        Args:
            force: Whether to replace an existing function.

        Returns:
            The function.
        """
        if self.train_function is None or force:
            self.train_function = self._several(self.train_step)
        return self.train_function

    def make_test_function(self, force: bool = False) -> Any:
        """Set `test_function` to one that calls `test_step`, unless it is already set.

        Args:
            force: Whether to replace an existing function.

        Returns:
            The function.
        """
        if self.test_function is None or force:
            self.test_function = self._several(self.test_step)
        return self.test_function

    def make_predict_function(self, force: bool = False) -> Any:
        """Set `predict_function` to one that calls `predict_step` and returns arrays, unless it is already set.

        Args:
            force: Whether to replace an existing function.

        Returns:
            The function.
        """
        if self.predict_function is None or force:
            self.predict_function = lambda batches: _joined(
                [
                    _as_arrays(self.predict_step(batch), "Model.predict")
                    for batch in _next_of(batches, self.steps_per_execution)
                ]
            )
        return self.predict_function

    def _several(self, step: Callable[[Any], Any]) -> Function:
        """Return a function that runs `steps_per_execution` steps and returns the logs of the last step."""

        def steps(batches: Iterator[Any]) -> Any:
            logs = None
            for batch in _next_of(batches, self.steps_per_execution):
                logs = step(batch)
            return logs

        return steps

    # --- logs ---

    def _reported(
        self, callbacks: Any, verbose: Any, epochs: int, steps: Any, add_history: bool = False
    ) -> CallbackList:
        return CallbackList(
            callbacks,
            add_history=add_history,
            add_progbar=verbose != 0,
            model=self,
            verbose=verbose,
            epochs=epochs,
            steps=steps,
        )

    def _final(self, logs: Any) -> dict[str, Any]:
        """Return the final results of the metrics, or the last logs of a custom step that returned other names.

        Raises:
            TypeError: the step did not return a dict.
        """
        if not isinstance(logs, dict):
            raise TapeTypeError(
                f"`{type(self).__name__}.train_step` or `test_step` returned {logs!r}, but `fit` expects a dict of numbers.",
                fix='write `return {"loss": loss}` at the end of the step',
            )
        results = self.get_metrics_result()
        return dict(results if logs.keys() == results.keys() else logs)

    def _in_order(self, logs: dict[str, Any]) -> Any:
        """Return the numbers as a list that starts with the loss; if there is only one number, return the number itself."""
        names: list[str] = []
        for metric in self.metrics:
            listed = metric.metrics if isinstance(metric, CompiledMetrics) else [metric]
            names += [each.name for each in listed]
        rest = [name for name in sorted(logs) if name not in names]
        numbers = [logs[name] for name in [*names, *rest] if name in logs]
        return numbers[0] if len(numbers) == 1 else numbers

    def _check_compiled(self, method: str) -> None:
        if not self.compiled:
            raise TapeValueError(
                f"You must call `compile()` before calling `{method}()`.",
                fix='call `model.compile(optimizer="adam", loss="mse")`',
            )


def _is_due(epoch: int, often: Any) -> bool:
    """Return whether to run the validation after this epoch."""
    if isinstance(often, int):
        return (epoch + 1) % often == 0
    if isinstance(often, list):
        return epoch + 1 in often
    raise TapeValueError(
        f"Expected `validation_freq` to be a list or int. Received: {often!r}.",
        fix="pass `validation_freq=2` or `validation_freq=[1, 5, 10]`",
    )


def _next_of(batches: Iterator[Any], count: int) -> Iterator[Any]:
    """Return an iterator of up to `count` batches.

    Raises:
        StopIteration: there are no batches left.
    """
    first = next(batches)

    def these() -> Iterator[Any]:
        yield first
        for _, batch in zip(range(count - 1), batches, strict=False):
            yield batch

    return these()


def _as_tensors(batch: Any) -> Any:
    return nest.map_structure(lambda each: None if each is None else convert_to_tensor(each), batch)


def _as_arrays(answer: Any, via: str) -> Any:
    def array_of(each: Any) -> Any:
        if not isinstance(each, TensorLike):
            return each
        numbers = np.array(each._array)
        return _given_out(each, via, numbers if numbers.ndim else numbers[()])

    return nest.map_structure(array_of, answer)


def _given_out(made_from: Any, via: str, numbers: Any) -> Any:
    """Return the values to the user, and notify the tracer that the values leave the engine."""
    tensors = tuple(each for each in nest.flatten(made_from) if isinstance(each, TensorLike))
    return listeners.hand_out(tensors, via, numbers) if tensors and listeners.active else numbers


def _joined(answers: list[Any]) -> Any:
    """Concatenate the outputs for several batches, and keep their structure."""
    return answers[0] if len(answers) == 1 else nest.map_structure(_in_one, *answers)


def _in_one(*parts: Any) -> Any:
    return np.concatenate(parts)


__all__ = ["Trainer"]
