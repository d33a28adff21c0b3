"""Causes of gradient calls that raise."""

from dataclasses import dataclass

from minitape.explain.causes.cause import Cause, Facts, Scene
from minitape.explain.causes.keras import from_tensors
from minitape.explain.causes.rewriting import is_place, persistent
from minitape.explain.causes.texts import Words, code
from minitape.explain.causes.texts import refusals as texts
from minitape.explain.flow.leaving import is_of_keras
from minitape.trace import events


def _tape_consumed(scene: Scene[Facts]) -> Words:
    earlier = [
        call
        for call in scene.flow.calls.values()
        if call.tape == scene.call.tape and call.event.i < scene.call.event.i
    ]
    # All answered calls but the last were only inspected (`tape.explain`), which does not use up a tape.
    spender = [*earlier[:1], *(call for call in earlier if call.results)][-1:]
    fix = persistent(scene.code_of(scene.event))
    if not spender:
        return texts.CONSUMED_BEFORE(tape=scene.tape, fix=fix)
    earlier_line = scene.line_of(spender[0].event)
    return texts.CONSUMED(earlier=earlier_line, tape=scene.tape, fix=fix)


tape_consumed = Cause("tape-consumed", "MT501", says=_tape_consumed)


@dataclass(frozen=True, kw_only=True)
class Refused(Facts):
    """A gradient call that raised.

    Attributes:
        message: The message of the error.
    """

    message: str


def _bad_type(scene: Scene[Refused]) -> Words:
    message = scene.facts.message.splitlines() or [texts.NO_MESSAGE]
    entry = texts.NOT_A_TENSOR if scene.found.at else texts.CALL_RAISES
    if isinstance(scene.event, events.Export):
        entry = texts.LEAVES_HERE
    return entry(message=message[0], line=scene.place_line, fix=_valid(scene, message))


def _valid(scene: Scene[Refused], message: list[str]) -> str:
    """What to pass instead; where nothing better is known, what the error itself advises."""
    if isinstance(scene.event, events.Export) and is_of_keras(scene.event):
        return from_tensors(scene)
    if "is a str (" in message[0]:
        return texts.PASS_VARIABLES
    if message[0].startswith("A source") and is_place(scene.source):
        x = scene.source
        if "(<" in message[0]:  # an object, not a number: a layer, a model
            return texts.PASS_WEIGHTS(weights=code(f"{x}.trainable_variables"))
        statement = code(f"{x} = tf.Variable({x})")
        return texts.MAKE_VARIABLE(statement=statement, target=scene.the_target)
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
