"""The error for a missing name explains it, however the name is accessed."""

import copy
import importlib
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import minitape as tf
from minitape.run.child.alias import Alias
from minitape.unsupported import advice, errors, table
from minitape.unsupported.messages import is_here, is_slip

WHOLE = "run `minitape explain --on tensorflow SCRIPT`"


def _message(expression: str) -> str:
    with pytest.raises(AttributeError) as raised:
        eval(expression, {"tf": tf})
    return str(raised.value)


@pytest.mark.parametrize(
    ("expression", "says"),
    [
        (
            "tf.lookup",
            [
                "minitape does not support `tf.lookup`",
                "out of minitape's scope",
                "try : use a `dict`",
                WHOLE,
            ],
        ),
        ("tf.SparseTensor", ["In TensorFlow: Represents a sparse tensor.", "tf.scatter_nd", WHOLE]),
        ("tf.distribute", ["one process on one CPU", "without `strategy.scope()`", WHOLE]),
        ("tf.python", ["private code in TensorFlow"]),
        ("tf.Session", ["`tf.Session` is a TensorFlow 1 API", "`y.numpy()` returns the value"]),
        (
            "tf.compat.v1.placeholder",
            ["is a TensorFlow 1 API", "as an argument of a function", WHOLE],
        ),
        ("tf.compat.v1.where", ["behaves as in TensorFlow 1", "try : use `tf.where`", WHOLE]),
        ("tf.random_normal", ["is a TensorFlow 1 API", "try : use `tf.random.normal`"]),
        ("tf.contrib", ["was removed after TensorFlow 1"]),
        ("tf.pack", ["try : use `tf.stack(values)`"]),
        ("tf.nn.reduce_sum", ["Neither TensorFlow", "try : use `tf.reduce_sum`\n"]),
        ("tf.math.reduce_summ", ["Neither TensorFlow", "try : use `tf.math.reduce_sum`\n"]),
        ("tf.nobody", ["Neither TensorFlow", "try : call `sorted(dir(tf))` to list"]),
        ("tf.keras.applications", ["large weight files"]),
        ("tf.keras.layers.dens", ["try : use `tf.keras.layers.Dense`\n"]),
        ("tf.config.experimental_connect_to_host", ["In TensorFlow: Connects to a single machine"]),
        (
            "tf.constant(1.0).eval",
            ["`Tensor.eval` works only in a TensorFlow 1 session", "try : use `x.numpy()`"],
        ),
        ("tf.constant(1.0).op", ["minitape does not support `Tensor.op`", "no graphs", WHOLE]),
        ("tf.constant(1.0).dtpye", ["try : use `.dtype`\n"]),
        ("tf.Variable(1.0).load", ["try : use `v.assign(value)`"]),
        ("tf.keras.Model().predict_generator", ["try : use `model.predict(dataset)`"]),
        ("tf.keras.optimizers.SGD().minimize", ["optimizer.apply_gradients(zip("]),
        ("tf.data.Dataset.list_files", ["runs in memory", "glob.glob(pattern)"]),
        ("tf.data.Dataset.range(3).make_one_shot_iterator", ["for batch in dataset"]),
    ],
)
def test_error_explains_name_and_says_what_to_write(expression: str, says: list[str]) -> None:
    reported = _message(expression)
    assert [each for each in says if each not in reported] == []
    assert reported.endswith("more: minitape explain MT902")
    assert "Did you mean" not in reported


@pytest.mark.parametrize(
    ("expression", "misleading"),
    [
        ("tf.lookup", "try : use `tf."),
        ("tf.distribute", "try : use `tf.div"),
        ("tf.audio", "try : use `tf.a"),
    ],
)
def test_misleadingly_similar_name_is_not_suggested(expression: str, misleading: str) -> None:
    assert misleading not in _message(expression)


def test_name_unknown_to_tensorflow_has_pythons_message() -> None:
    assert _message("tf.constant(1.0).foo") == "'Tensor' object has no attribute 'foo'"
    assert _message("tf.keras.layers.Dense(1).foo") == "'Dense' object has no attribute 'foo'"


def test_error_inside_a_property_is_shown() -> None:
    class Broken(tf.keras.layers.Layer):
        @property
        def half(self) -> float:
            return self.kernels / 2  # type: ignore[attr-defined, no-any-return]

    with pytest.raises(AttributeError, match="no attribute 'kernels'"):
        _ = Broken().half


def test_hasattr_copy_and_pickle_work_normally() -> None:
    layer = tf.keras.layers.Dense(1)
    assert not hasattr(layer, "nobody")
    assert getattr(layer, "nobody", 3) == 3
    assert copy.copy(tf.TensorShape([1, 2])) == [1, 2]
    assert pickle.loads(pickle.dumps(tf.constant(2.0))) == 2.0


