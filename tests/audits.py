"""The audits of the traces of all sample programs; `python tests/audits.py` stores their results.

    CORPORA         the programs, by corpus and name, each with a function that runs it under a tracer
    ON_TENSORFLOW   those that TensorFlow runs, by corpus
    found(trace)    the result of an audit, as stored in golden/audits.json and golden/audits_on_tensorflow.json
    kept(...)       the stored result
    table()         the totals, as shown in docs/audit.md

The results for TensorFlow are updated only if MINITAPE_TENSORFLOW_PYTHON names a Python that has TensorFlow.
"""

import io
import json
import os
import re
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from explain.judge import CASES, explained
from on_tensorflow.traced import received
from traced import run

from minitape import keras
from minitape.trace.reading import read
from minitape.trace.trace import Trace
from minitape.verify.audit.auditing import audit
from minitape.verify.audit.report import What

HERE = Path(__file__).parent
ROOT = HERE.parent
KEPT = {
    "minitape": HERE / "golden" / "audits.json",
    "TensorFlow": HERE / "golden" / "audits_on_tensorflow.json",
}
PAGE = ROOT / "docs" / "audit.md"

Found = dict[str, Any]


def _ran(script: Path) -> Callable[[], Trace]:
    def trace() -> Trace:
        keras.backend.clear_session()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the guides also show mistakes
            ran = run(script, on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0)
        return ran.trace

    return trace


def _case(name: str) -> Callable[[], Trace]:
    return lambda: explained(name).ran.trace


_EXAMPLES = sorted((ROOT / "minitape" / "examples").glob("[!_]*.py"))
_LESSONS = sorted((ROOT / "tutorials").glob("*/lesson.py"))
_GUIDES = sorted((HERE / "guides" / "scripts").glob("*.py"))
CORPORA: dict[str, dict[str, Callable[[], Trace]]] = {
    "examples": {script.stem: _ran(script) for script in _EXAMPLES},
    "tutorials": {script.parent.name: _ran(script) for script in _LESSONS},
    "guides": {script.stem: _ran(script) for script in _GUIDES},
    "explain": {name: _case(name) for name in CASES},
}
ON_TENSORFLOW: dict[str, list[Path]] = {
    "examples": _EXAMPLES,
    "tutorials": _LESSONS,
    "guides": _GUIDES,
    "explain": sorted((HERE / "explain" / "cases").glob("*/*.py")),
    "programs": sorted((HERE / "on_tensorflow" / "programs").glob("*.py")),
}


def found(trace: Trace) -> Found:
    """Return how much was audited, what was not and why, and the kinds and lines of the faults."""
    report = audit(trace).as_data()
    reported: Found = {what: count for what, count in report["audited"].items() if count}
    if report["not_audited"]:
        reported["not audited"] = report["not_audited"]
    faults = sorted({f"{fault['kind']} at line {fault['line']}" for fault in report["faults"]})
    return reported | ({"faults": faults} if faults else {})


def kept(corpus: str, name: str) -> Found:
    """Return the stored result for the trace of a program."""
    return dict(everything()[corpus][name])


def everything(engine: str = "minitape") -> dict[str, dict[str, Found]]:
    return dict(json.loads(KEPT[engine].read_text(encoding="utf-8")))


def found_on_tensorflow(folder: Path) -> dict[str, Found]:
    """Return the results for the traces in a folder, by program name."""
    return {path.stem: found(read(path)) for path in sorted(folder.glob("*.jsonl"))}


def table(corpora: dict[str, dict[str, Found]]) -> str:
    """Return two Markdown tables: what was audited in each corpus, and what was not audited."""
    names = [what.value for what in What]
    lines = [
        f"| corpus | programs | {' | '.join(names)} | with faults |",
        f"| --- |{' ---: |' * (len(names) + 2)}",
    ]
    reasons: Counter[tuple[str, str]] = Counter()
    for corpus, programs in corpora.items():
        done: Counter[str] = Counter()
        for each in programs.values():
            done += Counter({what: each.get(what, 0) for what in names})
            for what, by_reason in each.get("not audited", {}).items():
                reasons += Counter({(what, reason): n for reason, n in by_reason.items()})
        faulty = sum("faults" in each for each in programs.values())
        cells = [corpus, len(programs), *(done[what] for what in names), faulty]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    lines += ["", "| not audited | how many | because |", "| --- | ---: | --- |"]
    lines += [f"| {what} | {n} | {reason} |" for (what, reason), n in sorted(reasons.items())]
    return "\n".join(lines) + "\n"


def _place(engine: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- {engine} -->\n).*?(?=<!-- end of {engine} -->)", re.S)


def table_in(page: str, engine: str) -> str:
    """Return the table in a page."""
    match = _place(engine).search(page)
    return "" if match is None else match[0]


def _on_minitape() -> dict[str, dict[str, Found]]:
    return {
        corpus: {name: found(trace()) for name, trace in programs.items()}
        for corpus, programs in CORPORA.items()
    }


def _on_tensorflow(python: str) -> dict[str, dict[str, Found]]:
    corpora = {}
    for corpus, scripts in ON_TENSORFLOW.items():
        with tempfile.TemporaryDirectory() as folder:
            received(python, Path(folder), scripts, only=True)
            corpora[corpus] = found_on_tensorflow(Path(folder))
    return corpora


def _write(engine: str, corpora: dict[str, dict[str, Found]]) -> None:
    rows = [
        f"{json.dumps(corpus)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
        + "\n}"
        for corpus, rows in corpora.items()
    ]
    KEPT[engine].write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_place(engine).sub(lambda _: table(corpora), page), encoding="utf-8")
    print(engine, table(corpora), sep="\n\n")


def main() -> None:
    _write("minitape", _on_minitape())
    python = os.environ.get("MINITAPE_TENSORFLOW_PYTHON")
    if python:
        _write("TensorFlow", _on_tensorflow(python))


if __name__ == "__main__":
    main()
