"""`slide(name)` returns the block diagram of a program, run once."""

from collections.abc import Callable
from functools import cache

import pytest
from draw.slides.slide_programs import program
from traced import run

from minitape.draw.diagram import Diagram, diagram
from minitape.explain.explain import explain


@pytest.fixture(scope="session")
def slide(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Diagram]:
    folder = tmp_path_factory.mktemp("programs")

    @cache
    def slide_of(name: str) -> Diagram:
        trace = run(program(name, folder), stdout=None).trace
        return diagram(trace, explain(trace))

    return slide_of
