"""Reads a trace from bytes and checks it, so that code that uses events does not have to.

read     a file → Trace: each event follows the format, and refers only to earlier events (references.py)
decode   one line → its event
"""

from pathlib import Path
from typing import Any, Union

import msgspec
from msgspec.structs import force_setattr

from minitape.errors import TraceError
from minitape.storage import read_file
from minitape.trace.events import KINDS, Event, HeaderEvent, Numbers, TraceStruct
from minitape.trace.faults import fault
from minitape.trace.references import References
from minitape.trace.trace import Trace, other
from minitape.trace.writing import FORMAT, VERSION, seldom_searched

_MOST_BYTES = 2**30
_REWRITE = "run `minitape trace SCRIPT -o FILE.jsonl` to create a new trace"


def read(path: Path) -> Trace:
    """Read a trace file: JSON Lines, or the object that `minitape trace --json` writes.

    An incomplete file is read up to its end. The result is valid: each event has the fields of its kind, and refers only to
    earlier events.

    Raises:
        TraceError: the file is not a trace, has a different version, or is damaged before its last line.
        OSError: the file cannot be read, is not a regular file, or is larger than 1 GB.
    """
    lines = read_file(path, _MOST_BYTES).split(b"\n")
    if not lines[-1].strip():
        lines.pop()
    if len(lines) == 1:
        lines = _unwrapped(lines[0])
    _check_header(lines, path)
    references = References()
    trace = Trace()
    with seldom_searched():
        for number, line in enumerate(lines):
            try:
                event = _decoded(line)
                found = _out_of_place(event, number, references)
            except _NotJsonError as error:
                if number == len(lines) - 1 > 0:
                    break  # the writer was stopped in the middle of a line
                found = str(error)
            except _NoEventError as error:
                found = str(error)
            if found is not None:
                raise TraceError(
                    f"{path.name} is damaged: line {number + 1} {found}.", fix=_REWRITE
                )
            trace.events.append(event)
    return trace


def decode(line: bytes) -> Event:
    """Return one line of a trace as an event. This does not check whether its references are valid.

    Raises:
        TraceError: the line is not an event of a trace.

    >>> decode(b'{"i": 4, "k": "end", "events": 5, "dropped": 0}').events
    5
    """
    try:
        return _decoded(line)
    except _NoEventError as error:
        raise TraceError(f"A line of the trace {error}.") from error


# --- one line ---


class _NoEventError(ValueError):
    """Why a line is not an event."""


class _NotJsonError(_NoEventError):
    """The line is not JSON, which only the last line of an incomplete trace may be."""


_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Union[tuple(KINDS.values())])  # noqa: UP007 - of a tuple
_plain = msgspec.json.Decoder().decode


def _decoded(line: bytes) -> Event:
    try:
        if not line.isascii():
            line.decode()  # fields that are not declared must be text too
        event = _decoder.decode(line)
        # Only such a line can contain `NaN` or `Infinity`, written out or with escaped letters.
        if b'NaN"' in line or b'Infinity"' in line or b"\\u00" in line:
            _put_floats(event)
    except msgspec.ValidationError as error:
        return _of_unknown_kind(line, error)
    except _NOT_JSON as error:
        raise _NotJsonError("is not JSON") from error
    return event


def _of_unknown_kind(line: bytes, error: msgspec.ValidationError) -> Event:
    """Return an event whose kind is unknown, because a later version wrote it; an event of a known kind is an error."""
    event = _as_json(line)
    if not isinstance(event, dict):
        raise _NoEventError("is not an event of a trace")
    kind, number = event.get("k"), event.get("i")
    if not isinstance(kind, str):
        raise _NoEventError("has no field `k`, which is its kind")
    if kind in KINDS:
        raise _NoEventError(f"({kind}) does not follow the format: {fault(kind, error)}")
    if type(number) is not int:
        raise _NoEventError(f"({kind}) has no field `i`, which is its number")
    return other(event)


def _as_json(line: bytes) -> Any:
    try:
        return _plain(line)
    except _NOT_JSON as error:
        raise _NotJsonError("is not JSON") from error


_WORDS = frozenset(("NaN", "Infinity", "-Infinity"))


def _put_floats(part: Any) -> None:
    """In numeric fields, replace the strings for numbers that JSON lacks (`NaN`, `Infinity`) with floats."""
    if isinstance(part, Numbers):
        if part.dtype != "string":
            force_setattr(part, "data", _as_floats(part.data))
        force_setattr(part, "strip", _as_floats(part.strip))
    elif isinstance(part, TraceStruct):
        for name in part.__struct_fields__:
            _put_floats(getattr(part, name))
    elif isinstance(part, list):
        for each in part:
            _put_floats(each)


def _as_floats(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_floats(each) for each in value]
    return float(value) if isinstance(value, str) and value in _WORDS else value


# --- the whole file ---


class _Envelope(msgspec.Struct):
    """The output of `minitape trace --json`."""

    schema: str
    data: dict[str, msgspec.Raw]


def _unwrapped(line: bytes) -> list[bytes]:
    """Return the lines in the output of `minitape trace --json`; any other line is returned unchanged."""
    try:
        whole = msgspec.json.decode(line, type=_Envelope)
    except _NOT_JSON:
        return [line]
    if whole.schema != f"minitape.trace/{VERSION}":
        return [line]
    try:
        events = msgspec.json.decode(whole.data["events"], type=list[msgspec.Raw])
    except (KeyError, msgspec.DecodeError):
        return []
    return [bytes(event) for event in events]


def _check_header(lines: list[bytes], path: Path) -> None:
    what = None
    header: Any = {}
    if not lines:
        what = "it is empty"
    else:
        try:
            header = _as_json(lines[0])
        except _NotJsonError as error:
            what = f"line 1 {error}"
    if what is None:
        if not isinstance(header, dict) or header.get("i") != 0:
            what = "line 1 is not event 0 of a trace"
        elif header.get("k") != "header" or header.get("format") != FORMAT:
            what = f"its first line is not a {FORMAT} header"
    if what is not None:
        raise TraceError(f"{path.name} is not a trace: {what}.", fix=_REWRITE)
    version = header.get("v")
    if version != VERSION:
        raise TraceError(
            f"{path.name} has version {version} of the trace format, but this minitape reads version {VERSION}.",
            fix="run `minitape trace SCRIPT -o FILE.jsonl` to create the trace again with this version",
        )


def _out_of_place(event: Event, number: int, references: References) -> str | None:
    if event.i != number:
        return f"is not event {number} of a trace"
    if isinstance(event, HeaderEvent) and number:
        return "is a second header"
    found = references.fault(event)
    return None if found is None else f"({event.kind}) {found}"
