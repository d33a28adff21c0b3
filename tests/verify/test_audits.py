"""The audits of all programs equal the stored results; tests/audits.py writes them.

The results for tests/explain, tests/guides and the tutorials are compared in the tests that run them.
"""

import audits
import pytest


@pytest.mark.parametrize("name", audits.CORPORA["examples"])
def test_audit_of_example_equals_stored_result(name: str) -> None:
    trace = audits.CORPORA["examples"][name]()
    assert audits.found(trace) == audits.kept("examples", name)


def test_every_program_has_a_stored_result() -> None:
    written = {corpus: set(rows) for corpus, rows in audits.everything().items()}
    assert written == {corpus: set(programs) for corpus, programs in audits.CORPORA.items()}
    written_of_theirs = {
        corpus: len(rows) for corpus, rows in audits.everything("TensorFlow").items()
    }
    assert written_of_theirs == {
        corpus: len(scripts) for corpus, scripts in audits.ON_TENSORFLOW.items()
    }


@pytest.mark.parametrize("engine", audits.KEPT)
def test_stored_results_have_no_faults(engine: str) -> None:
    rows = [row for programs in audits.everything(engine).values() for row in programs.values()]
    assert not any("faults" in row for row in rows)


@pytest.mark.parametrize("engine", audits.KEPT)
def test_page_shows_the_totals(engine: str) -> None:
    page = audits.PAGE.read_text(encoding="utf-8")
    assert audits.table_in(page, engine) == audits.table(audits.everything(engine))
