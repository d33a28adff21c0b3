"""Where in the user's program something happened: places as the trace names them, each written at its first use."""

import ast
import hashlib
import linecache
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

from minitape.listen import positions, source
from minitape.listen.provenance.by_name import gives_to_caller


class Places:
    """The files and call sites of one trace, numbered in order of appearance.

    A `step` is one frame of the user's (`source.here`): its code object and the instruction that runs.

    Args:
        write: Called with the kind and the fields of each event: a `source` for a file, a `site` for a place in it.
        folder: What file names are relative to.
    """

    def __init__(self, write: Callable[[str, dict[str, Any]], None], folder: Path) -> None:
        self._write = write
        self._folder = folder
        # By the code's id, for its hash is slow; the code is kept, so that no other gets its id.
        self._sites: dict[tuple[int, int], tuple[int, source.Site, CodeType]] = {}
        self._numbered: dict[tuple[Any, ...], tuple[int, source.Site]] = {}
        self._files: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    def where(self, steps: tuple[source.Step, ...]) -> dict[str, Any]:
        """`at` and `stack` of the user's frames; sites are written at first use."""
        if not steps:
            return {"at": None, "stack": []}
        sites = [self.site(step) for step in steps]
        return {"at": sites[-1][1].at, "stack": [number for number, _ in sites]}

    def site(self, step: source.Step) -> tuple[int, source.Site]:
        """The number of a place, and the place."""
        key = id(step[0]), step[1]
        known = self._sites.get(key)
        if known is not None:
            return known[0], known[1]
        # An expression has several instructions, and Python gives it others once it runs often.
        place = (step[0].co_filename, positions.name(step[0]), *source.position(step))
        if place in self._numbered:
            self._sites[key] = (*self._numbered[place], step[0])
            return self._numbered[place]
        site = source.find(step, self._file(step[0].co_filename))
        number = len(self._numbered) + 1
        self._numbered[place] = number, site
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

    def text_of(self, step: source.Step) -> str:
        """The text of the file that a step is in; the same string each time, so that what is known of it is found fast."""
        filename = step[0].co_filename
        text = self._texts.get(filename)
        if text is None:
            text = self._texts[filename] = source.text_of(step)
        return text

    def target(self, steps: tuple[source.Step, ...]) -> str | None:
        """The name that the value of the running expression gets, also one that it is returned to."""
        return self.naming(steps)[0]

    def naming(self, steps: tuple[source.Step, ...]) -> tuple[str | None, int]:
        """That name, and which of the steps gives it."""
        for level in reversed(range(len(steps))):
            site = self.site(steps[level])[1]
            if not isinstance(site.statement, ast.Return) or site.statement.value is not site.node:
                return site.target, level
        return None, 0

    def _file(self, filename: str) -> str:
        shown = self._files.get(filename)
        if shown is None:
            shown = self._files[filename] = self._shown_name(filename)
            text = "".join(linecache.getlines(filename))
            digest = hashlib.sha256(text.encode()).hexdigest()
            self._write("source", {"file": shown, "sha256": digest, "text": text})
        return shown

    def _shown_name(self, filename: str) -> str:
        cell = _cell(filename)
        if cell is not None:
            return cell
        if filename.startswith("<"):
            return filename
        path = Path(filename).resolve()
        try:
            return path.relative_to(self._folder).as_posix()
        except ValueError:
            return path.name

    def statements_given(self, steps: tuple[source.Step, ...]) -> list[source.Site]:
        """The places whose statements get the value: the innermost, and outwards as long as it is returned."""
        sites = []
        for step in reversed(steps):
            sites.append(self.site(step)[1])
            if not gives_to_caller(sites[-1].statement):
                break
        return sites

    def first_operand(self, steps: tuple[source.Step, ...]) -> str | None:
        """The text of the first thing that the running expression computes with."""
        operands = self.site(steps[-1])[1].operands if steps else ()
        return operands[0] if operands else None


def _cell(filename: str) -> str | None:
    """What a running notebook calls the cell that it has compiled as this file, `In[3]`; None where there is none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    named = None if shell is None else shell.compile.format_code_name(filename)
    return None if named is None else str(named[1])


def names_of_outputs(target: str | None, count: int) -> list[str | None]:
    """`a, b = f(x)` names two outputs; `pair = f(x)` names pair[0] and pair[1]."""
    if target is None or count == 1:
        return [target] * count
    parts = [part.strip() for part in target.strip("()").split(",")]
    if len(parts) == count:
        return list(parts)
    return [f"{target}[{i}]" for i in range(count)]
