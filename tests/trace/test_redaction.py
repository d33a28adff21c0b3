"""A redacted trace contains no number or string of the user, but `explain` still reads it."""

import json
import types
import typing
from pathlib import Path

import pytest

from minitape.explain.explain import explain
from minitape.explain.mistakes import mistakes_of
from minitape.run.options import RunOptions
from minitape.run.process import run
from minitape.run.program import of_file
from minitape.trace import redaction
from minitape.trace.events import KINDS, Contribution, GradientSource, Input, Numbers, Skipped
from minitape.trace.reading import read
from minitape.trace.redaction import redacted, without
from minitape.trace.trace import Trace, write

PROGRAM = '''\
"""SECRETdocstring 8675309"""
import sys
import numpy as np
import minitape as tf

# SECRETcomment 8675309
KEY = {"SECRETkey": 8675.309}
w = tf.Variable([8675.309, 1.0], name="SECRETname")
b = tf.Variable(2.5, name="b")
layer = tf.keras.layers.Dense(3, name="SECRETlayer", kernel_initializer="zeros")
text = tf.constant("SECRETtensor")
shout = f"SECRET{w.shape!r:>{KEY['SECRETkey']:.0f}}SECRET"
tf.debug.note("SECRETnote")
with tf.GradientTape() as tape:
    h = layer(tf.reshape(w, [1, 2])) * KEY["SECRETkey"]
    y = tf.reduce_sum(np.square(h)) + 8675309e-3
print(tape.gradient(y, [w, b]))
raise ValueError("SECRETerror 8675309")
'''


def _run(path: Path) -> Trace:
    return run(of_file(path), run_options=RunOptions(on="minitape", seed=8675309)).trace


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "SECRETfile.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def _lines(trace: Trace, path: Path) -> str:
    with path.open("w", encoding="utf-8") as file:
        write(trace, file)
    return path.read_text(encoding="utf-8")


def test_redacted_trace_has_no_numbers_or_strings(program: Path, tmp_path: Path) -> None:
    whole = _run(program)
    before = _lines(whole, tmp_path / "before.jsonl")
    assert "SECRET" in before and "8675" in before
    after = _lines(redacted(whole), tmp_path / "after.jsonl")
    assert "SECRET" not in after
    assert "8675" not in after.replace(
        "86753]", ""
    )  # the number of units is visible in shapes, as documented
    events = [json.loads(line) for line in after.splitlines()]
    assert all("data" not in each["T"] for each in events if isinstance(each.get("T"), dict))


def test_explain_finds_the_same_in_redacted_trace(program: Path, tmp_path: Path) -> None:
    whole = _run(program)
    _lines(redacted(whole), tmp_path / "t.jsonl")
    again = read(tmp_path / "t.jsonl")

    def found(trace: Trace) -> list[tuple[str, int]]:
        findings = [mistake.finding for mistake in mistakes_of(explain(trace))]
        return [(finding.code, finding.location.line) for finding in findings]

    assert found(again) == found(whole) != []


def test_redacting_twice_changes_nothing(program: Path) -> None:
    once = redacted(_run(program))
    assert redacted(once).events == once.events


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("x1 = 12.5e-3 + .5", "x1 = 0000000 + 00"),
        ("0x1F + 3j + 1_000", "0000 + 00 + 00000"),
        ('f(rb\'a\\\'b\', """two\nlines""")', 'f(rb\'xxxx\', """xxx\nxxxxx""")'),
        ('f"{d["key"]}" + x', 'f"xxxxxxxxxx" + x'),
        ("g('cut in the midd", "g('xxxxxxxxxxxxxxx"),
        ("a[0] # 3 'quoted", "a[0] #xxxxxxxxxx"),
        ("x.T @ conv2.w", "x.T @ conv2.w"),
    ],
)
def test_masked_source_text_keeps_its_columns(text: str, masked: str) -> None:
    assert without(text) == masked
    assert len(without(text)) == len(text)


def test_each_field_with_text_or_numbers_has_a_redaction_rule() -> None:
    """A new field of an event would otherwise be an error in the first redaction."""

    def holds(kind: object) -> bool:
        if kind in (str, float, typing.Any) or typing.get_origin(kind) is dict:
            return True
        if typing.get_origin(kind) is typing.Literal:
            return any(isinstance(each, str) for each in typing.get_args(kind))
        if isinstance(kind, types.UnionType) or typing.get_origin(kind) in (
            typing.Annotated,
            typing.Union,
            list,
        ):
            return any(map(holds, typing.get_args(kind)))
        return False

    missing = [
        f"{each.__name__}.{name}"
        for each in (*KINDS.values(), Numbers, Input, GradientSource, Contribution, Skipped)
        for name, kind in typing.get_type_hints(each).items()
        if name in each.__struct_fields__ and holds(kind)
        if f"{each.__name__}.{name}" not in redaction._RULES
    ]
    assert missing == []
