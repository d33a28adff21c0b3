"""Causes of a gradient call that raises."""

from typing import Any

from minitape.explain.causes.cause import Cause, Scene
from minitape.explain.causes.keras import from_tensors
from minitape.explain.causes.rewriting import is_place, persistent
from minitape.explain.causes.texts import Words
from minitape.explain.flow.leaving import is_of_keras
from minitape.trace import events


def _tape_consumed(scene: Scene[Any]) -> Words:
    earlier = [
        call
        for call in scene.flow.calls.values()
        if call.tape == scene.call.tape and call.event.i < scene.call.event.i
    ]
    # Of several that were answered all but the last were only looked at (`tape.explain`): that spends no tape.
    spender = [*earlier[:1], *(call for call in earlier if call.results)][-1:]
    used = "".join(f" in line {scene.line_of(call.event)}" for call in spender)
    return Words(
        "not persistent: good for one gradient call",
        f"{scene.tape} is not persistent, and the gradient call{used} has used it up.",
        persistent(scene.code_of(scene.event)),
    )


tape_consumed = Cause("tape-consumed", "MT501", says=_tape_consumed)


def _bad_type(scene: Scene[Any]) -> Words:
    message = str(scene.facts["message"]).splitlines() or ["It raised, without a message."]
    fix = next((line.partition(":")[2].strip() for line in message if line.startswith("  try")), "")
    if "is a str (" in message[0]:
        fix = "give the variables themselves, without quotes"
    elif message[0].startswith("A source") and is_place(scene.source):
        x = scene.source
        fix = f"{x} = tf.Variable({x}), and compute {scene.target} from it"
        if "(<" in message[0]:  # an object, not a number: a layer, a model
            fix = f"ask for its weights: {x}.trainable_variables"
    how, label = "It is used", "this call raises"
    if scene.found.at:
        how, label = "It was made", "no tensor is made here"
    if isinstance(scene.event, events.Export):
        how, label = "It left the tape", "here the value leaves the tape"
        fix = from_tensors(scene) if is_of_keras(scene.event) else fix
    what = f"{message[0]} {how} in line {scene.place_line}."
    return Words(label, what, fix or "give tensors or variables")


refused_call = Cause(
    "refused-call", "MT503", says=_bad_type, by_hand="what was meant cannot be read from the script"
)
bad_source_type = Cause(
    "bad-source-type",
    "MT503",
    says=_bad_type,
    by_hand="what should be asked for instead cannot be read from the script",
)
bad_target_type = Cause(
    "bad-target-type",
    "MT503",
    says=_bad_type,
    by_hand="what should be differentiated instead cannot be read from the script",
)
