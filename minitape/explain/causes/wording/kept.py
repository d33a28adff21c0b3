"""What is said of a value that is kept from before the tape opened: by a cache, or by a store of the user's own."""

from typing import Any

from minitape.explain.causes.cause import Scene
from minitape.explain.causes.texts import Words


def told(scene: Scene[Any], then: str) -> Words:
    """The words, where `then` is what comes of it."""
    function, ran, opened = scene.facts["keeper"], scene.facts["ran"], scene.tape_event
    made = scene.line_of(opened)
    decorator = scene.facts.get("decorator")
    if decorator is None:
        stored, (asked, line) = scene.facts["stored"], scene.facts["asked"]
        return Words(
            "kept from before this tape opened: here it is handed out again",
            f"line {scene.place_line} keeps {stored} from one call of {function} to the next. It was computed on the way from "
            f"line {ran}, before the tape (line {made}) opened: {then}.{scene.share}",
            f"compute it anew while each tape records: leave `{asked}:` (line {line}) away, so that line {scene.place_line} runs "
            "each time",
        )
    is_property = decorator.endswith("property")
    better = f"@property in place of @{decorator}" if is_property else f"leave @{decorator} away"
    return Words(
        f"@{decorator} hands out what {function} gave before this tape opened",
        f"{function} ran on the way from line {ran} and computed this from {scene.source}, before the tape (line {made}) opened. "
        f"@{decorator} keeps what it gave: {then}.{scene.share}",
        f"{better}: {function} has to run anew while each tape records",
    )
