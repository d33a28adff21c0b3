"""A trace as data: dicts become typed events, which are written as the same text."""

import io
import math
from pathlib import Path

import pytest

from minitape.errors import TraceError
from minitape.trace import events, writing
from minitape.trace.reading import read
from minitape.trace.trace import Trace, encode, plain, typed, write

STORED = sorted((Path(__file__).parents[1] / "golden").rglob("*.jsonl"))
NOTE = {"i": 1, "k": "note", "text": "half way", "at": ["s.py", 3, 0, 3, 9], "stack": [1]}
HEADER = {
    "i": 0, "k": "header", "format": writing.FORMAT, "v": writing.VERSION, "minitape": "1", "python": "3",
    "numpy": "2", "script": "s.py", "argv": [], "seed": None,
}  # fmt: skip


def tensor(**fields):
    facts = dict.fromkeys(("name", "min", "max", "mean", "std", "l2"))
    counts = {"id": 1, "n": 1, "zeros": 0, "nan": 0, "inf": 0}
    return {**facts, **counts, "shape": [], "dtype": "float32", **fields}


def seed(**fields):
    return typed({"i": 2, "k": "seed", "call": 1, "t": 1, "T": tensor(**fields)})


def test_event_has_attributes():
    note = typed(NOTE)
    assert note == events.NoteEvent(
        i=1, text="half way", at=events.SourceRange("s.py", 3, 0, 3, 9), stack=[1]
    )
    assert (note.kind, note.at.line) == ("note", 3)


def test_extend_appends_events():
    trace = Trace.from_dicts([HEADER])
    trace.extend([NOTE])
    trace.extend([{"i": 2, "k": "end", "events": 3, "dropped": 0}])
    assert [event.kind for event in trace] == ["header", "note", "end"]
    assert trace.script == "s.py"
    assert trace.is_whole


def test_events_are_selected_by_type():
    trace = Trace.from_dicts([HEADER, NOTE])
    assert [note.text for note in trace.of(events.NoteEvent)] == ["half way"]
    assert trace.of(events.OpEvent, events.NoteEvent) == trace.of(events.NoteEvent)


def test_events_of_several_types_are_in_order_of_the_run():
    trace = Trace.from_dicts(
        [HEADER, NOTE, {"i": 2, "k": "end", "events": 3, "dropped": 0}, {**NOTE, "i": 3}]
    )
    assert [event.i for event in trace.of(events.EndEvent, events.NoteEvent)] == [1, 2, 3]


def test_derived_value_is_cached_until_the_trace_is_extended():
    trace, requested = Trace.from_dicts([HEADER]), []

    def length(trace):
        requested.append(trace)
        return len(trace)

    assert [trace.once(length), trace.once(length)] == [1, 1]
    trace.extend([NOTE])
    assert [trace.once(length), trace.once(length)] == [2, 2]
    assert len(requested) == 2
    assert [note.text for note in trace.of(events.NoteEvent)] == ["half way"]
    assert trace == Trace.from_dicts([HEADER, NOTE]), "what was learnt is no part of a trace"


def test_replaced_event_is_found():
    trace = Trace.from_dicts([HEADER, NOTE])
    assert [note.text for note in trace.of(events.NoteEvent)] == ["half way"]
    trace.put(typed({**NOTE, "text": "at the end"}))
    assert [note.text for note in trace.of(events.NoteEvent)] == ["at the end"]
    assert len(trace) == 2


def test_trace_with_dropped_events_is_not_whole():
    assert not Trace.from_dicts([{"i": 0, "k": "end", "events": 1, "dropped": 3}]).is_whole
    assert not Trace.from_dicts([HEADER]).is_whole
    assert not Trace().is_whole


def test_missing_optional_field_is_none_and_stays_missing():
    reported = seed()
    assert reported.numbers.data is None
    assert reported.numbers.strip is None
    assert plain(reported)["T"] == tensor()


def test_nonfinite_numbers_are_floats_in_memory_and_strings_in_file():
    reported = seed(shape=[2], n=2, data=[math.nan, -math.inf], strip=[math.nan, math.inf])
    assert math.isnan(reported.numbers.data[0])
    assert reported.numbers.strip[1] == math.inf
    assert '"data": ["NaN", "-Infinity"], "strip": ["NaN", "Infinity"]' in encode(reported)


def test_nonfinite_numbers_are_written_as_strings():
    line = writing.encode({"a": [math.inf, -math.inf, math.nan]})
    assert line == '{"a": ["Infinity", "-Infinity", "NaN"]}'


def test_event_of_unknown_kind_is_kept_unchanged():
    weather = {"i": 4, "k": "weather", "sun": [True, {"clouds": 0.5}]}
    event = typed(weather)
    assert event == events.UnknownEvent(4, "weather", {"sun": [True, {"clouds": 0.5}]})
    assert event.kind == "weather"
    assert plain(event) == weather
    assert encode(event) == writing.encode(weather)


def test_dict_that_is_not_an_event_is_refused():
    with pytest.raises(TraceError, match=r"Event 1 \(note\) .*: text is not a string"):
        typed(NOTE | {"text": 3})


@pytest.mark.parametrize("path", STORED, ids=[path.stem for path in STORED])
def test_stored_trace_is_written_unchanged(path):
    stream = io.StringIO()
    write(read(path), stream)
    assert stream.getvalue() == path.read_text(encoding="utf-8")


def test_stored_traces_exist():
    assert len(STORED) >= 4


def test_header_version_is_the_one_that_is_read():
    assert typed(HEADER).version == writing.VERSION
