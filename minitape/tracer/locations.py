"""Numbers the locations of events in the user's program, and writes each location to the trace before its first use."""

import ast
import hashlib
import sys
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from types import CodeType
from typing import Any
from weakref import WeakKeyDictionary

from minitape.source_text import file_text
from minitape.tracer import source
from minitape.tracer.code import converted
from minitape.tracer.provenance.by_name import gives_to_caller

_MOST_LOCATIONS = 10_000  # a recursion has a different stack at each depth


class EventLocations:
    """The files and call sites of one trace, numbered in order of appearance.

    A `step` is one frame of the user's program (`source.here`): its code object and the current instruction.

    Args:
        write: Called with the kind and the fields of each event: a `source` for a file, a `site` for a location in it.
        folder: The folder that file names are relative to.
    """

    def __init__(self, write: Callable[[str, dict[str, Any]], None], folder: Path) -> None:
        self._write = write
        self._folder = folder
        # The keys contain the id of the code object, because hashing it is slow. The code object is kept alive, so that its id
        # stays unique.
        self._sites: dict[tuple[int, int], tuple[int, source.CallSite, CodeType]] = {}
        self._numbered: dict[tuple[Any, ...], tuple[int, source.CallSite]] = {}
        self._files: dict[str, str] = {}
        self._locations: dict[tuple[int | None, tuple[int, ...]], EventLocation] = {}
        # Frames that are written once for all events inside them. The steps keep the code objects alive whose ids are in the key.
        self._written: dict[
            tuple[int | None, tuple[int, ...]], tuple[int, tuple[source.StackStep, ...]]
        ] = {}
        self._frames: WeakKeyDictionary[source.Outer, int] = WeakKeyDictionary()
        self._last_frames = 0

    def location(self, stack: source.Stack) -> "EventLocation":
        """Return the locations of the frames of a stack."""
        outer = None if stack.outer is None else self.frames(stack.outer)
        location = self._locations.get((outer, stack.key))
        if location is None:
            if len(self._locations) >= _MOST_LOCATIONS:
                self._locations.clear()
            # The location keeps the code objects alive whose ids are in the key.
            location = self._locations[outer, stack.key] = EventLocation(self, stack.steps, outer)
        return location

    def frames(self, outer: source.Outer) -> int:
        """Return the number of the `frames` event for the outer frames of a deep stack; it is written before its first use."""
        waiting = []
        at: source.Outer | None = outer
        while at is not None and at not in self._frames:
            waiting.append(at)
            at = at.outer
        for each in reversed(waiting):
            around = None if each.outer is None else self._frames[each.outer]
            self._frames[each] = self._number_of(each, around)
        return self._frames[outer]

    def _number_of(self, each: source.Outer, around: int | None) -> int:
        known = self._written.get((around, each.key))
        if known is not None:
            return known[0]
        if len(self._written) >= _MOST_LOCATIONS:
            self._written.clear()
        stack = [self.site(step)[0] for step in each.steps]
        self._last_frames += 1
        self._written[around, each.key] = self._last_frames, each.steps
        fields = {} if around is None else {"outer": around}
        self._write("frames", {"frames": self._last_frames, **fields, "stack": stack})
        return self._last_frames

    def site(self, step: source.StackStep) -> tuple[int, source.CallSite]:
        """Return the number of a location, and the location."""
        key = id(step[0]), step[1]
        known = self._sites.get(key)
        if known is not None:
            return known[0], known[1]
        # An expression has several instructions, and Python replaces them once they have run often.
        file = converted.file_of(step[0].co_filename)
        location = (file, converted.name_of(step[0]), *source.position(step))
        if location in self._numbered:
            self._sites[key] = (*self._numbered[location], step[0])
            return self._numbered[location]
        site = source.find(step, self._file(file))
        number = len(self._numbered) + 1
        self._numbered[location] = number, site
        self._sites[key] = number, site, step[0]
        self._write(
            "site",
            {
                "site": number,
                "at": site.at,
                "func": site.func,
                "loop": None if site.loop is None else list(site.loop),
                "code": site.code,
                "expr": site.expr,
                "target": site.target,
            },
        )
        return number, site

    def _file(self, filename: str) -> str:
        shown = self._files.get(filename)
        if shown is None:
            shown = self._files[filename] = self._shown_name(filename)
            text = file_text(filename).text
            digest = hashlib.sha256(text.encode(errors="replace")).hexdigest()
            self._write("source", {"file": shown, "sha256": digest, "text": text})
        return shown

    def _shown_name(self, filename: str) -> str:
        cell = _cell(filename)
        if cell is not None:
            return cell
        if filename.startswith("<"):
            return str(filename)  # `compile` accepts a subclass of str, which a trace cannot store
        path = Path(filename).resolve()
        try:
            return path.relative_to(self._folder).as_posix()
        except ValueError:
            return path.name


