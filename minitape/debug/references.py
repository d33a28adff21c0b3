"""Whether the events of a trace go together: what an event refers to came before it, and no number is given twice.

Readers follow ids without looking twice: a value that came from itself would send them round in circles.
"""

from collections.abc import Callable, Collection, Iterable
from math import prod
from typing import Any, TypeVar

_Id = TypeVar("_Id", int, str)


class References:
    """What the events so far have numbered; `fault` takes the next one, which has the shape that the schema gives it."""

    def __init__(self) -> None:
        self._values: set[int] = set()
        self._variables: set[int] = set()
        self._sites: set[int] = set()
        self._ops: set[int] = set()
        self._primitives: set[str] = set()
        self._exports: set[int] = set()
        self._sources: dict[int, list[int | None]] = {}  # of each gradient call
        self._answered: set[tuple[int, int]] = set()
        self._is_over = False
        self._checks: dict[str, Callable[[dict[str, Any]], str | None]] = {
            "site": lambda event: self._new(self._sites, event["site"], "site"),
            "primitive": self._primitive,
            "constant": self._constant,
            "variable": self._variable,
            "read": self._read,
            "op": self._op,
            "assign": self._assign,
            "export": self._export,
            "reentry": self._reentry,
            "rebind": lambda event: self._known(self._values, (event["was"], event["now"])),
            "watch": lambda event: self._known(self._values, (event["t"],)),
            "gradient": self._gradient,
            "seed": self._seed,
            "back": self._back,
            "result": self._result,
            "error": lambda event: self._known(self._sources, (event["call"],), "gradient call"),
            "end": self._end,
        }

    def fault(self, event: dict[str, Any]) -> str | None:
        """What is wrong with the next event in its place; None if it fits."""
        if self._is_over:
            return "comes after the end"
        check = self._checks.get(event["k"])
        return self._known(self._sites, event.get("stack", ()), "site") or (check and check(event))

    # --- the two questions ---

    def _known(
        self, held: Collection[_Id], ids: Iterable[_Id | None], what: str = "value"
    ) -> str | None:
        for each in ids:
            if each is not None and each not in held:
                return f"refers to {what} {each}, which is in no event before it"
        return None

    def _new(self, held: set[int], number: int, what: str = "value") -> str | None:
        if number in held:
            return f"gives the number of {what} {number} once more"
        held.add(number)
        return None

    # --- kind by kind ---

    def _primitive(self, event: dict[str, Any]) -> str | None:
        self._primitives.add(event["name"])
        return None

    def _constant(self, event: dict[str, Any]) -> str | None:
        return (
            self._known(self._values, (event["from"],))
            or self._new(self._values, event["T"]["id"])
            or _uneven(event["T"])
        )

    def _variable(self, event: dict[str, Any]) -> str | None:
        fault = self._known(self._values, (event["from"],)) or _uneven(event["T"])
        self._variables.add(event["var"])
        return fault or _other(event, "var") or self._new(self._values, event["var"])

    def _read(self, event: dict[str, Any]) -> str | None:
        fault = self._known(self._variables, (event["var"],), "variable")
        return fault or self._new(self._values, event["out"])

    def _op(self, event: dict[str, Any]) -> str | None:
        fault = self._new(self._ops, event["op"], "op")
        fault = fault or self._known(self._primitives, (event["name"],), "primitive")
        fault = fault or self._known(self._values, (given["t"] for given in event["inputs"]))
        for output in event["outputs"]:
            fault = fault or self._new(self._values, output["id"]) or _uneven(output)
        return fault or self._known(self._values, event["saved"])

    def _assign(self, event: dict[str, Any]) -> str | None:
        fault = self._known(self._variables, (event["var"],), "variable")
        fault = fault or self._known(self._values, (event["from"],))
        return fault or _other(event, "var") or _uneven(event["T"])

    def _export(self, event: dict[str, Any]) -> str | None:
        fault = self._known(self._values, event["t"])
        return fault or self._new(self._exports, event["export"], "export")

    def _reentry(self, event: dict[str, Any]) -> str | None:
        fault = self._known(self._values, (event["t"], *event["value_of"]))
        return fault or self._known(self._exports, event["exports"], "export")

    def _gradient(self, event: dict[str, Any]) -> str | None:
        call = event["call"]
        if call in self._sources:
            return f"gives the number of gradient call {call} once more"
        sources = [source["t"] for source in event["sources"]]
        given = event["output_gradients"] or ()
        fault = self._known(self._values, (*event["target"], *sources, *given))
        fault = fault or self._known(self._sources, (event["inside"],), "gradient call")
        self._sources[call] = sources
        return fault or self._known(self._exports, event["left"], "export")

    def _seed(self, event: dict[str, Any]) -> str | None:
        fault = self._known(self._sources, (event["call"],), "gradient call")
        return fault or self._known(self._values, (event["t"],)) or _uneven(event["T"])

    def _back(self, event: dict[str, Any]) -> str | None:
        fault = self._known(self._sources, (event["call"],), "gradient call")
        fault = fault or self._known(self._ops, (event["op"],), "op")
        # An op that ran before anyone listened has values without a number: 0.
        met = [event["grad_in"]["id"], *(each["t"] for each in event["skipped"])]
        fault = fault or _uneven(event["grad_in"])
        for sent in event["out"]:
            met += [sent["t"], *sent["reads"]]
            fault = fault or _uneven(sent["T"]) or _uneven(sent["sum"])
        return fault or self._known(self._values, (each or None for each in met))

    def _result(self, event: dict[str, Any]) -> str | None:
        call, source, gradient = event["call"], event["source"], event["T"]
        fault = self._known(self._sources, (call,), "gradient call")
        fault = fault or self._known(self._values, (event["t"],))
        if fault is None and self._sources[call][source : source + 1] != [event["t"]]:
            fault = f"answers for value {event['t']}, which is not source {source}"
        if fault is None and (call, source) in self._answered:
            fault = f"answers for source {source} once more"
        self._answered.add((call, source))
        if gradient is not None:
            self._values.add(gradient["id"])  # an op of the walk may have made it
            fault = fault or _uneven(gradient)
        return fault

    def _end(self, event: dict[str, Any]) -> str | None:
        self._is_over = True
        return None if event["events"] == event["i"] + 1 else f"counts {event['events']} events"


def _other(event: dict[str, Any], field: str) -> str | None:
    number, identity = event[field], event["T"]["id"]
    return None if number == identity else f"has the numbers of value {identity}"


def _uneven(tensor: dict[str, Any]) -> str | None:
    """What is wrong where the numbers of a tensor do not go with its shape."""
    shape, count = tensor["shape"], tensor["n"]
    if prod(shape) != count:
        return f"says that shape {shape} has {count} elements"
    if "data" not in tensor or tensor["dtype"] == "string":
        return None
    return None if _fits(tensor["data"], shape) else f"has data that is not of shape {shape}"


def _fits(data: Any, shape: list[int]) -> bool:
    if not shape:
        return not isinstance(data, list)
    if not isinstance(data, list) or len(data) != shape[0]:
        return False
    return all(_fits(each, shape[1:]) for each in data)
