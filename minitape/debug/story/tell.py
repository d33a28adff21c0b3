"""A trace and what was found in it → a story."""

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

from minitape.debug.report import CallReport, Place, Report, SourceReport
from minitape.debug.story.model import Answer, Call, Phase, Step, Story, Term
from minitape.debug.story.problems import problems
from minitape.debug.story.reader import Reader
from minitape.debug.story.words import short
from minitape.debug.trace import Event, Trace

_OF_A_CALL = ("gradient", "seed", "back", "result", "error")


def tell(trace: Trace, report: Report) -> Story:
    """The run as steps, with the numbers, rules and reasons of each.

    Args:
        trace: What the program did.
        report: What the explainer says about it: where it points to, the story has a problem.

    Returns:
        Plain data; the same trace gives the same story.
    """
    reader = Reader()
    wrong = problems(trace, report)
    calls = [event["i"] for event in trace.of("gradient")]
    numbers = [event["call"] for event in trace.of("gradient")]
    steps: list[Step] = []
    terms: dict[tuple[int, str], list[Term]] = defaultdict(list)
    visits: Counter[object] = Counter()
    for event in trace:
        after = bisect_right(calls, event["i"])
        leads_to = numbers[after] if after < len(numbers) else 0
        step = step_of(
            event, reader, index=len(steps), call=leads_to, problem=wrong.get(event["i"], "")
        )
        if step is None:
            continue
        if _repeats(steps, step):
            # NumPy first asked for the array, then worked on it: one exit, told by the second event.
            before = steps.pop()
            visits[before.key] -= 1
            step = replace(step, index=before.index, problem=step.problem or before.problem)
        visits[step.key] += 1
        steps.append(replace(step, visit=visits[step.key]))
        _add_terms(terms, steps[-1], event, reader)
    return Story(
        script=trace.script,
        texts=reader.texts,
        steps=tuple(replace(step, visits=visits[step.key]) for step in steps),
        calls=tuple(_calls(trace, report, steps)),
        terms={key: tuple(each) for key, each in terms.items()},
        tapes=reader.tapes,
    )


def step_of(
    event: Event, reader: Reader, *, index: int = 0, call: int = 0, problem: str = ""
) -> Step | None:
    """The next event as a step, None if no one needs to see it.

    Args:
        event: What happened; `reader` has read all that happened before.
        reader: Learns from it.
        index: The place of the step in its story.
        call: The gradient call that it leads to, unless it belongs to one itself.
        problem: What is wrong here.
    """
    told = reader.tell(event)
    if told is None:
        return None
    own = event.get("call") if event["k"] in _OF_A_CALL else None
    # A step back was written where its op was, a seed and a result where the call is.
    written: Event = told.pop("place_of", event)
    sites = [reader.sites[site] for site in written.get("stack") or [] if site in reader.sites]
    fields: dict[str, Any] = {"phase": Phase.FORWARD, **told}
    return Step(
        index=index,
        event=event["i"],
        kind=event["k"],
        call=own or call,
        code=sites[-1]["code"] if sites else "",
        place=_place(written),
        callers=tuple(place for site in sites[:-1] if (place := _place(site)) is not None),
        stack=tuple(written.get("stack") or ()),
        loop=sites[-1]["loop"][1] if sites and sites[-1]["loop"] else "",
        problem=problem,
        **fields,
    )


def _place(event: Event) -> Place | None:
    at = event.get("at")
    return None if at is None else Place(at[0], at[1], at[2], at[3], at[4])


def _repeats(steps: list[Step], step: Step) -> bool:
    return (
        step.kind == "export"
        and bool(steps)
        and steps[-1].key == step.key
        and steps[-1].inputs == step.inputs
    )


def _add_terms(
    terms: dict[tuple[int, str], list[Term]], step: Step, event: Event, reader: Reader
) -> None:
    if event["k"] == "seed":
        sent = [(event["t"], event["T"], event["T"])]
    elif event["k"] == "back":
        sent = [(out["t"], out["T"], out["sum"]) for out in event["out"]]
    else:
        return
    for identity, amount, total in sent:
        node = reader.nodes.get(identity)
        if node is not None:
            origin = f"{step.number} {step.what}" if event["k"] == "back" else step.what
            terms[event["call"], node].append(Term(step.index, origin, short(amount), short(total)))


# --- calls ---


def _calls(trace: Trace, report: Report, steps: list[Step]) -> list[Call]:
    said = {call.event: call for call in report.calls}
    its: dict[int, list[Step]] = defaultdict(list)
    for step in steps:
        its[step.call].append(step)
    results: dict[int, dict[int, Event]] = defaultdict(dict)
    for event in trace.of("result"):
        results[event["call"]][event["source"]] = event
    return [
        Call(
            number=event["call"],
            text=event["text"],
            place=_place(event),
            tape=event["tape"][0] if event["tape"] else 0,
            visit=event["visit"],
            target=event["target_name"] or "target",
            first=its[event["call"]][0].index,
            asked=next(s.index for s in its[event["call"]] if s.event == event["i"]),
            last=its[event["call"]][-1].index,
            answers=tuple(_answers(event, said.get(event["i"]), results[event["call"]])),
        )
        for event in trace.of("gradient")
    ]


def _answers(event: Event, said: CallReport | None, results: dict[int, Event]) -> list[Answer]:
    reports = {} if said is None else {source.index: source for source in said.sources}
    return [
        _answer(source["name"], index, results, reports.get(index))
        for index, source in enumerate(event["sources"])
    ]


def _answer(name: str, index: int, results: dict[int, Event], said: SourceReport | None) -> Answer:
    result = results.get(index)
    value = "" if result is None else "None" if result["T"] is None else short(result["T"])
    goal = name if result is None or result["T"] is None else result["T"]["name"] or name
    finding = said.findings[0] if said is not None and said.findings else None
    if finding is None:
        return Answer(name, goal, value)
    return Answer(
        name,
        goal,
        value,
        code=finding.code,
        line=finding.place.line,
        label=finding.label,
        message=finding.message,
        fix=finding.fix,
    )