class EventLocation:
    """The location of an event, with the source texts that its events need.

    Each property is computed at its first use and cached, because sites are written at their first use.

    Args:
        locations: Numbers and writes the sites.
        steps: The user's frames of the event, the outermost first; for a deep stack, the innermost ones.
        outer: The number of the outer frames, if there are more.
    """

    def __init__(
        self,
        locations: EventLocations,
        steps: tuple[source.StackStep, ...],
        outer: int | None = None,
    ) -> None:
        self._locations = locations
        self._steps = steps
        self._outer = outer

    @cached_property
    def where(self) -> dict[str, Any]:
        """The fields `at` and `stack` of an event, and `outer` in a deep stack."""
        sites = [self._locations.site(step) for step in self._steps]
        at = sites[-1][1].at if sites else None
        outer = {} if self._outer is None else {"outer": self._outer}
        return {"at": at, "stack": [number for number, _ in sites], **outer}

    @cached_property
    def site(self) -> source.CallSite | None:
        """The innermost location; None if no frame of the user is on the stack."""
        return self._locations.site(self._steps[-1])[1] if self._steps else None

    @cached_property
    def all(self) -> list[source.CallSite]:
        """The locations of these frames, the innermost last."""
        return [self._locations.site(step)[1] for step in self._steps]

    @cached_property
    def text(self) -> str:
        """The text of the file of the innermost location."""
        return file_text(converted.file_of(self._steps[-1][0].co_filename)).text

    @cached_property
    def function(self) -> str:
        """The function that contains the innermost location."""
        return converted.name_of(self._steps[-1][0])

    @property
    def target(self) -> str | None:
        """The name to which the value of the running expression is assigned, even if a function returns the value first."""
        return self.naming[0]

    @cached_property
    def naming(self) -> tuple[str | None, int]:
        """The name to which the value is assigned, and the level of the frame that assigns it."""
        for level in reversed(range(len(self._steps))):
            site = self._locations.site(self._steps[level])[1]
            if not isinstance(site.statement, ast.Return) or site.statement.value is not site.node:
                return site.target, level
        return None, 0

    @cached_property
    def given(self) -> list[source.CallSite]:
        """The locations whose statements receive the value: the innermost one, and the outer ones that it is returned to."""
        sites = []
        for step in reversed(self._steps):
            sites.append(self._locations.site(step)[1])
            if not gives_to_caller(sites[-1].statement):
                break
        return sites

    @property
    def operands(self) -> tuple[str, ...]:
        """The texts of the operands of the running expression."""
        return self.site.operands if self.site is not None else ()

    @property
    def first_operand(self) -> str | None:
        """The text of the first operand of the running expression."""
        return self.operands[0] if self.operands else None

    @cached_property
    def all_operands(self) -> str:
        """The texts of all operands, as one expression."""
        return f"({', '.join(self.operands)},)"


def _cell(filename: str) -> str | None:
    """Return the name `In[3]` of the notebook cell that was compiled as this file; None if there is none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    named = getattr(getattr(shell, "compile", None), "format_code_name", lambda _: None)(filename)
    match named:
        case (_, str(label)):
            return str(label)  # never a subclass of str, which a trace cannot store
    return None  # not a cell, or a version of IPython before 8, or a different shell


def names_of_outputs(target: str | None, count: int) -> list[str | None]:
    """Return the names of outputs: `a, b = f(x)` names two; `pair = f(x)` names pair[0] and pair[1]."""
    if target is None or count == 1:
        return [target] * count
    parts = [part.strip() for part in target.strip("()").split(",")]
    if len(parts) == count:
        return list(parts)
    return [f"{target}[{i}]" for i in range(count)]
