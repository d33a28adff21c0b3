"""Causes in which there was nothing to iterate over: a loop ran zero times, or a list was empty.

Their texts are in `texts/empty.py`.
"""

import re
from dataclasses import dataclass

from minitape.explain.causes.cause import USED, VARIES, Cause, Facts, FindingContext, OnCard
from minitape.explain.causes.rewriting import rounded_up, watching_by_itself
from minitape.explain.causes.texts import DiagnosticText, code
from minitape.explain.causes.texts import empty as texts
from minitape.explain.flow.program.loops import ProgramLoop
from minitape.explain.report import Confidence, Evidence
from minitape.source_text import lines_of

# --- nothing was watched ---


@dataclass(frozen=True, kw_only=True)
class WatchedBeforeBuild(Facts):
    """A watch that came before the variables existed.

    Attributes:
        loop: The loop around the watch that ran zero times; None if `watch` got an empty list.
    """

    loop: ProgramLoop | None = None


def _watched_before_build(context: FindingContext[WatchedBeforeBuild]) -> DiagnosticText:
    made = context.flow.placed(context.found.also[0])
    at = {
        "source": context.the_source,
        "created": context.line_of(made),
        "advice": _watched_automatically(context),
    }
    loop = context.facts.loop
    if loop is None:
        return texts.EMPTY_WATCH(call=code(f"{context.tape_name}.watch"), line=context.line, **at)
    return texts.EMPTY_LOOP_OF_WATCH(
        iterated=code(loop.iterated), line=context.place_line, loop=code(loop.head), **at
    )


def _watched_automatically(context: FindingContext[Facts]) -> str:
    """Return the line that opens the tape, without the option that turns automatic watching off."""
    opened = context.tape_event
    statement = texts.A_TAPE if opened is None else watching_by_itself(context.code_of(opened))
    return texts.WATCH_AUTOMATICALLY(line=context.line_of(opened), statement=code(statement))


watched_before_build = Cause(
    "watched-before-build",
    "MT102",
    says=_watched_before_build,
    card=OnCard(texts.WATCHED_EARLY_CARD, texts.WATCHED_EARLY_LEAVING),
)


# --- a loop ran zero times ---


@dataclass(frozen=True, kw_only=True)
class LoopNeverRan(Facts):
    """A loop that ran zero times while the tape recorded.

    Attributes:
        loop: The loop.
        once: The line of the statement that made what it iterates over, and that statement with a list instead, if it was an
            iterator that an earlier loop consumed.
    """

    loop: ProgramLoop
    once: tuple[int, str] | None = None


def _loop_never_ran(context: FindingContext[LoopNeverRan]) -> DiagnosticText:
    loop = context.facts.loop
    at = {
        "line": context.place_line,
        "loop": code(loop.head),
        "reason": _reason(context, loop),
        "source": context.the_source,
    }
    if ".watch(" in loop.body:
        return texts.WATCHING_LOOP_NEVER_RAN(advice=_watched_automatically(context), **at)
    return texts.LOOP_NEVER_RAN(target=context.the_target, advice=_advice(context, loop), **at)


def _reason(context: FindingContext[LoopNeverRan], loop: ProgramLoop) -> str:
    once = context.facts.once
    if loop.iterated is None:
        return texts.FALSE_FROM_START(condition=code(_condition(loop)))
    if once is not None:
        return texts.ALREADY_CONSUMED(iterated=code(loop.iterated), line=once[0])
    return texts.WAS_EMPTY(iterated=code(loop.iterated))


def _condition(loop: ProgramLoop) -> str:
    return loop.head.removeprefix("while ")


def _advice(context: FindingContext[LoopNeverRan], loop: ProgramLoop) -> str:
    once, line = context.facts.once, context.place_line
    if once is not None:
        return texts.MAKE_A_LIST(statement=code(once[1]), line=once[0])
    if loop.iterated is None:
        return texts.START_TRUE(print=code(f"print({_condition(loop)})"), line=line)
    counted = rounded_up(loop.iterated)
    if counted is not None:
        return texts.ROUND_UP(head=code(loop.head.replace(loop.iterated, counted)))
    shorter = _without_dropping(context, loop.iterated)
    if shorter is not None:
        return shorter
    return texts.LOOK_WHERE_MADE(
        iterated=code(loop.iterated), print=code(f"print(len(list({loop.iterated})))"), line=line
    )


