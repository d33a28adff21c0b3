"""The result of checking a run, as data that one process can send to another.

CheckReport    the calls and the ops
  CheckedCall  a gradient call, with each of its gradients compared with finite differences
  CheckedOp    an op that the tapes recorded, with its rule compared with finite differences
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from minitape.autodiff.finite_differences import GradientVerdict
from minitape.autodiff.gradcheck import GradientComparison


@dataclass(frozen=True)
class CheckedCall:
    """A gradient call of the script. `more` is the number of unchecked calls on the same line, in other iterations of a loop."""

    number: int
    line: int
    text: str
    comparisons: tuple[GradientComparison, ...]
    more: int


@dataclass(frozen=True)
class CheckedOp:
    """An op that the tapes recorded, with the number of its recordings and the worst result for its gradient rule."""

    name: str
    rule: str
    times: int
    verdict: GradientVerdict
    error: float
    why: str


@dataclass(frozen=True)
class CheckReport:
    """The result of checking a run. If `is_lost` is true, there is no result, because the script's process had already ended."""

    calls: tuple[CheckedCall, ...] = ()
    ops: tuple[CheckedOp, ...] = ()
    is_lost: bool = False

    @property
    def ok(self) -> bool:
        """Whether no gradient and no rule differs."""
        verdicts = [each.verdict for call in self.calls for each in call.comparisons]
        verdicts += [op.verdict for op in self.ops]
        return GradientVerdict.DIFFERS not in verdicts

    def as_data(self) -> dict[str, Any]:
        """Return the report in built-in Python types: the `data` of `minitape check --json`."""
        return {
            "calls": [asdict(each, dict_factory=_simple) for each in self.calls],
            "ops": [asdict(each, dict_factory=_simple) for each in self.ops],
        }

    @classmethod
    def of_data(cls, data: dict[str, Any] | None) -> CheckReport:
        """Return the report that `as_data` returned; `data` is None if it did not arrive."""
        if data is None:
            return cls(is_lost=True)
        calls = (_call(each) for each in data["calls"])
        return cls(tuple(calls), tuple(CheckedOp(**_with_verdict(each)) for each in data["ops"]))


def _call(data: dict[str, Any]) -> CheckedCall:
    return CheckedCall(**data | {"comparisons": tuple(map(_comparison, data["comparisons"]))})


def _comparison(data: dict[str, Any]) -> GradientComparison:
    element = None if data["element"] is None else tuple(data["element"])
    return GradientComparison(
        **_with_verdict(data) | {"shape": tuple(data["shape"]), "element": element}
    )


def _with_verdict(data: dict[str, Any]) -> dict[str, Any]:
    return data | {"verdict": GradientVerdict(data["verdict"])}


def _simple(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields, with enums and NumPy floats converted to built-in types."""
    data = dict(fields)
    for name, value in data.items():
        if isinstance(value, GradientVerdict):
            data[name] = value.value
        elif isinstance(value, float):
            data[name] = float(value)
    return data
