"""The law of the catalog: every op states how it is differentiated, or why it cannot be."""

import pytest
from samples import END_AFTER_ONE, REFUSE_A_SECOND, REFUSE_AFTER_ONE, SAMPLES, Sample

from minitape.core.declaration import EveryInput
from minitape.core.registry import PRIMITIVES

SAMPLED = {sample.op for sample in (*SAMPLES, *END_AFTER_ONE, *REFUSE_AFTER_ONE, *REFUSE_A_SECOND)}
# Collected at import: a test that declares its own op does not add to the catalog.
CATALOGUE = sorted(PRIMITIVES)


@pytest.mark.together("name", CATALOGUE)
def test_op_has_sample_or_reason(name: str) -> None:
    primitive = PRIMITIVES[name]
    if primitive.rules:
        assert name in SAMPLED, f"add a line for {name} to tests/samples.py"
    else:
        assert primitive.reason


@pytest.mark.together("name", CATALOGUE)
def test_op_has_rule_text(name: str) -> None:
    """The debugger shows it next to the step."""
    assert PRIMITIVES[name].rule


def test_op_has_one_rule_for_each_input(sample: Sample) -> None:
    rules = sample.primitive.rules
    assert isinstance(rules, EveryInput) or len(rules) == len(sample.inputs)
