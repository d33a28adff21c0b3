"""Weight files: what is saved can be loaded again, completely or not at all."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape import keras


def network(units: int = 3) -> keras.Model:
    return keras.Sequential([keras.Input((2,)), keras.layers.Dense(units), keras.layers.Dense(1)])


def trained(optimizer: str = "adam") -> keras.Model:
    model = network()
    model.compile(optimizer, "mse")
    model.fit(np.ones((4, 2)), np.zeros((4, 1)), epochs=2, verbose=0)
    return model


def test_saved_weights_are_loaded(tmp_path: Path) -> None:
    first, second = trained(), network()
    first.save_weights(tmp_path / "model.weights.npz")
    second.load_weights(str(tmp_path / "model.weights.npz"))
    for one, other in zip(first.get_weights(), second.get_weights(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_training_continues_after_loading(tmp_path: Path) -> None:
    """The file contains Adam's state, too."""
    first, second = trained(), network()
    first.save_weights(tmp_path / "w.npz")
    second.compile("adam", "mse")
    second.load_weights(tmp_path / "w.npz")
    for model in (first, second):
        model.fit(np.ones((4, 2)), np.zeros((4, 1)), verbose=0)
    np.testing.assert_array_equal(first.get_weights()[0], second.get_weights()[0])


def test_numpy_opens_the_file(tmp_path: Path) -> None:
    trained().save_weights(tmp_path / "w.npz")
    with np.load(tmp_path / "w.npz") as archive:
        kernels = [name for name in archive.files if name.startswith("weights/0/")]
        assert archive[kernels[0]].shape == (2, 3)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (lambda: network(5), "dense.*kernel has shape \\(2, 5\\).*\\(2, 3\\)"),
        (
            lambda: keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)]),
            "2 weights, but the file has 4",
        ),
        (lambda: keras.Sequential([keras.layers.Dense(3)]), "not yet been built"),
    ],
)
def test_weights_of_another_model_are_refused(tmp_path: Path, model: Any, says: str) -> None:
    trained().save_weights(tmp_path / "w.npz")
    other = model()
    before = other.get_weights()
    with pytest.raises(ValueError, match=says):
        other.load_weights(tmp_path / "w.npz")
    for one, same in zip(before, other.get_weights(), strict=True):
        np.testing.assert_array_equal(one, same)  # nothing was loaded


def test_matching_weights_can_be_loaded_with_skip_mismatch(tmp_path: Path) -> None:
    first = trained()
    first.save_weights(tmp_path / "w.npz")
    other = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3), keras.layers.Dense(2)])
    with pytest.warns(UserWarning, match="not loaded"):
        other.load_weights(tmp_path / "w.npz", skip_mismatch=True)
    np.testing.assert_array_equal(first.get_weights()[0], other.get_weights()[0])


@pytest.mark.parametrize("name", ["m.weights.h5", "m.h5", "m.keras", "m"])
def test_error_for_other_file_type_suggests_a_valid_name(tmp_path: Path, name: str) -> None:
    for act in (network().save_weights, network().load_weights):
        with pytest.raises(ValueError, match=r"m\.weights\.npz"):
            act(tmp_path / name)


def test_file_that_is_not_an_archive_raises(tmp_path: Path) -> None:
    for content in (b"", b"no archive", b"PK\x03\x04 broken"):
        (tmp_path / "w.npz").write_bytes(content)
        with pytest.raises(ValueError, match="is not a file of arrays"):
            network().load_weights(tmp_path / "w.npz")
    with pytest.raises(FileNotFoundError):
        network().load_weights(tmp_path / "other.npz")


def test_file_is_written_completely_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = trained()
    model.save_weights(tmp_path / "w.npz")
    before = (tmp_path / "w.npz").read_bytes()

    def breaking(file: Any, **arrays: Any) -> None:
        file.write(b"half")
        raise OSError("no space left")

    monkeypatch.setattr(np, "savez", breaking)
    with pytest.raises(OSError, match="no space"):
        model.save_weights(tmp_path / "w.npz")
    assert (tmp_path / "w.npz").read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["w.npz"]