def _without_dropping(context: FindingContext[LoopNeverRan], name: str) -> str | None:
    """Return the statement that made a dataset, without `drop_remainder=True`; None if it does not have it."""
    text = context.flow.texts.get("" if context.place is None else context.place.file, "")
    for number, line in enumerate(lines_of(text), start=1):
        better = re.sub(r",? *drop_remainder=True", "", line).strip()
        if line.startswith(f"{name} = ") and better != line.strip():
            return texts.KEEP_REMAINDER(statement=code(better), line=number)
    return None


loop_never_ran = Cause(
    "loop-never-ran",
    "MT306",
    says=_loop_never_ran,
    evidence=Evidence.NAME,
    confidence=Confidence.LIKELY,
    card=OnCard(texts.ZERO_TIMES_CARD, ""),
    by_hand=texts.UNKNOWN_VALUES,
    clues=(VARIES, USED),
)


# --- the list of sources was empty ---


@dataclass(frozen=True, kw_only=True)
class NoSources(Facts):
    """A gradient call with an empty list of sources. Each subclass is a case in which the reason is known.

    Attributes:
        given: The sources as they are written in the gradient call.
        taken: The expression that made the list.
    """

    given: str
    taken: str


@dataclass(frozen=True, kw_only=True)
class Filtered(NoSources):
    """A list comprehension whose condition nothing matches.

    Attributes:
        condition: Its condition.
        whole: What it iterates over.
    """

    condition: str
    whole: str


@dataclass(frozen=True, kw_only=True)
class TakenTooEarly(NoSources):
    """A list of weights that was taken before the weights existed.

    Attributes:
        made: The event that created the first weight.
    """

    made: int


@dataclass(frozen=True, kw_only=True)
class Frozen(NoSources):
    """A list of trainable weights of which all are frozen.

    Attributes:
        call_line: The line that takes the list.
    """

    call_line: int


def _no_sources(context: FindingContext[NoSources]) -> DiagnosticText:
    facts, line = context.facts, context.place_line
    given = code(facts.given)
    match facts:
        case Filtered(condition=condition, whole=whole):
            names = code(f"print([v.name for v in {whole}])")
            return texts.NOTHING_MATCHES(
                given=given, whole=code(whole), condition=code(condition), print=names
            )
        case TakenTooEarly():
            return _taken_too_early(context, facts)
        case Frozen(call_line=call_line):
            better = re.sub(r"\btrainable_(variables|weights)", r"\1", context.call_text)
            return texts.FROZEN(line=line, given=given, call_line=call_line, call=code(better))
    return texts.EMPTY_LIST(
        given=given, call=code(context.call_text), print=code(f"print({facts.given})")
    )


def _taken_too_early(context: FindingContext[NoSources], facts: TakenTooEarly) -> DiagnosticText:
    made = context.flow.placed(facts.made)
    is_named = facts.given != facts.taken
    return texts.TAKEN_TOO_EARLY(
        line=context.place_line,
        statement=code(f"{facts.given} = {facts.taken}" if is_named else facts.given),
        weight=context.called(getattr(made, "variable", 0)),
        created=context.line_of(made),
        call=code(_fresh(context)),
    )


def _fresh(context: FindingContext[NoSources]) -> str:
    """Return the call with the list taken again. An object's own list (`policy.learned`) becomes its `trainable_variables`."""
    given = context.facts.given
    call = context.call_text.replace(given, context.facts.taken)
    owner = given.rpartition(".")[0]
    if owner and "self." in call:
        return context.call_text.replace(given, f"{owner}.trainable_variables")
    return call


no_sources = Cause(
    "no-sources",
    "MT306",
    says=_no_sources,
    card=OnCard(texts.NO_SOURCES_CARD, ""),
    by_hand=texts.UNKNOWN_WEIGHTS,
)
