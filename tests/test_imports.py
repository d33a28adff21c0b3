"""`import minitape` is quick, and brings what it needs and no more."""

import statistics
import subprocess
import sys
import time

import pytest


def _fresh(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_it_brings_neither_pictures_nor_command_line() -> None:
    """They are for the commands; a script that trains a model must not wait for them."""
    loaded = _fresh("import sys, minitape; print(*{name.split('.')[0] for name in sys.modules})")
    assert "minitape" in loaded.split()
    assert not {"rich", "typer", "click", "graphviz", "minitape_cli"} & set(loaded.split())


@pytest.mark.parametrize("room", ["minitape.debug", "minitape.keras"])
def test_rooms_that_few_programs_enter_stay_closed(room: str) -> None:
    loaded = _fresh("import sys, minitape; print(*sys.modules)")
    assert room not in loaded.split()


def test_it_costs_little_more_than_numpy() -> None:
    """Compared with NumPy in alternating runs, so that a busy machine slows both."""

    def seconds(program: str) -> float:
        began = time.perf_counter()
        _fresh(program)
        return time.perf_counter() - began

    bare, numpy, ours = (
        statistics.median(times)
        for times in zip(
            *(
                (seconds("pass"), seconds("import numpy"), seconds("import minitape"))
                for _ in range(5)
            ),
            strict=True,
        )
    )
    assert ours - bare < 3.0 * (numpy - bare) + 0.1
