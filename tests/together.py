"""`@pytest.mark.together("name", values)`: one test for many values, whose failure lists all values that failed.

Thousands of tests of a millisecond each take longer to collect and report than to run. So the test is written for one value, as
with `parametrize`, and called for each value; the exceptions of all values together are the failure of the test.

    by      a function from a value to its group; there is one test for each group
    parts   the number of tests into which a group is divided; values with similar names go to different parts
    one_in  a run without `--whole` tests one in this many values of a group, different ones each day; may be a function of the
    group
    beside  another test whose parts run on the same worker as these, because both use cached results for the same values

Fixtures are created once for the test, not for each value; a test that needs a new fixture for each value should use
`parametrize`.
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

COUNT = "values"  # the name of a user property in the report
_DAY = "MINITAPE_TESTS_DAY"  # in the environment, so that all workers of a run use the same day, even around midnight


_is_whole = True


def configure(*, is_whole: bool) -> None:
    global _is_whole  # read while test modules are imported, which have no access to the configuration
    _is_whole = is_whole
    os.environ.setdefault(_DAY, str(int(time.time()) // 86_400))


def is_whole() -> bool:
    return _is_whole


def sampled(values: Iterable[_Value], one_in: int) -> list[_Value]:
    """Return all values in a whole run; otherwise about one in `one_in`, but at least one, and different ones each day."""
    every = list(values)
    if _is_whole:
        return every
    return [each for each in every if _is_of_today(each, one_in)] or every[:1]


def left_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that a run without `--whole` deselects because their module is marked `one_in(n)`; each module keeps a
    test.
    """
    modules: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        modules[item.path].append(item)
    return [each for module in modules.values() for each in _left_out_of(module)]


def place_of_today(item: pytest.Item) -> int:
    """Return a key that sorts modules in a different order each day, and keeps the tests of a module together."""
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
    """Return a number for a value that is the same in every process."""
    return zlib.crc32(str(value).encode())


@dataclass(frozen=True)
class Many:
    """The values of one test."""

    argument: str
    values: Sequence[Any]

    def called(self, test: Callable[..., object], others: dict[str, Any]) -> None:
        """Raise the exceptions of all values, each with the name of its value."""
        raised: list[BaseException] = []
        for value in self.values:
            try:
                test(**others, **{self.argument: value})
            except (Exception, pytest.fail.Exception) as error:
                error.add_note(f"{self.argument} = {value!s:.300}")
                raised.append(error)
        if raised:
            raise BaseExceptionGroup(f"{len(raised)} of {len(self.values)} failed", raised)


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
