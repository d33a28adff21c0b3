"""What an audit finds in the programs that we have is what is written down; tests/audits.py writes it.

Those of tests/explain, tests/guides and the tutorials are compared where they are run.
"""

import audits
import pytest


@pytest.mark.parametrize("name", audits.CORPORA["examples"])
def test_the_trace_of_an_example_is_audited_as_written_down(name: str) -> None:
    trace = audits.CORPORA["examples"][name]()
    assert audits.found(trace) == audits.kept("examples", name)


def test_every_program_is_written_down_and_no_other() -> None:
    written = {corpus: set(rows) for corpus, rows in audits.everything().items()}
    assert written == {corpus: set(programs) for corpus, programs in audits.CORPORA.items()}
    written_of_theirs = {
        corpus: len(rows) for corpus, rows in audits.everything("TensorFlow").items()
    }
    assert written_of_theirs == {
        corpus: len(scripts) for corpus, scripts in audits.ON_TENSORFLOW.items()
    }


@pytest.mark.parametrize("engine", audits.KEPT)
def test_nothing_is_wrong_in_what_is_written_down(engine: str) -> None:
    rows = [row for programs in audits.everything(engine).values() for row in programs.values()]
    assert not any("faults" in row for row in rows)


@pytest.mark.parametrize("engine", audits.KEPT)
def test_the_page_shows_the_sums(engine: str) -> None:
    page = audits.PAGE.read_text(encoding="utf-8")
    assert audits.table_in(page, engine) == audits.table(audits.everything(engine))
