"""A trace as a file: what is read is what was written."""

import io
import math

import pytest
from traced import traced

from minitape.debug.trace import as_number, encode, read, write
from minitape.errors import TraceError


@pytest.fixture
def lines(tmp_path):
    run = traced("x = tf.Variable(2.0)\ny = tf.math.log(x - 2.0)\n", tmp_path)
    return run.text.splitlines()


def saved(folder, lines):
    path = folder / "run.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_trace_comes_back_as_it_was(tmp_path, lines):
    trace = read(saved(tmp_path, lines))
    stream = io.StringIO()
    write(trace, stream)
    assert stream.getvalue().splitlines() == lines
    assert trace.is_whole


def test_numbers_that_json_lacks_are_words():
    assert (
        encode({"a": [math.inf, -math.inf, math.nan]}) == '{"a": ["Infinity", "-Infinity", "NaN"]}'
    )
    assert as_number("-Infinity") == -math.inf


def test_a_trace_that_was_cut_short_is_read_up_to_there(tmp_path, lines):
    trace = read(saved(tmp_path, [*lines[:-1], lines[-1][:9]]))
    assert len(trace) == len(lines) - 1
    assert not trace.is_whole


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: ["not a trace"], "line 1 is not JSON"),
        (lambda lines: lines[1:], "line 1 is not event 0"),
        (lambda lines: [lines[0], *lines[2:]], "line 2 is not event 1"),
        (lambda lines: [lines[0].replace('"v": 1', '"v": 99'), *lines[1:]], "version 99"),
        (lambda lines: ['{"i": 0, "k": "op"}'], "no minitape-trace header"),
    ],
)
def test_what_is_no_trace_is_refused(tmp_path, lines, change, words):
    with pytest.raises(TraceError, match=words):
        read(saved(tmp_path, change(lines)))
