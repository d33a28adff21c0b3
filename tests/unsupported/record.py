"""Records TensorFlow's public names: `python tests/unsupported/record.py`, with a Python that has TensorFlow.

    tf.math.xlogy     function   Compute x * log(y).
    tf.Tensor.op      attribute  of the classes in CLASSES
    tf.placeholder    v1         only in TensorFlow 1, with the name that replaced it

Each name has a line in `minitape/unsupported/names.tsv`: name, kind, first sentence, and other names of the same object.
`tf.raw_ops` (which repeats each kernel), `tf.compat` and the modules inside `tf.keras.ops` are excluded. If a path is given,
that file is written instead.
"""

import inspect
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

TABLE = Path(__file__).parents[2] / "minitape" / "unsupported" / "names.tsv"
_LONGEST = 110
_NOT_ENTERED = ("tf.raw_ops", "tf.compat", "tf.keras.ops.numpy", "tf.keras.ops.nn")
# The names of the modules that contain public names. `tf.experimental` is a separate package next to `_api`.
_PUBLIC = re.compile(r"tensorflow(\.experimental|\._api\..*)?|keras(\.(?!src).*)?")

# The classes whose attributes programs use.
CLASSES = (
    "tf.DType",
    "tf.GradientTape",
    "tf.IndexedSlices",
    "tf.Module",
    "tf.Tensor",
    "tf.TensorArray",
    "tf.TensorShape",
    "tf.TensorSpec",
    "tf.Variable",
    "tf.autodiff.ForwardAccumulator",
    "tf.data.Dataset",
    "tf.keras.Loss",
    "tf.keras.Metric",
    "tf.keras.Model",
    "tf.keras.Optimizer",
    "tf.keras.Sequential",
    "tf.keras.callbacks.Callback",
    "tf.keras.layers.Layer",
    "tf.random.Generator",
    "tf.train.Checkpoint",
    "tf.train.CheckpointManager",
)


def _main(path: Path) -> None:
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import keras
    import tensorflow as tf
    from tensorflow.tools.compatibility.renames_v2 import renames

    found = dict(_walk("tf", tf))
    # Programs get it by `import tensorflow.keras.saving` or as `keras.saving`; `tf.keras` alone does not load it.
    found["tf.keras.saving"] = keras.saving
    found |= dict(_walk("tf.keras.saving", keras.saving))
    rows = {name: (_kind(value), _says(value)) for name, value in found.items()}
    others = _others(found)
    for name in CLASSES:
        known = (
            type(tf.constant(0)) if name == "tf.Tensor" else found[name]
        )  # the class of tensors in eager programs
        rows |= {
            f"{name}.{each}": ("attribute", _says(getattr(known, each))) for each in _shown(known)
        }
    inner = {name: getattr(tf.compat.v1, name) for name in ("flags", "layers")}
    inner["nn.rnn_cell"] = tf.compat.v1.nn.rnn_cell
    of_1 = dict(_walk("tf", tf.compat.v1)) | {f"tf.{name}": value for name, value in inner.items()}
    for name, value in of_1.items():
        if name not in rows:
            rows[name] = ("v1", _says(value))
            later = renames.get(name, "tf.compat.v1")
            others[name] = [] if later.startswith("tf.compat.v1") else [later]
    lines = [
        f"# TensorFlow {tf.__version__}: public names, kinds, first sentences of their documentation (Apache License 2.0,",
        "# the TensorFlow and Keras authors), other names of the same thing. Written by tests/unsupported/record.py.",
        *(
            "\t".join((name, *rows[name], " ".join(others.get(name, ())))).rstrip()
            for name in sorted(rows)
        ),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(rows)} names in {path}")


def _walk(path: str, module: Any) -> Iterator[tuple[str, Any]]:
    for name in _shown(module):
        full, value = f"{path}.{name}", getattr(module, name, None)
        if not isinstance(value, ModuleType):
            if value is not None or name == "newaxis":
                yield full, value
        elif _PUBLIC.fullmatch(getattr(value, "__name__", "")):
            yield full, value
            if full not in _NOT_ENTERED and path.count(".") < 4:
                yield from _walk(full, value)


def _shown(thing: Any) -> list[str]:
    return [name for name in dir(thing) if not name.startswith("_")]


def _kind(value: Any) -> str:
    if isinstance(value, ModuleType):
        return "module"
    if inspect.isclass(value):
        return "class"
    return "function" if callable(value) else "value"


def _says(value: Any) -> str:
    """Return the first sentence of the documentation; empty for a constant, whose documentation is that of its type."""
    is_constant = not (
        callable(value)
        or isinstance(value, ModuleType | property)
        or inspect.isdatadescriptor(value)
    )
    text = "" if is_constant else inspect.getdoc(value) or ""
    first = " ".join(text.partition("\n\n")[0].split())
    first = re.split(r"(?<=[a-z)`])\.\s+(?=[A-Z])", first)[0].rstrip(". ")
    first = re.sub(r"\(deprecated\)|`", "", first).strip()
    if first.startswith(("Public API for", "DO NOT EDIT")):
        return ""
    return first if len(first) <= _LONGEST else first[:_LONGEST].rpartition(" ")[0] + " …"


def _others(found: dict[str, Any]) -> dict[str, list[str]]:
    same = defaultdict(list)
    for name, value in found.items():
        if callable(value):
            same[id(value)].append(name)
    return {
        name: [each for each in names if each != name]
        for names in same.values()
        for name in names
        if len(names) > 1
    }


if __name__ == "__main__":
    _main(Path(sys.argv[1]) if len(sys.argv) > 1 else TABLE)
