"""The law of the catalogue: every op says how it is differentiated, or why it cannot be."""

import pytest
from samples import END_AFTER_ONE, REFUSE_A_SECOND, REFUSE_AFTER_ONE, SAMPLES, Sample

from minitape.core.declaration import EveryInput
from minitape.core.registry import PRIMITIVES

SAMPLED = {sample.op for sample in (*SAMPLES, *END_AFTER_ONE, *REFUSE_AFTER_ONE, *REFUSE_A_SECOND)}
# Taken at import: a test that declares an op of its own does not add to the catalogue.
CATALOGUE = sorted(PRIMITIVES)


@pytest.mark.together("name", CATALOGUE)
def test_an_op_has_a_sample_or_a_reason(name: str) -> None:
    primitive = PRIMITIVES[name]
    if primitive.rules:
        assert name in SAMPLED, f"add a line for {name} to tests/samples.py"
    else:
        assert primitive.reason


@pytest.mark.together("name", CATALOGUE)
def test_an_op_has_a_sentence(name: str) -> None:
    """The debugger shows it beside the step."""
    assert PRIMITIVES[name].rule


def test_an_op_has_one_rule_for_each_input(sample: Sample) -> None:
    rules = sample.primitive.rules
    assert isinstance(rules, EveryInput) or len(rules) == len(sample.inputs)
