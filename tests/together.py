"""`@pytest.mark.together("name", values)`: the test is one test for many values, and lists all that differ.

Thousands of tests of a thousandth of a second each cost more to collect and to report than to run. So the test is written for
one value, as with `parametrize`, and called for one after the other; what the values raise is, together, the test's failure.

    by      what a value's group is; there is a test for each group
    parts   into how many tests a group is divided, by the names of the values: what is near in name is not near in a part
    one_in  a run without `--whole` takes one in so many of a group, other ones each day; a function of the group may say how many
    beside  whose parts go to the same worker as these: they read what is kept of the same values

Fixtures are made once for the test, not for each value: one that must be fresh belongs to `parametrize`.
"""

import inspect
import os
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

_Value = TypeVar("_Value")

COUNT = "values"  # a user property of the report
_DAY = "MINITAPE_TESTS_DAY"  # in the environment: the workers of a run must agree, also at midnight


_is_whole = True


def configure(*, is_whole: bool) -> None:
    global _is_whole  # asked while test modules are imported, which know of no configuration
    _is_whole = is_whole
    os.environ.setdefault(_DAY, str(int(time.time()) // 86_400))


def is_whole() -> bool:
    return _is_whole


def sampled(values: Iterable[_Value], one_in: int) -> list[_Value]:
    """All of them in a whole run; else about one in so many, and at least one; other ones each day."""
    every = list(values)
    if _is_whole:
        return every
    return [each for each in every if _is_of_today(each, one_in)] or every[:1]


def left_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Those which a run without `--whole` leaves out because their module is marked `one_in(n)`; each module keeps a test."""
    modules: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        modules[item.path].append(item)
    return [each for module in modules.values() for each in _left_out_of(module)]


def place_of_today(item: pytest.Item) -> int:
    """A key that sorts modules in another order each day, and leaves the tests of a module together."""
    return _number(f"{item.location[0]} {os.environ[_DAY]}")


def _left_out_of(module: list[pytest.Item]) -> list[pytest.Item]:
    kept = [each for each in module if _is_of_today(each.nodeid, _one_in(each))] or module[:1]
    return [each for each in module if each not in kept]


def _one_in(item: pytest.Item) -> int:
    mark = item.get_closest_marker("one_in")
    return 1 if mark is None else int(mark.args[0])


def _is_of_today(value: object, one_in: int) -> bool:
    return _number(value) % one_in == int(os.environ[_DAY]) % one_in


def _number(value: object) -> int:
    """The same in every process."""
    return zlib.crc32(str(value).encode())


@dataclass(frozen=True)
class Many:
    """What one test goes through."""

    argument: str
    values: Sequence[Any]

    def called(self, test: Callable[..., object], others: dict[str, Any]) -> None:
        """Raise what the values raised, each with its name."""
        raised: list[BaseException] = []
        for value in self.values:
            try:
                test(**others, **{self.argument: value})
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(f"{self.argument} = {value!s:.300}")
                raised.append(error)
        if raised:
            raise BaseExceptionGroup(f"{len(raised)} of {len(self.values)} differ", raised)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for mark in metafunc.definition.iter_markers("together"):
        _parametrize(metafunc, *mark.args, **mark.kwargs)


def _parametrize(
    metafunc: pytest.Metafunc,
    argument: str,
    values: Iterable[Any],
    *,
    by: Callable[[Any], str] = lambda _: "all",
    parts: int = 1,
    one_in: int | Callable[[str], int] = 1,
    beside: str = "",
) -> None:
    groups: dict[str, list[Any]] = defaultdict(list)
    for value in values:
        groups[by(value)].append(value)
    tests: dict[str, list[Any]] = defaultdict(list)
    for name, group in groups.items():
        many = one_in(name) if callable(one_in) else one_in
        for value in sampled(group, many):
            part = f"-{_number(value) // many % parts + 1}" if parts > 1 else ""
            tests[name + part].append(value)
    room = beside or metafunc.module.__name__
    params = [
        pytest.param(Many(argument, tests[name]), id=name, marks=_with(f"{room}-{name}"))
        for name in sorted(tests)
    ]
    metafunc.parametrize(argument, params)


def _with(group: str) -> pytest.MarkDecorator:
    return pytest.mark.xdist_group(group)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    many = [each for each in pyfuncitem.funcargs.values() if isinstance(each, Many)]
    if not many:
        return None
    (only,) = many
    names = inspect.signature(pyfuncitem.obj).parameters
    others = {name: pyfuncitem.funcargs[name] for name in names if name != only.argument}
    pyfuncitem.user_properties.append((COUNT, len(only.values)))
    only.called(pyfuncitem.obj, others)
    return True
