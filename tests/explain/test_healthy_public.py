"""Healthy programs in the style of public courses and guides: none has a finding, and each note is true."""

import io
import warnings
from pathlib import Path

import pytest
from explain.public_programs import NOTED, PROGRAMS, REFUSED
from traced import run

import minitape as tf
from minitape.explain.explain import explain

pytestmark = pytest.mark.one_in(8)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in REFUSED])
def test_typical_program_has_no_finding(name: str, tmp_path: Path) -> None:
    script = tmp_path / f"{name}.py"
    script.write_text(PROGRAMS[name], encoding="utf-8")
    tf.keras.backend.clear_session()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some programs use settings that Keras calls outdated
        ran = run(script, on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0)
    assert ran.ok, ran.error.text if ran.error else ran.limit
    report = explain(ran.trace)
    assert report.calls
    assert report.ok
    assert {(note.code, note.location.line) for note in report.notes} == NOTED.get(name, set())


@pytest.mark.parametrize("name", REFUSED)
def test_refused_program_is_still_refused(name: str, tmp_path: Path) -> None:
    script = tmp_path / f"{name}.py"
    script.write_text(PROGRAMS[name], encoding="utf-8")
    tf.keras.backend.clear_session()
    assert not run(script, on="minitape", stdout=io.StringIO(), timeout=60, max_ops=0).ok


def test_there_are_at_least_300_programs() -> None:
    assert len(PROGRAMS) >= 300
    assert NOTED.keys() | REFUSED.keys() <= PROGRAMS.keys()
