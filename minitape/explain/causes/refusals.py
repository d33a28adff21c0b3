"""Causes of gradient calls that raise."""

from dataclasses import dataclass

from minitape.explain.causes.cause import Cause, Facts, FindingContext
from minitape.explain.causes.keras import from_tensors
from minitape.explain.causes.rewriting import is_place, persistent
from minitape.explain.causes.texts import Words, code
from minitape.explain.causes.texts import refusals as texts
from minitape.explain.flow.leaving import is_of_keras
from minitape.trace import events


def _tape_consumed(context: FindingContext[Facts]) -> Words:
    earlier = [
        call
        for call in context.flow.calls.values()
        if call.tape == context.call.tape and call.event.i < context.call.event.i
    ]
    # All earlier calls with a result were only inspected (`tape.explain`), which does not consume a tape.
    spender = [*earlier[:1], *(call for call in earlier if call.results)][-1:]
    fix = persistent(context.code_of(context.event))
    if not spender:
        return texts.CONSUMED_BEFORE(tape=context.tape, fix=fix)
    earlier_line = context.line_of(spender[0].event)
    return texts.CONSUMED(earlier=earlier_line, tape=context.tape, fix=fix)


tape_consumed = Cause("tape-consumed", "MT501", says=_tape_consumed)


@dataclass(frozen=True, kw_only=True)
class Refused(Facts):
    """A gradient call that raised.

    Attributes:
        message: The message of the error.
    """

    message: str


def _bad_type(context: FindingContext[Refused]) -> Words:
    message = context.facts.message.splitlines() or [texts.NO_MESSAGE]
    entry = texts.NOT_A_TENSOR if context.found.at else texts.CALL_RAISES
    if isinstance(context.event, events.ExportEvent):
        entry = texts.LEAVES_HERE
    return entry(message=message[0], line=context.place_line, fix=_valid(context, message))


def _valid(context: FindingContext[Refused], message: list[str]) -> str:
    """Return what to pass instead, or the advice of the error message if nothing better is known."""
    if isinstance(context.event, events.ExportEvent) and is_of_keras(context.event):
        return from_tensors(context)
    if "is a str (" in message[0]:
        return texts.PASS_VARIABLES
    if message[0].startswith("A source") and is_place(context.source):
        x = context.source
        if "(<" in message[0]:  # an object, not a number: a layer, a model
            return texts.PASS_WEIGHTS(weights=code(f"{x}.trainable_variables"))
        statement = code(f"{x} = tf.Variable({x})")
        return texts.MAKE_VARIABLE(statement=statement, target=context.the_target)
    advised = (line.partition(":")[2].strip() for line in message if line.startswith("  try"))
    return next(advised, "") or texts.PASS_TENSORS


refused_call = Cause("refused-call", "MT503", says=_bad_type, by_hand=texts.CALL_BY_HAND)
bad_source_type = Cause(
    "bad-source-type",
    "MT503",
    says=_bad_type,
    by_hand=texts.SOURCE_BY_HAND,
)
bad_target_type = Cause(
    "bad-target-type",
    "MT503",
    says=_bad_type,
    by_hand=texts.TARGET_BY_HAND,
)
