"""Removes the numbers and strings of the user from a trace, so that it can be shown to others.

redacted     a trace → the same trace without them; `minitape explain` still reads it
without      source text with its numbers, strings and comments masked; columns do not change

What remains: the structure of the program (ops, tapes, gradient calls, their positions), shapes, dtypes, identifiers, and the
counts of zeros, NaN and infinities. The signs of the smallest and the largest element of a tensor remain too.
docs/trace-format.md has the complete list.

`_RULES` names each field that may contain text. A field that is missing there causes an error, so it cannot leak.
"""

import hashlib
import re
from collections.abc import Callable
from typing import Any, cast

import msgspec

from minitape.trace.events import (
    Event,
    HeaderEvent,
    LoopHead,
    ScopeEvent,
    SourceEvent,
    SourceRange,
    TraceStruct,
    UnknownEvent,
)
from minitape.trace.trace import Trace

MASKED = "redacted"

_QUOTES = ('"""', "'''", '"', "'")
_PREFIX = re.compile(r"[a-zA-Z]{0,2}(?=[\"'])")
_NUMBER = re.compile(r"(?:\d|\.\d)(?:[eE][+-](?=\d)|[\w.])*")
_WORD = re.compile(r"[^\W\d]\w*")
_DTYPE = re.compile(r"(bool|string|b?float\d+|u?int\d+|complex\d+|resource|variant)$")
_SPECIAL_FILE = re.compile(r"<(code|stdin|cell \d+)>$|In\[\d+\]$")

# Names that Keras and TensorFlow give to variables.
_USUAL = frozenset(
    (
        "Variable",
        "kernel",
        "bias",
        "gamma",
        "beta",
        "moving_mean",
        "moving_variance",
        "embeddings",
        "recurrent_kernel",
        "recurrent_bias",
        "depthwise_kernel",
        "pointwise_kernel",
        "alpha",
        "iteration",
        "learning_rate",
        "momentum",
        "velocity",
        "total",
        "count",
        "seed_generator",
        "seed_generator_state",
    )
)


def redacted(trace: Trace) -> Trace:
    """Return the trace without numbers and strings of the user."""
    return _Redaction(trace).trace()


def without(text: str) -> str:
    """Return source text, or a part of it, with each number, string and comment masked by the same number of characters.

    >>> without("loss = scale * 0.25 + f('secret')  # as agreed")
    "loss = scale * 0000 + f('xxxxxx')  #xxxxxxxxxx"
    """
    parts, i = [], 0
    while i < len(text):
        end = i + 1
        if text[i] == "#":
            end = _line_end(text, i)
            parts.append("#" + _masked(text[i + 1 : end]))
        elif (prefix := _PREFIX.match(text, i)) is not None:
            end = _string_end(text, prefix.end(), formats="f" in prefix[0].lower())
            quote = _quote(text, prefix.end())
            inside = text[prefix.end() + len(quote) : end]
            closing = quote if inside.endswith(quote) else ""
            body = inside[: len(inside) - len(closing)]
            parts.append(prefix[0] + quote + _masked(body) + closing)
        elif (number := _NUMBER.match(text, i)) is not None:
            end = number.end()
            parts.append("0" * (end - i))
        elif (word := _WORD.match(text, i)) is not None:
            end = word.end()
            parts.append(word[0])
        else:
            parts.append(text[i])
        i = end
    return "".join(parts)


def _masked(text: str) -> str:
    return re.sub(r"[^\n]", "x", text)


def _line_end(text: str, i: int) -> int:
    end = text.find("\n", i)
    return len(text) if end < 0 else end


def _quote(text: str, i: int) -> str:
    return next(quote for quote in _QUOTES if text.startswith(quote, i))


def _string_end(text: str, i: int, *, formats: bool) -> int:
    """Return the end of the string whose opening quote is at `i`; if the string is not closed, the end of the text or of the
    line.
    """
    quote = _quote(text, i)
    i += len(quote)
    while i < len(text):
        if text.startswith(quote, i):
            return i + len(quote)
        if text[i] == "\n" and len(quote) == 1:
            return i
        if text[i] == "\\" or (formats and text.startswith("{{", i)):
            i += 2
        elif formats and text[i] == "{":
            i = _field_end(text, i + 1)
        else:
            i += 1
    return len(text)


def _field_end(text: str, i: int) -> int:
    """Return the end of a replacement field of an f-string; since Python 3.12, it may contain strings with the same quotes."""
    depth = 1
    while i < len(text) and depth:
        if text[i] in "\"'":
            i = _string_end(text, i, formats=True)
            continue
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        i += 1
    return i


