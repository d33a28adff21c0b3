"""What `fit` prints and accepts, and its errors for unsupported data; tests/parity compares its results with TensorFlow's."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape import keras

X = np.linspace(-1.0, 1.0, 60, dtype="float32").reshape(20, 3)
Y = X.sum(axis=1, keepdims=True)


def network() -> keras.Model:
    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


def timeless(text: str) -> str:
    return re.sub(r"\d+(s|ms|us)\b", "_", text)


def test_fit_prints_one_line_per_epoch_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """As Keras's verbose=2, whatever verbose is, and no progress bar."""
    for verbose in ("auto", 1, 2):
        network().fit(X, Y, batch_size=8, epochs=2, verbose=verbose, shuffle=False)
        printed = capsys.readouterr().out
        lines = timeless(printed).splitlines()
        assert lines[0] == "Epoch 1/2"
        assert re.fullmatch(r"3/3 - _ - _/step - loss: \d\.\d{4}", lines[1])
        assert len(lines) == 4
        assert "\b" not in printed
        assert "\x1b" not in printed


def test_single_epoch_is_printed_without_number(capsys: pytest.CaptureFixture[str]) -> None:
    model = network()
    model.fit(X, Y, verbose=2)
    model.evaluate(X, Y, verbose=2)
    model.predict(X, verbose=2)
    shown = timeless(capsys.readouterr().out).splitlines()
    assert [line.split(" - loss")[0] for line in shown] == ["1/1 - _ - _/step"] * 3


def test_verbose_0_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    model = network()
    model.fit(X, Y, verbose=0, validation_split=0.5)
    model.predict(X, verbose=0)
    assert capsys.readouterr().out == ""


def test_dataset_gives_same_losses_as_its_arrays() -> None:
    from_arrays = network().fit(X, Y, batch_size=8, epochs=2, shuffle=False, verbose=0).history
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(8)
    assert network().fit(data, epochs=2, shuffle=False, verbose=0).history == from_arrays
    assert network().fit(data, validation_data=data, shuffle=False, verbose=0).history.keys() == {
        "loss",
        "val_loss",
    }
    endless = data.repeat()
    several = network().fit(endless, steps_per_epoch=3, epochs=2, shuffle=False, verbose=0)
    assert several.history == from_arrays


def test_length_of_dataset_may_be_unknown() -> None:
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(8).filter(lambda x, y: True)
    with pytest.warns(UserWarning, match="ran out of data"):
        history = network().fit(data, epochs=2, shuffle=False, verbose=0)
    assert history.params["steps"] is None
    assert len(history.history["loss"]) == 2
    with pytest.warns(UserWarning, match="ran out of data"):
        assert network().predict(data, verbose=0).shape == (20, 1)


def test_examples_are_reordered_each_epoch_unless_shuffle_is_false() -> None:
    seen: list[Any] = []

    class Noting(keras.Sequential):
        def train_step(self, data: Any) -> Any:
            seen.append(data[0].numpy()[:, 0])
            return super().train_step(data)

    model = Noting([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    for shuffle in (True, "batch", False):
        seen.clear()
        model.fit(X, Y, batch_size=10, epochs=2, shuffle=shuffle, verbose=0)
        first, second = np.concatenate(seen[:2]), np.concatenate(seen[2:])
        np.testing.assert_array_equal(np.sort(first), X[:, 0])
        assert (first == second).all() == (shuffle is False)
        assert (np.sort(seen[0]) == X[:10, 0]).all() == (shuffle is not True)


def test_exhausted_generator_ends_training() -> None:
    model = network()
    with pytest.warns(UserWarning, match="ran out of data"):
        history = model.fit(((X[:4], Y[:4]) for _ in range(2)), epochs=3, shuffle=False, verbose=0)
    assert len(history.history["loss"]) == 1, "an epoch without a batch has no loss"


def test_stop_iteration_in_train_step_is_not_end_of_data() -> None:
    class Own(keras.Sequential):
        def train_step(self, data: Any) -> Any:
            return next(iter([]))

    model = Own([keras.layers.Dense(1)])
    model.compile("sgd")
    with pytest.raises(StopIteration):
        model.fit(X, Y, verbose=0)


def test_error_for_train_step_without_return_says_what_to_return() -> None:
    class Own(keras.Sequential):
        def train_step(self, data: Any) -> Any:
            return None

    model = Own([keras.layers.Dense(1)])
    model.compile("sgd")
    with pytest.raises(TypeError, match=r'return \{"loss": loss\}'):
        model.fit(X, Y, verbose=0)


def _rows() -> Iterator[Any]:
    yield X, Y


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"x": X, "y": Y[:7]}, r"cardinality is ambiguous: x sizes: 20; y sizes: 7"),
        ({"x": [1.0, 2.0], "y": [1.0, 2.0]}, r"np.array\(x\)"),
        ({"x": 3.0}, "Unrecognized data type"),
        ({"x": _rows(), "y": Y}, "`y` should not be passed"),
        ({"x": _rows(), "class_weight": {0: 1.0}}, "yield x, y, weights"),
        ({"x": _rows(), "validation_split": 0.5}, "only supported for tensors or NumPy arrays"),
        ({"x": X[:1], "y": Y[:1], "validation_split": 0.5}, "not sufficient"),
        ({"x": [X, X], "y": [Y, Y], "class_weight": {0: 1.0}}, "single output"),
    ],
)
def test_error_for_unsupported_data_says_what_to_write(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says) as refused:
        network().fit(**given, verbose=0)
    assert "try :" in str(refused.value)


def test_error_names_class_passed_as_callback() -> None:
    with pytest.raises(TypeError, match=r"pass objects, not classes"):
        network().fit(X, Y, callbacks=[keras.callbacks.EarlyStopping], verbose=0)


def test_misspelled_callback_method_raises() -> None:
    with pytest.raises(TypeError, match="on_epoch_ends"):
        keras.callbacks.LambdaCallback(on_epoch_ends=print)
