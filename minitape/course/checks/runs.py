"""Checks of what was recorded while the student's program ran.

codes       what the explainer finds in it
connected   no gradient was lost
tape        the shape of what was recorded
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec import field

from minitape.course.checks.check import OnRun, Scene
from minitape.course.failing import Failed
from minitape.trace import events


class Codes(OnRun, frozen=True, tag="codes"):
    """Which codes the explainer finds in all gradient calls of the program; `outcome = "healthy"`: none at all."""

    absent: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    outcome: Literal["healthy"] | None = None

    def judge(self, scene: Scene) -> str:
        for code in self.absent:
            if code in scene.codes:
                raise Failed(
                    f"{_told(scene, code)} ({code})",
                    f"minitape explain shows it at your own line; minitape explain {code} tells more",
                )
        for code in self.present:
            if code not in scene.codes:
                found = ", ".join(scene.codes) or "none"
                raise Failed(
                    f"{code} was to be shown, and it is not in your run (found: {found}).",
                    f"minitape explain {code} has a program that shows it",
                )
        if self.outcome == "healthy" and scene.codes:
            code = scene.codes[0]
            raise Failed(
                f"{_told(scene, code)} ({code})", "minitape explain shows it at your own line"
            )
        if self.present:
            return f"your run shows {', '.join(self.present)}"
        if not self.absent:
            return "the explainer finds nothing"
        return f"{', '.join(self.absent)} {'is' if len(self.absent) == 1 else 'are'} gone"


class Connected(OnRun, frozen=True, tag="connected"):
    """At least one gradient was asked for; none was None, and no None was hidden by zeros."""

    def judge(self, scene: Scene) -> str:
        from minitape.explain.flow.graph import Flow
        from minitape.explain.report import Outcome

        calls = scene.report.calls
        if not calls:
            raise Failed("no gradient was asked for.", "call tape.gradient(target, sources)")
        flow = Flow(scene.trace).calls
        asked = {call.event.i: call for call in flow.values()}
        for call in calls:
            made = asked[call.event]
            for source in call.sources:
                line = call.place.line
                if source.outcome in (Outcome.NONE, Outcome.ERROR):
                    word = "is None" if source.outcome is Outcome.NONE else "could not be computed"
                    raise Failed(
                        f"the gradient for {source.name or 'a source'} in line {line} {word}.",
                        "minitape explain points at the line that lost it",
                    )
                is_hidden = made.event.unconnected == "zero" and source.value not in made.reached
                if is_hidden and source.value not in made.event.targets:
                    raise Failed(
                        f"the gradient for {source.name or 'a source'} in line {line} is a zero that stands for None: "
                        "nothing leads from it to the target.",
                        "take unconnected_gradients out, and mend the path",
                    )
        asked_for = sum(len(call.sources) for call in calls)
        return "the gradient arrived" if asked_for == 1 else f"all {asked_for} gradients arrived"


class Tape(OnRun, frozen=True, tag="tape"):
    """The shape of the tape that gradient call number `call` asked (-1: the last), and how many tapes there were."""

    call: int = 1
    most: int | None = None
    least: int | None = None
    has: dict[str, int] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()
    watches_most: int | None = None
    tapes: int | None = None

    def judge(self, scene: Scene) -> str:
        opened = {number for each in scene.trace.of(events.TapeEnter) for number in each.tapes}
        if self.tapes is not None and len(opened) != self.tapes:
            raise Failed(
                f"tapes opened in the whole run: {len(opened)}; {self.tapes} are asked for.",
                "count the blocks of a GradientTape, each time that one runs",
            )
        number = self._tape(scene)
        ops = Counter(op.name for op in scene.trace.of(events.Op) if number in op.recorded)
        self._count(ops)
        watched = {
            w.value
            for w in scene.trace.of(events.Watch)
            if number in w.tapes and w.how == "explicit"
        }
        if self.watches_most is not None and len(watched) > self.watches_most:
            raise Failed(
                f"the tape was told to watch {len(watched)} values; {self.watches_most} are enough.",
                "which of them does a tape watch by itself?",
            )
        if self.watches_most is not None:
            return f"the tape was told to watch {len(watched)} values"
        return f"the tape holds {ops.total()} ops"

    def _tape(self, scene: Scene) -> int:
        calls = [each for each in scene.trace.of(events.Gradient) if each.inside is None]
        index = self.call - 1 if self.call > 0 else self.call
        if not calls:
            raise Failed(
                "no tape was asked for a gradient.",
                "call tape.gradient(target, sources), and return what it gives",
            )
        if index >= len(calls) or -index > len(calls):
            raise Failed(
                f"there are {len(calls)} gradient calls; number {self.call} is looked at.",
                "ask the tape for a gradient",
            )
        return calls[index].tapes[0]

    def _count(self, ops: Counter[str]) -> None:
        held = ", ".join(f"{n} {name}" for name, n in sorted(ops.items())) or "nothing"
        has = f"the tape holds {ops.total()} ops ({held})"
        fix = "minitape trace lists them, each with its line"
        if self.most is not None and ops.total() > self.most:
            raise Failed(f"{has}; {self.most} are enough.", fix)
        if self.least is not None and ops.total() < self.least:
            raise Failed(f"{has}; at least {self.least} are asked for.", fix)
        for name, n in self.has.items():
            if ops[name] != n:
                raise Failed(f"{has}; {n} {name} are asked for.", fix)
        for name in self.lacks:
            if ops[name]:
                raise Failed(f"{has}; {name} is to be left out.", fix)


def _told(scene: Scene, code: str) -> str:
    """Where a code was found, in words."""
    from minitape.explain.report import SAYS

    for call in scene.report.calls:
        for source in call.sources:
            for finding in source.findings:
                if finding.code == code:
                    came = f"the gradient for {source.name or 'a source'} {SAYS[source.outcome]}"
                    return f"line {finding.place.line}: {finding.label}; {came}"
    return "it was found in your run"
