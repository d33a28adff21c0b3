"""Reading a trace from its bytes: from a validated file, and line by line."""

import json
import math

import pytest
from traced import traced

from minitape.errors import TraceError
from minitape.trace.reading import decode, read
from minitape.trace.trace import encode


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    text = "x = tf.Variable([2.0, 3.0])\ny = tf.math.log(x - 2.0)\nz = tf.constant(['½', ''])\n"
    return traced(text, tmp_path_factory.mktemp("run")).text.splitlines()


def saved(folder, lines):
    path = folder / "run.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# --- a file ---


def test_trace_is_restored_as_written(tmp_path, lines):
    trace = read(saved(tmp_path, lines))
    assert [encode(event) for event in trace] == lines
    assert trace.is_whole


def test_truncated_trace_is_read_up_to_its_end(tmp_path, lines):
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
        (lambda lines: ['{"i": 0, "k": "op"}'], "not a minitape-trace header"),
        (lambda lines: [lines[0], "3", *lines[2:]], "line 2 is not an event of a trace"),
        (lambda lines: [lines[0], '{"i": 1}', *lines[2:]], "line 2 has no field `k`"),
        (lambda lines: [lines[0], '{"i": 1, "k": []}', *lines[2:]], "line 2 has no field `k`"),
        (
            lambda lines: [lines[0], '{"k": "later"}', *lines[2:]],
            r"line 2 \(later\) has no field `i`",
        ),
        (lambda lines: [lines[0], "{", *lines[2:]], "line 2 is not JSON"),
        (
            lambda lines: [lines[0], lines[0].replace('"i": 0', '"i": 1')],
            "line 2 is a second header",
        ),
        (lambda lines: [*lines, lines[-1].replace("dropped", "drooped")], "lacks dropped"),
    ],
)
def test_file_that_is_not_a_trace_is_refused(tmp_path, lines, change, words):
    with pytest.raises(TraceError, match=words):
        read(saved(tmp_path, change(lines)))


@pytest.mark.parametrize(
    ("kind", "change", "words"),
    [
        ("variable", {"T": {"n": 3}}, r"has shape \[2\] but 3 elements"),
        ("variable", {"T": {"shape": [0, 2**61], "n": 0}}, "has shape .* which is too large"),
        ("variable", {"T": {"dtype": "complex64", "data": [10**400, 1]}}, "data|JSON"),
        ("variable", {"T": {"data": [1.0]}}, r"has data that is not of shape \[2\]"),
        ("variable", {"T": {"data": [1.0, [2.0]]}}, "has data that is not of shape"),
        ("variable", {"T": {"data": [1.0, {}]}}, "has data that is not of shape"),
        ("variable", {"T": {"data": [1.0, None]}}, "has data that is not of shape"),
        ("variable", {"T": {"strip": [1.0] * 17}}, "T.strip has more than 16 entries"),
        ("variable", {"T": {"strip": ["nan"]}}, r"T.strip\[0\] is not a number"),
        ("variable", {"T": {"min": "NaN"}}, "T.min is not a number or null"),
        ("variable", {"T": {"shape": [1] * 900 + [2]}}, "has data that is not of shape"),
        ("variable", {"T": {"id": 10**30}}, "is out of range|contains the numbers of value"),
        ("variable", {"at": ["s.py", 1, 2]}, "at does not have 5 entries"),
        ("variable", {"at": ["s.py", 1, 2, -2, 0]}, r"at\[3\] is below -1"),
        ("variable", {"stack": [77]}, r"\(variable\) refers to site 77"),
        ("site", {"loop": [1]}, "loop does not have 2 entries"),
        ("op", {"why_not": {"0": "shy"}}, "an entry of why_not is not one of no_watched_input"),
        ("op", {"why_not": {"x": "no_tape"}}, "a key in why_not is not an integer"),
        ("op", {"attrs": []}, "attrs is not an object"),
        ("primitive", {"gradient": "some"}, "gradient is not one of rule, zero, none, missing"),
        ("end", {"dropped": -1}, "dropped is below 0"),
        ("end", {"dropped": True}, "dropped is not an integer"),
    ],
)
def test_error_describes_damaged_event(tmp_path, lines, kind, change, words):
    at = next(i for i, line in enumerate(lines) if f'"k": "{kind}"' in line)
    event = json.loads(lines[at])
    for name, value in change.items():
        event[name] = event[name] | value if name == "T" else value
    changed = [*lines[:at], json.dumps(event), *lines[at + 1 :]]
    with pytest.raises(TraceError, match=f"line {at + 1} .*({words})") as refused:
        read(saved(tmp_path, changed))
    assert refused.value.fix is not None


def test_too_deeply_nested_data_raises_trace_error(tmp_path, lines):
    at = next(i for i, line in enumerate(lines) if '"k": "variable"' in line)
    for deep in (300, 600, 900, 5000):
        changed = lines[at].replace('"data": [2.0, 3.0]', '"data": ' + "[" * deep + "]" * deep)
        with pytest.raises(TraceError, match=f"line {at + 1}"):
            read(saved(tmp_path, [*lines[:at], changed, *lines[at + 1 :]]))


# --- one line ---


def test_strings_for_nonfinite_numbers_are_read_as_floats(lines):
    logs = next(event for line in lines if '"name": "Log"' in line and '"k": "op"' in line
                for event in [decode(line.encode())])  # fmt: skip
    assert logs.outputs[0].data[0] == -math.inf
    words = lines[0].replace('"script": "program.py"', '"script": "NaN"')
    assert decode(words.encode()).script == "NaN"


def test_escaped_characters_are_decoded():
    line = b'{"i": 1, "k": "seed", "call": 1, "t": 1, "T": {"id": 1, "name": null, "shape": [], "dtype": "%s", "n": 1, '
    line += b'"min": null, "max": null, "mean": null, "std": null, "l2": null, "zeros": 0, "nan": 1, "inf": 0, '
    line += b'"data": "\\u004eaN"}}'
    assert math.isnan(decode(line % b"float32").numbers.data)
    assert decode(line % b"string").numbers.data == "NaN"


def test_line_that_is_not_an_event_is_refused():
    with pytest.raises(TraceError, match="is not JSON"):
        decode(b"Traceback (most recent call last):")
