"""The law of error messages: a public callable returns a result, or raises an error with a message that minitape wrote.

The arguments have wrong types, ranks and dtypes, or are empty, huge or negative. They are drawn with a seed that depends on the
callable's name, so each run uses the same. A user cannot act on a message of Python's or NumPy's ("list index out of range").
"""

import importlib.util
import inspect
import json
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from enum import EnumMeta
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

import minitape as tf

HERE = Path(__file__).parent
CALLS = 6

_SPEC = importlib.util.spec_from_file_location("signatures_law", HERE / "test_signatures.py")
assert _SPEC is not None and _SPEC.loader is not None
_LAW = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_LAW)

# These use the network, or write to where the test's own output goes; or exist to raise.
NOT_ASKED = ("errors.", "keras.datasets.", "keras.utils.get_file", "print", "debug.", "autodiff.")


def odd_values() -> list[Any]:
    """Created again for each call, because a callable may change its arguments."""
    return [
        *(None, True, 0, 1, -1, 3, 2.5, -7, 10**6, 2**40, 2**70, -(2**63), 1e30, float("nan")),
        *("a", "float32", "SAME", "relu", b"b", [], [[]], (), {}, {"a": 1}, object(), slice(1)),
        *([1.0, 2.0], [1, 2], [2, 2], [-1], [[1.0, 2.0], [3.0]], [1, None], [10**5] * 3),
        *(np.zeros((0, 3), np.float32), np.ones((2, 3)), np.arange(3), np.array("s")),
        *(np.ones((1, 2, 3, 4, 5)), lambda *given: 1, tf.float32, tf.int32),
        *(tf.constant(1.0), tf.constant([1.0, 2.0, 3.0]), tf.ones([2, 2]), tf.ones([2, 3, 4])),
        *(tf.constant([1, 2]), tf.constant([[1, 2], [3, 4]]), tf.constant([True, False])),
        *(tf.constant(["x", "y"]), tf.constant(1 + 2j), tf.zeros([0]), tf.ones([1, 4, 4, 2])),
        *(tf.constant(np.ones((2, 2))), tf.Variable([1.0, 2.0])),
        tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([3, 2])),
    ]


def calls_of(name: str, thing: Any) -> Iterator[dict[str, Any]]:
    """Odd values for required arguments, and sometimes for optional ones."""
    try:
        # Python 3.12 describes the call of an enum as `(*values)`.
        called = type(thing).__call__.__get__(thing) if isinstance(thing, EnumMeta) else thing
        parameters = inspect.signature(called).parameters.values()
    except (TypeError, ValueError):
        return
    draw = random.Random(name)
    named = [
        each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    for _ in range(CALLS):
        yield {
            each.name: draw.choice(odd_values())
            for each in named
            if each.default is each.empty or (each.name != "name" and draw.random() < 0.2)
        }


def raw_text(thing: Any, given: dict[str, Any]) -> str | None:
    """Return the message of Python's or NumPy's that reached the user, or None."""
    try:
        thing(**given)
    except Exception as error:
        if type(error).__module__ != "minitape.errors":
            return f"{type(error).__name__}: {str(error)[:100]}"
    return None


def said_by_all() -> dict[str, str]:
    """The first raw message of each callable that lets one through."""
    found: dict[str, str] = {}
    for name, thing in _LAW.public_callables().items():
        if not name.startswith(NOT_ASKED):
            for given in calls_of(name, thing):
                said = raw_text(thing, given)
                if said is not None:
                    shown = {key: repr(value)[:40] for key, value in given.items()}
                    found.setdefault(name, f"{said} for {shown}")
    return found


def main() -> None:
    """Call all callables in this process, which is unusable afterwards: some of them change global settings."""
    if sys.platform == "linux":  # an allocation of more than two gigabytes fails
        import resource

        limit = psutil.Process().memory_info().vms + (2 << 30)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    warnings.simplefilter("ignore")
    print(json.dumps(said_by_all()))


@pytest.mark.one_in(3)
def test_no_raw_python_or_numpy_message_reaches_the_user(tmp_path: Path) -> None:
    requested = subprocess.run(
        [sys.executable, __file__], capture_output=True, text=True, cwd=tmp_path, timeout=110
    )
    assert requested.returncode == 0, requested.stderr
    found = json.loads(requested.stdout.splitlines()[-1])
    assert not found, "\n".join(f"{name}: {said}" for name, said in found.items())


def test_raw_message_is_detected() -> None:
    assert raw_text(lambda x: [][x], {"x": 0}) == "IndexError: list index out of range"
    assert raw_text(tf.reshape, {"tensor": [1.0, 2.0], "shape": [3]}) is None


if __name__ == "__main__":
    main()
