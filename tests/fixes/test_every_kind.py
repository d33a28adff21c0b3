"""Every kind of fix has a program in which the fix is typed exactly as printed and restores the gradient.

For each text of the catalog, `kinds.json` names this program, or states that the text is only advice or not part of a fix. The
first test fails for a new text that is not in any of its tables.
"""

import collections
import json
import re
import subprocess
from pathlib import Path

import pytest
from fixes.kinds import OF_TEXTS, tables
from fixes.survey import (
    OWN,
    PROGRAMS,
    Typed,
    complaint,
    fixes_by_rule,
    rule_name,
    typed_fixes,
)
from fixes.typist import catalog_names

from minitape.fixes.repair.rules import FIXES

pytestmark = pytest.mark.one_in(3)

_KINDS = tables()
_BY_PROGRAM = collections.defaultdict[str, set[str]](set)
for _kind, _program in _KINDS["programs"].items():
    _BY_PROGRAM[_program].add(_kind)


def _script(program: str) -> Path:
    folder, _, name = program.partition("/")
    return (OWN if folder == "programs" else PROGRAMS / folder) / f"{name}.py"


def test_every_text_of_the_catalog_is_in_one_table() -> None:
    counted = collections.Counter(kind for table in OF_TEXTS for kind in _KINDS[table])
    assert [kind for kind, count in counted.items() if count > 1] == []
    assert set(counted) == set(catalog_names().values())


@pytest.mark.parametrize("program", sorted(_BY_PROGRAM))
def test_printed_fix_restores_the_gradient(program: str, tmp_path: Path) -> None:
    """The gradient also agrees with finite differences, where they can be computed."""
    left = dict.fromkeys(_BY_PROGRAM[program], "no finding has this fix")
    for fix in typed_fixes(_script(program)):
        kinds = fix.kinds & left.keys()
        if not kinds or fix.text is None:
            continue
        wrong = complaint(_script(program), fix, tmp_path)
        for kind in kinds:
            left[kind] = wrong and f"{wrong}\n{fix.finding.fix}\n{fix.text}"
            if not wrong:
                del left[kind]
    assert left == {}


def test_every_rule_has_a_program() -> None:
    assert set(_KINDS["rules"]) == {rule_name(rule) for rules in FIXES.values() for rule in rules}


@pytest.mark.parametrize("rule", sorted(_KINDS["rules"]))
def test_rule_repairs_its_program(rule: str, tmp_path: Path) -> None:
    script = _script(_KINDS["rules"][rule])
    fixes = [fix for name, fix in fixes_by_rule(script) if name == rule and fix.text is not None]
    wrong = [complaint(script, fix, tmp_path) for fix in fixes]
    assert "" in wrong, wrong


# Runs each typed program on TensorFlow, in one process, and prints what the gradient call in question returned.
_ON_TENSORFLOW = """
import contextlib, io, json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import tensorflow as tf
from verify import observed
found = {}
for script in sorted(Path(sys.argv[1]).glob("*/*.py")):
    tf.keras.backend.clear_session()
    seen = observed(script)
    found[script.stem] = [[line, visit, kinds] for (line, visit), kinds in seen.calls.items()], seen.raised
print(json.dumps(found))
"""


@pytest.mark.tensorflow
@pytest.mark.timeout(1200)
def test_typed_programs_have_their_gradients_on_tensorflow(
    tmp_path: Path, tensorflow_python: str
) -> None:
    expected: dict[str, tuple[Typed, int]] = {}
    for program, kinds in _BY_PROGRAM.items():
        script, folder = _script(program), tmp_path / str(len(expected))
        fixes = [
            each for each in typed_fixes(script) if each.text is not None and each.kinds & kinds
        ]
        repairing = [each for each in fixes if not complaint(script, each, tmp_path)]
        if not repairing:
            continue
        folder.mkdir()
        for beside in (each for each in script.parent.iterdir() if each.is_dir()):
            (folder / beside.name).symlink_to(beside)
        text = repairing[0].text or ""
        (folder / script.name).write_text(text, encoding="utf-8")
        moved = len(text.splitlines()) - len(script.read_text(encoding="utf-8").splitlines())
        expected[script.stem] = repairing[0], moved
    runner = tmp_path / "runner.py"
    runner.write_text(_ON_TENSORFLOW, encoding="utf-8")
    judges = str(PROGRAMS.parent)
    done = subprocess.run(
        [tensorflow_python, str(runner), str(tmp_path), judges],
        capture_output=True,
        text=True,
        timeout=1100,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.strip().splitlines()[-1])
    wrong = {}
    for name, (fix, moved) in expected.items():
        calls, raised = found[name]
        requested = fix.call.location.line
        near = min(calls, key=lambda call: abs(call[0] - requested - moved), default=None)
        fine = (
            {"ok", "zero"}
            if re.search(r"request zeros|for zeros|to get zeros", fix.finding.fix)
            else {"ok"}
        )
        index = fix.source.index
        if near is None:
            wrong[name] = f"no gradient call; {raised}"
        elif near[2][min(index, len(near[2]) - 1)] not in fine:
            wrong[name] = f"{near}; {raised}; {fix.finding.fix}"
    assert wrong == {}
