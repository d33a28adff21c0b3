"""A case: a small program for TensorFlow and minitape, and what it may do differently.

def gradient_of_a_square(tf, np): ...     a case: takes the module under test, returns or raises
@differs("because ...", raises="...")     where minitape departs from TensorFlow on purpose
@rounds(1e-5, "because ...")              where the two round further apart than usual
TABLE = table({"name": lambda tf, np: ...})  many cases of one expression each
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

Program = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class Difference:
    """What minitape does instead of TensorFlow's behaviour; fields left None follow TensorFlow.

    Args:
        because: Why; a sentence.
        raises: The class that must be among the bases of what is raised.
        gives: The described result (see `outcomes.describe`) that is returned instead.
        warns: The categories of the warnings, in addition to TensorFlow's.
    """

    because: str
    raises: str | None = None
    gives: Any = None
    warns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """One named program."""

    name: str
    program: Program
    difference: Difference | None = None
    rtol: float | None = None

    def __call__(self, tf: Any, np: Any) -> Any:
        return self.program(tf, np)


def differs(
    because: str, *, raises: str | None = None, gives: Any = None, warns: tuple[str, ...] = ()
) -> Callable[[Program], Case]:
    """Mark a program in which minitape departs from TensorFlow on purpose."""

    def mark(program: Program) -> Case:
        return replace(as_case(program), difference=Difference(because, raises, gives, warns))

    return mark


def rounds(rtol: float, because: str) -> Callable[[Program], Case]:
    """Allow a program more rounding than its dtype gets; `because` is for the reader."""
    assert because

    def mark(program: Program) -> Case:
        return replace(as_case(program), rtol=rtol)

    return mark


def as_case(program: Program) -> Case:
    return program if isinstance(program, Case) else Case(program.__name__, program)


def table(programs: Mapping[str, Program]) -> tuple[Case, ...]:
    """Many short cases by name; each is a program, or one that was marked."""
    return tuple(replace(as_case(program), name=name) for name, program in programs.items())


def cases_of(page: ModuleType) -> Mapping[str, Case]:
    """All cases of a page: its public functions of (tf, np), what was marked, and its `TABLE`."""
    found = {
        each.name: each for each in map(_as_case_of(page), vars(page).values()) if each is not None
    }
    table = getattr(page, "TABLE", ())
    twice = [each.name for each in table if each.name in found]
    names = [each.name for each in table]
    twice += [name for name in set(names) if names.count(name) > 1]
    assert not twice, f"two cases of {page.__name__} are called {twice}"
    return found | {each.name: each for each in table}


def _as_case_of(page: ModuleType) -> Callable[[Any], Case | None]:
    def as_case_of(thing: Any) -> Case | None:
        if isinstance(thing, Case):
            return thing
        if getattr(thing, "__module__", None) != page.__name__ or not hasattr(thing, "__code__"):
            return None
        code = thing.__code__
        takes = code.co_varnames[: code.co_argcount]
        return as_case(thing) if takes == ("tf", "np") and thing.__name__[0] != "_" else None

    return as_case_of
