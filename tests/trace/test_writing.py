"""What writes a trace runs in the user's Python, which may be an older one that has nothing installed."""

import ast
import gc
import subprocess
import sys
from pathlib import Path

import pytest

from minitape.trace.writing import never_searched

WRITING = Path(__file__).parents[2] / "minitape/trace/writing.py"
PRINTABLE = Path(__file__).parents[2] / "minitape/printable.py"


@pytest.mark.parametrize(
    ("module", "of_minitape"), [(WRITING, {"minitape.printable"}), (PRINTABLE, set())]
)
def test_it_needs_the_standard_library_alone(module: Path, of_minitape: set[str]) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    imported = {
        name if name in of_minitape else name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [each.name for each in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names | of_minitape


@pytest.mark.parametrize("module", [WRITING, PRINTABLE])
def test_it_is_written_for_python_3_10(module: Path) -> None:
    ast.parse(module.read_text(encoding="utf-8"), feature_version=(3, 10))


def test_the_room_lets_it_be_had_without_the_types():
    code = "import sys, minitape.trace.writing; print('msgspec' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


@pytest.mark.parametrize("was_on", [True, False])
def test_garbage_is_looked_for_afterwards_as_it_was_before(was_on):
    before = gc.isenabled()
    (gc.enable if was_on else gc.disable)()
    try:
        with pytest.raises(ZeroDivisionError), never_searched():
            assert not gc.isenabled()
            1 / 0  # noqa: B018
        assert gc.isenabled() == was_on
    finally:
        (gc.enable if before else gc.disable)()


def test_what_was_made_meanwhile_is_not_searched_at_once_when_it_is_done():
    searches = []
    gc.callbacks.append(watch := lambda phase, _: searches.append(phase))
    try:
        with never_searched():
            made = [[number] for number in range(100_000)]
        few = [[number] for number in range(100)]
    finally:
        gc.callbacks.remove(watch)
    assert len(made) + len(few) == 100_100
    assert not searches


def test_what_a_program_keeps_from_being_searched_stays_so():
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with never_searched():
            pass
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()
