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


def test_the_page_shows_the_sums() -> None:
    page = audits.PAGE.read_text(encoding="utf-8")
    assert audits.told_in(page) == audits.table(audits.everything())