def test_existing_file_can_be_protected(tmp_path: Path) -> None:
    model = trained()
    model.save_weights(tmp_path / "w.npz")
    with pytest.raises(ValueError, match="already exists"):
        model.save_weights(tmp_path / "w.npz", overwrite=False)


def test_error_for_saving_whole_models_says_what_to_write() -> None:
    for act in (
        lambda: network().save("m.keras"),
        lambda: network().export("m"),
        lambda: network().to_json(),
        lambda: keras.models.load_model("m.keras"),
    ):
        with pytest.raises(tf.errors.UnimplementedError, match="save_weights"):
            act()


# --- callbacks ---


def fitted(*callbacks: Any, **settings: Any) -> keras.Model:
    model = network()
    model.compile(keras.optimizers.SGD(0.01), "mse")
    given = {"epochs": 3, "batch_size": 2, "verbose": 0, "shuffle": False, **settings}
    model.fit(np.ones((4, 2)), np.zeros((4, 1)), callbacks=list(callbacks), **given)
    return model


def test_checkpoint_after_each_epoch(tmp_path: Path) -> None:
    path = tmp_path / "in" / "w.{epoch:02d}-{loss:.1f}.npz"
    fitted(keras.callbacks.ModelCheckpoint(path, save_weights_only=True))
    assert [each.name[:4] for each in sorted((tmp_path / "in").iterdir())] == [
        "w.01",
        "w.02",
        "w.03",
    ]


def test_checkpoint_after_several_batches(tmp_path: Path) -> None:
    path = tmp_path / "w.{epoch}.{batch}.npz"
    fitted(keras.callbacks.ModelCheckpoint(path, save_weights_only=True, save_freq=3))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["w.2.1.npz", "w.3.2.npz"]


def test_only_the_best_checkpoint_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scripted losses are 3, 1, 2: the file holds the weights after the second epoch."""
    losses = itertools.cycle([3.0, 1.0, 2.0])
    kept: list[Any] = []

    class Scripted(keras.callbacks.Callback):
        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
            logs["loss"] = next(losses)
            kept.append(self.model.get_weights()[0])

    path = tmp_path / "best.npz"
    best = keras.callbacks.ModelCheckpoint(
        path, monitor="loss", save_best_only=True, save_weights_only=True, verbose=1
    )
    model = fitted(Scripted(), best)
    model.load_weights(path)
    np.testing.assert_array_equal(model.get_weights()[0], kept[1])
    assert "improved from 3.00000 to 1.00000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"filepath": "w.keras"}, ValueError),
        ({"filepath": "w.weights.h5", "save_weights_only": True}, ValueError),
        ({"filepath": "w.npz"}, tf.errors.UnimplementedError),
        ({"filepath": "w.npz", "save_freq": "batch"}, ValueError),
    ],
)
def test_invalid_checkpoint_settings_raise_before_training(
    settings: Any, error: type[Exception]
) -> None:
    with pytest.raises(error, match="try :"):
        keras.callbacks.ModelCheckpoint(**settings)


def test_unknown_metric_in_file_name_raises(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="val_loss"):
        fitted(keras.callbacks.ModelCheckpoint(tmp_path / "{val_loss}.npz", save_weights_only=True))


def test_csv_logger_writes_a_row_per_epoch(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    model = fitted(keras.callbacks.CSVLogger(path), epochs=2)
    lines = path.read_text().splitlines()
    assert lines[0] == "epoch,loss,val_loss"
    assert lines[2] == f"1,{model.history.history['loss'][1]},NA"
    fitted(keras.callbacks.CSVLogger(path, append=True), epochs=1)
    assert [line.split(",")[0] for line in path.read_text().splitlines()] == [
        "epoch",
        "0",
        "1",
        "0",
    ]


def test_error_for_tensorboard_says_what_to_use() -> None:
    with pytest.raises(tf.errors.UnimplementedError, match="CSVLogger"):
        keras.callbacks.TensorBoard("logs")


def test_unregistered_class_has_its_own_name() -> None:
    assert tf.keras.saving.get_registered_name(tf.keras.layers.Dense) == "Dense"
    with pytest.raises(AttributeError, match="expects a class or a function"):
        tf.keras.saving.get_registered_name(tf.keras.layers.Dense(1))