class _Redaction:
    """The redaction of one trace: the identifiers that may remain, and the names that replace others."""

    def __init__(self, trace: Trace) -> None:
        self.events = trace.events
        self.names: dict[str, str] = {}
        self.files: dict[str, str] = {}
        self.words = set(_USUAL)
        for event in self.events:
            if isinstance(event, SourceEvent):
                self.words.update(_WORD.findall(without(event.text)))
            elif isinstance(event, ScopeEvent):
                self.words.add(event.type)
                self.words.add(_snake(event.type))
        first = self.events[0] if self.events else None
        if isinstance(first, HeaderEvent):
            self.file(first.script)

    def trace(self) -> Trace:
        return Trace([self.event(event) for event in self.events])

    def event(self, event: Event) -> Event:
        if isinstance(event, UnknownEvent):
            return msgspec.structs.replace(event, fields={})
        return cast(Event, self.struct(event))

    def struct(self, part: Any) -> Any:
        """Return an event or a part of one with all its fields redacted.

        Raises:
            KeyError: `_RULES` has no rule for a field with text.
        """
        changed = {
            name: self.field(f"{type(part).__name__}.{name}", getattr(part, name))
            for name in part.__struct_fields__
        }
        if isinstance(part, SourceEvent):
            changed["sha256"] = hashlib.sha256(changed["text"].encode()).hexdigest()
        return msgspec.structs.replace(part, **changed)

    def field(self, name: str, value: Any) -> Any:
        rule = _RULES.get(name)
        if rule is not None:
            return None if value is None else rule(self, value)
        if isinstance(value, SourceRange):
            return value._replace(file=self.file(value.file))
        if isinstance(value, TraceStruct):
            return self.struct(value)
        if isinstance(value, list):
            return [self.field(name, each) for each in value]
        if value is None or isinstance(value, bool | int):
            return value  # ids, counts, shapes and positions
        raise KeyError(f"no rule for {name}")

    def text(self, text: str) -> str:
        return without(text)

    def name(self, name: str) -> str:
        """Return the name if it consists of identifiers of the program; otherwise a replacement, which is the same each time."""
        text = without(name)
        if all(self.is_known(word) for word in _WORD.findall(text)):
            return text
        return self.names.setdefault(name, f"name_{len(self.names) + 1}")

    def is_known(self, word: str) -> bool:
        return word in self.words or re.sub(r"_\d+$", "", word) in self.words

    def file(self, file: str) -> str:
        if _SPECIAL_FILE.match(file):
            return file
        other = f"module_{len(self.files)}.py" if self.files else "script.py"
        return self.files.setdefault(file, other)


def _snake(name: str) -> str:
    """Return the name that Keras makes of a class: `conv2d` of `Conv2D`."""
    name = re.sub(r"(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def _keep(_: _Redaction, value: Any) -> Any:
    return value


def _drop(_: _Redaction, value: Any) -> Any:
    return None


def _mask(_: _Redaction, value: Any) -> str:
    return MASKED


def _empty(_: _Redaction, value: Any) -> Any:
    return type(value)()


def _sign(_: _Redaction, value: float) -> float:
    return float((value > 0) - (value < 0))


def _loop(redaction: _Redaction, loop: LoopHead) -> LoopHead:
    return loop._replace(text=redaction.text(loop.text))


def _dtypes_and_booleans(_: _Redaction, attrs: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in attrs.items()
        if value is None
        or isinstance(value, bool)
        or (isinstance(value, str) and _DTYPE.match(value))
    }


# The rule for each field that may contain text or numbers of the user. Ids, counts, shapes and positions remain.
_RULES: dict[str, Callable[[_Redaction, Any], Any]] = {
    "HeaderEvent.format": _keep,
    "HeaderEvent.minitape": _keep,
    "HeaderEvent.python": _keep,
    "HeaderEvent.numpy": _keep,
    "HeaderEvent.script": _Redaction.file,
    "HeaderEvent.argv": _empty,
    "HeaderEvent.seed": _drop,
    "HeaderEvent.engine": _keep,
    "HeaderEvent.engine_version": _keep,
    "SourceEvent.file": _Redaction.file,
    "SourceEvent.sha256": _keep,  # replaced with the digest of the redacted text
    "SourceEvent.text": _Redaction.text,
    "SiteEvent.function": _Redaction.name,
    "SiteEvent.loop": _loop,
    "SiteEvent.code": _Redaction.text,
    "SiteEvent.expression": _Redaction.text,
    "SiteEvent.target": _Redaction.name,
    "ScopeEvent.role": _keep,
    "ScopeEvent.name": _Redaction.name,
    "ScopeEvent.type": _keep,
    "ScopeEvent.settings": _empty,
    "PrimitiveEvent.name": _keep,
    "PrimitiveEvent.rule": _keep,
    "PrimitiveEvent.gradient": _keep,
    "PrimitiveEvent.reason": _keep,
    "Numbers.name": _Redaction.name,
    "Numbers.dtype": _keep,
    "Numbers.min": _sign,
    "Numbers.max": _sign,
    "Numbers.mean": _drop,
    "Numbers.std": _drop,
    "Numbers.l2": _drop,
    "Numbers.data": _drop,
    "Numbers.strip": _drop,
    "Numbers.packed": _drop,
    "Numbers.blocks": _drop,
    "Numbers.maps": _drop,
    "ConstantEvent.how": _keep,
    "ConstantEvent.text": _Redaction.text,
    "VariableEvent.name": _Redaction.name,
    "Input.text": _Redaction.text,
    "OpEvent.name": _keep,
    "OpEvent.attrs": _dtypes_and_booleans,
    "OpEvent.why_not": _keep,
    "OpEvent.target_name": _Redaction.name,
    "AssignEvent.how": _keep,
    "ExportEvent.via": _keep,
    "RebindEvent.name": _Redaction.name,
    "TapeEnterEvent.name": _Redaction.name,
    "WatchEvent.how": _keep,
    "GradientEvent.api": _keep,
    "GradientEvent.target_name": _Redaction.text,
    "GradientEvent.unconnected": _keep,
    "GradientEvent.text": _Redaction.text,
    "GradientSource.name": _Redaction.name,
    "Skipped.why": _keep,
    "ErrorEvent.type": _keep,
    "ErrorEvent.message": _mask,
    "ErrorEvent.refused": _keep,
    "NoteEvent.text": _mask,
}
