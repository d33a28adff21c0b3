"""A painkiller is no cure: zeros in place of None do not let a patient of lesson 6 pass."""

import re
from pathlib import Path

import pytest

from minitape.course.course import Exercise, lesson
from minitape.course.attempts import Status, attempt

PATIENTS = lesson(Path(__file__).parents[2] / "tutorials" / "06_the_none_clinic").exercises
HALF_WELL = {"ex2_half_a_gradient", "ex6_plain_number"}  # a number comes back, and it is wrong
SEVERAL = {"ex12_lost_layer"}  # a list comes back, and a list is never None
ASKED = re.compile(r"tape\.gradient\(([^()]*)\)")


def tried(patient: Exercise, patch: str, to: Path) -> dict[str, bool]:
    """Which checks hold when each gradient call of the starter is patched."""
    text = patient.starter.read_text(encoding="utf-8")
    patched, count = ASKED.subn(patch, text)
    assert count == 1
    file = to / patient.starter.name
    file.write_text(patched, encoding="utf-8")
    came = attempt(patient, file, seed=6)
    assert came.status is Status.FAILED, came.message
    return {check.kind: check.ok for check in came.checks}


@pytest.mark.parametrize("patient", PATIENTS, ids=lambda patient: patient.name)
def test_unconnected_gradients_zero_is_detected(patient: Exercise, tmp_path: Path) -> None:
    zeros = r"tape.gradient(\1, unconnected_gradients=tf.UnconnectedGradients.ZERO)"
    holds = tried(patient, zeros, tmp_path)
    assert holds["connected"] == (patient.name in HALF_WELL)


@pytest.mark.parametrize(
    "patient",
    [each for each in PATIENTS if each.name not in HALF_WELL | SEVERAL],
    ids=lambda patient: patient.name,
)
def test_hand_written_zero_is_detected(patient: Exercise, tmp_path: Path) -> None:
    assert not tried(patient, r"(tape.gradient(\1) or 0.0)", tmp_path)["connected"]
