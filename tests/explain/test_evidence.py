"""The stated confidence is compared with how often the explainer was right; `pytest -s` prints the table."""

import pytest
from explain.sure import counted, table

from minitape.explain.causes import CAUSES
from minitape.explain.report import Confidence, Evidence

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("counted")]


def test_certain_findings_were_always_right() -> None:
    print(table())
    certain = [count for kind, count in counted().items() if kind.confidence is Confidence.CERTAIN]
    assert [said for count in certain for said in count.wrong] == []


def test_finding_based_on_names_is_never_certain() -> None:
    by_name = {kind for kind in counted() if kind.evidence is Evidence.NAME}
    assert {kind.confidence for kind in by_name} <= {Confidence.LIKELY, Confidence.POSSIBLE}


def test_each_cause_was_reported_and_judged_with_its_evidence() -> None:
    """The confidence of an uncounted cause is unknown. A run of the compiled program proves its cause (`--compiled`)."""
    judged = {(kind.slug, kind.evidence) for kind, count in counted().items() if count.right}
    declared = {(slug, cause.evidence) for slug, cause in CAUSES.items()}
    assert {each for each in declared if each[1] is not Evidence.COMPILED} <= judged