@pytest.mark.parametrize(
    ("line", "error", "says"),
    [
        ("from tensorflow import lookup", ImportError, "try : use a `dict`"),
        ("from tensorflow.nn import relu7", ImportError, "try : use `tf.nn.relu`"),
        ("from tensorflow.math import reduce_summ", ImportError, "try : use `tf.math.reduce_sum`"),
        ("from tensorflow.keras import applications", ImportError, "weight files"),
        ("from keras import applications", ImportError, "weight files"),
        ("import tensorflow.lookup", ModuleNotFoundError, "No module named 'tensorflow.lookup'"),
        ("import tensorflow.python.ops", ModuleNotFoundError, "private code in TensorFlow"),
        ("import tensorflow.contrib.eager", ModuleNotFoundError, "removed after TensorFlow 1"),
        (
            "from tensorflow.keras.applications import VGG16",
            ModuleNotFoundError,
            "weight files",
        ),
    ],
)
def test_failed_import_has_the_same_explanation(
    line: str, error: type[Exception], says: str
) -> None:
    with Alias(), pytest.raises(error) as raised:
        exec(line, {"__name__": "lesson"})
    assert says in str(raised.value)
    assert "minitape explain MT902" in str(raised.value)


@pytest.mark.parametrize(
    "line",
    [
        "import tensorflow.compat.v1 as tf; tf.enable_eager_execution(); tf.log(1.0)",
        "import tensorflow.compat.v2 as tf; tf.enable_v2_behavior(); tf.keras.layers.Dense(1)",
        "from tensorflow.compat import v1; v1.train.GradientDescentOptimizer(0.1)",
        "from tensorflow.keras.layers import Dense",
        "import keras; from keras import layers; keras.Sequential([layers.Dense(1)])",
        "from tensorflow import *; constant(1.0)",
    ],
)
def test_common_imports_work(line: str) -> None:
    with Alias():
        exec(line, {"__name__": "lesson"})


def test_served_tensorflow_has_version_that_it_matches() -> None:
    with Alias():
        import tensorflow as served

        assert served.__version__ == tf.version.VERSION == "2.21.0"
        assert served.Variable is tf.Variable
        assert served.keras is tf.keras
        assert set(tf.__all__) <= set(dir(served))
    assert tf.__version__ != tf.version.VERSION


def test_table_is_of_the_matched_version() -> None:
    assert table.version() == tf.version.VERSION


def test_advice_exists_only_for_unsupported_names() -> None:
    """A package with supported names may have advice for its other names."""
    reported = [name for name in (*advice.NAMESPACES, *advice.VERSION_1) if is_here(name)]
    rooms = [name for name in reported if isinstance(eval(name, {"tf": tf}), ModuleType)]
    assert sorted(set(reported) - set(rooms)) == []


def test_names_in_advice_are_supported() -> None:
    """`tf.scatter_nd(...)` after `try` is meant to be typed."""
    import re

    given = [each.instead for each in advice.NAMESPACES.values()] + list(advice.VERSION_1.values())
    named = {name for text in given for name in re.findall(r"\btf(?:\.\w+)+", text)}
    lost = []
    for name in sorted(named - {"tf.gradients"}):
        try:
            eval(name, {"tf": tf})
        except AttributeError:
            lost.append(name)
    assert lost == []


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("sinn", "sin", True),
        ("reduce_smu", "reduce_sum", True),
        ("dense", "Dense", True),
        ("data", "atan", False),
        ("config", "cond", False),
        ("image", "range", False),
        ("io", "is", False),
        ("same", "same", False),
    ],
)
def test_typo_is_one_letter_or_two_swapped(one: str, other: str, expected: bool) -> None:
    assert is_slip(one, other) == is_slip(other, one) == expected


def test_table_is_loaded_only_for_a_missing_name() -> None:
    code = "import sys, minitape as tf; tf.constant(1.0) + 1.0; print('minitape.unsupported.table' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def _rooms() -> list[str]:
    modules = [entry.name for entry in table.each() if entry.kind == "module"]
    found = []
    for name in modules:
        try:
            found.append(importlib.import_module(name.replace("tf", "minitape", 1)).__name__)
        except ModuleNotFoundError:
            continue
    return sorted(
        set(found) - {"minitape.errors"}
    )  # at the lowest layer, it cannot import the errors


@pytest.mark.parametrize("room", _rooms())
def test_every_package_explains_missing_names(room: str) -> None:
    module: Any = importlib.import_module(room)
    with pytest.raises(AttributeError, match="Neither TensorFlow"):
        _ = module.nobody_has_this


# --- when the message is made ---


def test_hasattr_creates_no_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    monkeypatch.setattr(errors, "of_attribute", lambda kind, name, there: made.append(name))
    for thing in (tf.constant(1.0), tf.Variable(1.0), tf.keras.layers.Dense(1), tf.data.Dataset):
        assert not hasattr(thing, "shap")
        assert getattr(thing, "shap", None) is None
    assert made == []


def test_message_read_later_names_the_line_that_raised(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("x.shap\nx.shape\n", encoding="utf-8")
    with pytest.raises(AttributeError) as caught:
        exec(compile(script.read_text(), str(script), "exec"), {"x": tf.constant(1.0)})
    error = caught.value
    assert error.name == "shap"
    assert error.args == (str(error),)
    assert "line: script.py:1  x.shap" in error.__notes__[0]
    assert error.code == "MT902"
    assert error.fix == "use `.shape`"
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, AttributeError)
    assert (str(again), again.fix, again.__notes__) == (str(error), error.fix, error.__notes__)
