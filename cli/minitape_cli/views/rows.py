"""A trace as rows: what a table of the run shows, before anyone decides how wide.

Reader      knows what each value is called; turns events into rows
Row         one line of a table
short       a tensor in a few letters
"""

from dataclasses import dataclass

from minitape.debug.trace import Event, Trace

_LONGEST_VALUE = 24


@dataclass(frozen=True)
class Row:
    """One line: cells from left to right, and how it is meant (op, event, lost, muted)."""

    key: tuple[object, ...]
    cells: tuple[str, ...]
    tone: str = "op"
    times: int = 1


_WHY_NOT = {
    "no_watched_input": "unrecorded: unwatched",
    "recording_stopped": "unrecorded: paused",
    "not_floating": "unrecorded: integers",
    "no_gradient": "unrecorded: no gradient",
    "no_tape": "no tape open",
}


class Reader:
    """Knows what each id is called, and turns events into rows."""

    def __init__(self, trace: Trace) -> None:
        self._names: dict[int, str] = {}
        self._values: dict[int, str] = {}  # of constants that no one named
        self._tapes: dict[int, str] = {}
        self._ops: dict[int, str] = {}
        self._is_walking = False
        self._lines = {event["op"]: _line(event) for event in trace.of("op")}
        self._code = {event["site"]: event["code"] for event in trace.of("site")}
        self._rules = {event["name"]: event["rule"] for event in trace.of("primitive")}

    def name(self, identity: int) -> str:
        return self._names.get(identity, "?")

    # --- forward: number, line, source, op, inputs, value, remark ---

    def row(self, event: Event, call: Event | None = None) -> Row | None:
        """The row of an event of the way forward; None for those that no one needs to see.

        `call` is the gradient call that is under way: what runs in its place is part of its walk.
        """
        self._is_walking = call is not None and event.get("stack") == call["stack"]
        teller = getattr(self, f"_{event['k']}", None)
        told: tuple[str, str, str, str, str, str] | None = teller(event) if teller else None
        if told is None:
            return None
        number, what, inputs, value, remark, tone = told
        stack = event.get("stack") or []
        code = self._code.get(stack[-1], "") if stack else ""
        cells = (number, _line(event), code, what, inputs, value, remark)
        return Row((event["k"], what, tuple(stack)), cells, tone)

    def _op(self, event: Event) -> tuple[str, str, str, str, str, str]:
        number = event["op"]
        self._ops[number] = event["name"]
        texts = [self._input(each) for each in event["inputs"]]
        for position, output in enumerate(event["outputs"]):
            part = f"[{position}]" if len(event["outputs"]) > 1 else ""
            # In a walk the user's names are those of the call's arguments and of its answer.
            name = None if self._is_walking else output["name"]
            self._names[output["id"]] = name or f"#{number}{part}"
        value = ", ".join(short(output) for output in event["outputs"])
        if event["recorded"]:
            kept = dict.fromkeys(self._label(each) for each in event["saved"])
            remark = f"keeps {', '.join(kept)}" if kept else ""
            return f"#{number}", event["name"], ", ".join(texts), value, remark, "op"
        why = next(iter(event["why_not"].values()), "no_tape")
        remark = _WHY_NOT.get(why, why)
        return f"#{number}", event["name"], ", ".join(texts), value, remark, "muted"

    def _input(self, given: Event) -> str:
        return self._label(given["t"], None if self._is_walking else given["text"])

    def _label(self, identity: int, text: str | None = None) -> str:
        return self._names.get(identity) or text or self._values.get(identity, "?")

    def _read(self, event: Event) -> None:
        self._names[event["out"]] = self.name(event["var"])

    def _constant(self, event: Event) -> tuple[str, str, str, str, str, str] | None:
        value = event["T"]
        self._values[value["id"]] = short(value)
        name = value["name"] or event["text"]
        if name and not self._is_walking:
            self._names[value["id"]] = name
        if event["how"] != "tf.constant":
            return None
        return "", "constant", "", short(value), "", "event"

    def _variable(self, event: Event) -> tuple[str, str, str, str, str, str]:
        self._names[event["var"]] = event["T"]["name"] or event["name"]
        remark = "" if event["trainable"] else "not trainable"
        return "", "variable", "", short(event["T"]), remark, "event"

    def _assign(self, event: Event) -> tuple[str, str, str, str, str, str]:
        return "", event["how"], self.name(event["var"]), short(event["T"]), "", "event"

    def _rebind(self, event: Event) -> tuple[str, str, str, str, str, str]:
        return "!", "name reused", event["name"], "", "now another value", "lost"

    def _export(self, event: Event) -> tuple[str, str, str, str, str, str]:
        left = ", ".join(self.name(each) for each in event["t"])
        return "", "left the engine", left, "", f"via {event['via']}", "muted"

    def _reentry(self, event: Event) -> tuple[str, str, str, str, str, str]:
        came = ", ".join(self.name(each) for each in event["value_of"])
        value = self._values.get(event["t"], "")
        return "!", "came back", came, value, "as a constant", "lost"

    def _tape_enter(self, event: Event) -> tuple[str, str, str, str, str, str]:
        tape = event["tape"][0]
        self._tapes[tape] = event["name"] or f"tape {tape}"
        remark = "persistent" if event["persistent"] else ""
        return "", f"{self._tapes[tape]} opens", "", "", remark, "event"

    def _tape_exit(self, event: Event) -> tuple[str, str, str, str, str, str]:
        name = self._tapes.get(event["tape"][0], "tape")
        count = event["n_ops"]
        return "", f"{name} closes", "", "", f"{count} op{'s' * (count != 1)}", "event"

    def _watch(self, event: Event) -> tuple[str, str, str, str, str, str] | None:
        if event["how"] == "read" or event["t"] is None:
            return None
        return "", "watch", self.name(event["t"]), "", "", "event"

    def _stop_recording(self, event: Event) -> tuple[str, str, str, str, str, str]:
        what = "recording pauses" if event["on"] else "recording goes on"
        return "", what, "", "", "", "event"

    def _reset(self, event: Event) -> tuple[str, str, str, str, str, str]:
        return "!", "reset", "", "", f"forgets {event['dropped']} ops", "lost"

    def _note(self, event: Event) -> tuple[str, str, str, str, str, str]:
        return "", "note", event["text"], "", "", "event"

    def _error(self, event: Event) -> tuple[str, str, str, str, str, str]:
        first = event["message"].partition("\n")[0]
        return "!", event["type"], first, "", "", "lost"

    # --- backward: step, op, line, gradient in, rule, sent to, running sum ---

    def back(self, event: Event) -> Row:
        number = event["op"]
        name = self._ops.get(number, "")
        title = f"#{number} {name}" if number is not None else "?"
        sent = ", ".join(self.name(out["t"]) for out in event["out"])
        sums = ", ".join(self._sum(out) for out in event["out"])
        line = self._lines.get(number, "")
        rule = self._rules.get(name, "")
        cells = (str(event["step"]), title, line, short(event["grad_in"]), rule, sent, sums)
        return Row((name, line, len(event["out"])), cells)

    def _sum(self, out: Event) -> str:
        uses = f" ({out['use']} of {out['uses']})" if out["uses"] > 1 else ""
        return short(out["sum"]) + uses

    def seed(self, event: Event, call: Event) -> Row:
        name = self.name(event["t"])
        cells = ("0", "seed", _line(call), "", "", name, short(event["T"]))
        return Row(("seed",), cells, "event")

    def learn(self, result: Event) -> None:
        """A gradient is a value too: the program may go on with it."""
        if result["T"] is not None and result["T"]["name"]:
            self._names[result["T"]["id"]] = result["T"]["name"]


def _line(event: Event) -> str:
    at = event.get("at")
    return str(at[1]) if at else ""


def short(summary: Event) -> str:
    """A tensor in a few letters: its numbers if they are few, else its shape and its range."""
    data = summary.get("data")
    if data is not None and summary["n"] <= 4:
        text = _plain(data)
        if len(text) <= _LONGEST_VALUE:
            return text
    shape = ",".join(map(str, summary["shape"]))
    if summary.get("min") is None:
        return f"{summary['dtype']}[{shape}]"
    return f"[{shape}] {_plain(summary['min'])}..{_plain(summary['max'])}"


def _plain(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_plain, value)) + "]"
    if isinstance(value, float):
        text = f"{value:.4g}"
        return text if any(letter in text for letter in ".ein") else text + ".0"
    return {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}.get(str(value), str(value))
