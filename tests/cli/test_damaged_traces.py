"""Damaged trace files are either read or rejected with a message, and a trace that is read can be shown."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console
from traced import run

from minitape import draw
from minitape.errors import TraceError
from minitape.examples import find
from minitape.explain.explain import explain
from minitape.trace import events
from minitape.trace.reading import read
from minitape.trace.trace import Trace
from minitape.trace.writing import encode
from minitape_cli import views
from minitape_cli.console import Terminal

pytestmark = pytest.mark.one_in(5)

LOOKING = ("trace", "graph", "explain")
NAMES = ("numpy_detour", "second_derivative", "jacobian", "rebound_variable", "after_the_tape")


@pytest.fixture(scope="module")
def trace_files() -> dict[str, bytes]:
    """The trace files of some examples."""
    write_script = {}
    for name in NAMES:
        path = find(name)
        assert path is not None
        write_script[name] = views.jsonl(run(path, on="minitape", stdout=io.StringIO()).trace)
    return write_script


def show(trace: Trace) -> None:
    """Call all functions that the commands apply to a trace."""
    report = explain(trace)
    page = Console(file=io.StringIO(), width=100)
    page.print(views.trace(trace, report, symbols=Terminal().symbols, width=100))
    assert list(views.summary(trace))
    if trace.of(events.TapeEnterEvent):
        picture = draw.picture(trace, report, call=None, cards=60)
        draw.text(picture, ascii=False)
        draw.render(picture, "svg", engine="built-in", theme="light", rankdir="TB", legend=False)


def show_if_sound(folder: Path, data: bytes) -> None:
    path = folder / "t.jsonl"
    path.write_bytes(data)
    try:
        trace = read(path)
    except TraceError as error:
        assert error.fix is not None
    else:
        show(trace)


slowly = settings(
    max_examples=settings.default.max_examples * 3 // 4,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@slowly
@given(name=st.sampled_from(NAMES), share=st.floats(0, 1))
def test_truncated_trace_is_read_or_rejected(
    trace_files: dict[str, bytes], tmp_path: Path, name: str, share: float
) -> None:
    show_if_sound(tmp_path, trace_files[name][: int(share * len(trace_files[name]))])


@slowly
@given(
    name=st.sampled_from(NAMES),
    flips=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=3),
)
def test_trace_with_changed_bytes_is_read_or_rejected(
    trace_files: dict[str, bytes], tmp_path: Path, name: str, flips: list[tuple[float, int]]
) -> None:
    data = bytearray(trace_files[name])
    for share, byte in flips:
        data[int(share * (len(data) - 1))] = byte
    show_if_sound(tmp_path, bytes(data))


@slowly
@given(data=st.data())
def test_trace_with_a_changed_value_is_read_or_rejected(
    trace_files: dict[str, bytes], tmp_path: Path, data: Any
) -> None:
    """Valid JSON with wrong values reaches more code than a wrong byte does."""
    lines = trace_files[data.draw(st.sampled_from(NAMES))].splitlines()
    dicts = [json.loads(line) for line in lines]
    place: Any = data.draw(st.sampled_from(dicts))
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], dict | list) or not place[key]:
            break
        place = place[key]
    place[key] = data.draw(
        st.sampled_from([None, True, False, 0, 1, 2, 7, 10**9, -1, 0.5, "", "w(", [], {}, [1]])
    )
    show_if_sound(tmp_path, "".join(encode(event) + "\n" for event in dicts).encode())


@pytest.mark.parametrize("command", LOOKING)
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("t.jsonl", b"", "it is empty"),
        ("t.jsonl", b"\n\n", "line 1 is not JSON"),
        ("t.jsonl", b"\x00\xff\xfe\n" * 3, "line 1 is not JSON"),
        ("t.jsonl", b"[1, 2]\n", "line 1 is not event 0"),
        ("t.json", b"[1, 2]\n", "line 1 is not event 0"),
        ("t.jsonl", b"3\n", "line 1 is not event 0"),
        ("t.jsonl", b'{"a": ' + b"[" * 100_000 + b"\n", "line 1 is not JSON"),
        ("t.jsonl", b'{"i": ' + b"1" * 10_000_000 + b"}\n", "line 1 is not JSON"),
        ("t.jsonl", b'{"i": NaN}\n', "line 1 is not JSON"),
        ("t.jsonl", b'{"schema": "minitape.trace/1", "data": {"events": 3}}\n', "it is empty"),
        ("t.jsonl", b'{"i": 0, "k": "header", "format": "minitape-trace", "v": 2}', "version 2"),
        (
            "t.jsonl",
            b'{"i": 0, "k": "header", "format": "minitape-trace", "v": 1}',
            "line 1 (header) does not follow the format: lacks minitape",
        ),
    ],
)
def test_file_that_is_not_a_trace_is_rejected_with_a_message(
    minitape: Any, tmp_path: Path, command: str, name: str, data: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    ran = minitape(command, path)
    assert ran.exit_code == 2
    assert words in ran.stderr
    assert ran.stdout == ""


def changed(trace_files: bytes, kind: str, old: str, new: str) -> bytes:
    lines = trace_files.decode().splitlines()
    at = next(i for i, line in enumerate(lines) if f'"k": "{kind}"' in line)
    assert old in lines[at]
    lines[at] = lines[at].replace(old, new)
    return ("\n".join(lines) + "\n").encode()


@pytest.mark.parametrize(
    ("kind", "old", "new", "words"),
    [
        ("op", '"op": 1', '"op": "1"', "op is not an integer"),
        ("op", '"shape": [', '"shape": [7, ', "elements"),
        ("read", '"var": 3', '"var": 99', "refers to variable 99"),
        ("read", '"out": 5', '"out": 1', "uses the number of value 1 a second time"),
        ("gradient", '"api": "gradient"', '"api": "slope"', "api is not one of gradient, jacobian"),
        ("result", '"source": 0', '"source": 4', "which is not source 4"),
        ("end", '"events": ', '"events": 1', "events"),
    ],
)
def test_damaged_line_is_named(
    trace_files: dict[str, bytes], tmp_path: Path, kind: str, old: str, new: str, words: str
) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(changed(trace_files["numpy_detour"], kind, old, new))
    with pytest.raises(TraceError, match="is damaged: line") as refused:
        read(path)
    assert words in refused.value.what


def test_unknown_kinds_and_fields_of_a_later_version_are_ignored(
    trace_files: dict[str, bytes], tmp_path: Path
) -> None:
    lines = changed(trace_files["numpy_detour"], "tape_exit", '"n_ops"', '"color": [], "n_ops"')
    dicts = [json.loads(line) for line in lines.splitlines()]
    last = dicts.pop()
    dicts += [{"i": len(dicts), "k": "weather", "sun": True}]
    dicts += [last | {"i": len(dicts), "events": len(dicts) + 1}]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(encode(event) + "\n" for event in dicts))
    trace = read(path)
    assert trace.is_whole
    show(trace)


def test_unicode_line_separators_do_not_split_a_line(tmp_path: Path) -> None:
    """Python's `splitlines` also splits at these characters; JSON allows them in a string."""
    script = tmp_path / "s.py"
    script.write_text('import minitape as tf\ntf.debug.note("a\\u2028b\\x85c")\nx = "\u2028"\n')
    path = tmp_path / "t.jsonl"
    path.write_bytes(views.jsonl(run(script).trace))
    assert read(path).of(events.NoteEvent)[0].text == "a\u2028b\x85c"


@pytest.mark.parametrize("command", LOOKING)
def test_trace_reserialized_as_json_is_read(minitape: Any, tmp_path: Path, command: str) -> None:
    lines, envelope = tmp_path / "t.jsonl", tmp_path / "t.json"
    minitape("trace", "numpy_detour", "-o", lines, "--as-tensorflow")
    minitape("trace", "numpy_detour", "-o", envelope, "--as-tensorflow")
    assert envelope.read_text().startswith('{"schema"')
    from_lines, from_envelope = (minitape(command, each) for each in (lines, envelope))
    assert from_envelope.exit_code == from_lines.exit_code
    assert from_envelope.stdout.replace("t.json", "") == from_lines.stdout.replace("t.jsonl", "")


@pytest.mark.parametrize("command", ["run", "check"])
def test_commands_that_run_a_script_reject_a_trace(
    minitape: Any, tmp_path: Path, command: str
) -> None:
    path = tmp_path / "t.jsonl"
    minitape("trace", "numpy_detour", "-o", path, "--as-tensorflow")
    ran = minitape(command, path)
    assert ran.exit_code == 2
    assert "a trace" in ran.stderr
