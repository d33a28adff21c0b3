"""The report about each case, word for word, in the `reported.json` of its folder. `--update` writes it again; read the changes.

`expected.json` declares what must be found. This file records the wording, because no other test covers the choice of a sentence.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from explain import judge
from explain.judge import CASES, explained, of_each_case

from minitape.explain.report import SourceReport

_PAGES = {
    each.parent.name: each.with_name("reported.json")
    for each in judge.HERE.glob("cases/*/expected.json")
}
_BROKEN = {name: case for name, case in CASES.items() if case.causes}


def reported(name: str) -> list[dict[str, Any]]:
    """Return the report about the call in question; parts that sources share are stored once, with their names."""
    call = explained(name).call(_BROKEN[name])
    assert call is not None
    answers: list[dict[str, Any]] = []
    for source in call.sources:
        for answer in _answers(source):
            same = next((each for each in answers if each == answer | {"of": each["of"]}), None)
            if same is None:
                answers.append(answer)
            else:
                same["of"] += answer["of"]
    return answers


def _answers(source: SourceReport) -> Iterator[dict[str, Any]]:
    for finding in source.findings:
        yield {
            "of": [source.name],
            "cause": finding.slug,
            "sure": f"{finding.confidence} by {finding.evidence}",
            "lines": [
                f"{line} {part}" for line, part in zip(finding.lines, finding.parts, strict=True)
            ],
            "label": finding.label,
            "why": finding.message,
            "try": finding.fix,
            "path": "".join("-" if hop.lost is None else "x" for hop in finding.path),
            "ways": [list(fix_set) for fix_set in source.fix_sets],
        }


def _pages() -> dict[str, dict[str, Any]]:
    pages: dict[str, dict[str, Any]] = {folder: {} for folder in _PAGES}
    for name, case in _BROKEN.items():
        pages[case.script.parent.name][name] = reported(name)
    return pages


def _kept(page: Path) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(page.read_text(encoding="utf-8")) if page.exists() else {}
    return kept


@pytest.fixture(scope="module", autouse=True)
def _written(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update"):
        for folder, answers in _pages().items():
            text = json.dumps(answers, indent=1, ensure_ascii=False)
            _PAGES[folder].write_text(f"{text}\n", encoding="utf-8")


@of_each_case(_BROKEN)
def test_report_equals_the_stored_one(name: str) -> None:
    assert reported(name) == _kept(_PAGES[_BROKEN[name].script.parent.name]).get(name)


@pytest.mark.parametrize("folder", _PAGES)
def test_removed_case_has_no_stored_report(folder: str) -> None:
    here = {name for name, case in _BROKEN.items() if case.script.parent.name == folder}
    assert set(_kept(_PAGES[folder])) == here
