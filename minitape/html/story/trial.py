"""The tape of a small call as data for the page's script, which computes it with the reader's own values."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from minitape.draw.diagram import Diagram, Link, Parameter
from minitape.draw.diagram.model import Flow
from minitape.draw.diagram.write.brush import scale_of
from minitape.html.data.term_data import SmallTape
from minitape.html.story import texts

PANE = (
    f'<div id="trial" hidden><label for="trial-input">{texts.OTHER_VALUE}</label><select id="trial-input"></select>'
    f'<input type="range" id="trial-value" aria-label="{texts.VALUE}"><output id="trial-number" for="trial-value"></output>'
    '<span id="trial-target"></span><span id="trial-gradient"></span><span id="trial-slope"></span>'
    f'<button type="button" id="trial-reset" disabled>{texts.RESET}</button></div>'
)


def trial_of(tape: SmallTape, made: Diagram) -> dict[str, Any]:
    """Return a tape with the parts of a picture that depend on it: the widths of the links and the numbers on the cards.

    Args:
        tape: The tape.
        made: The picture of the same gradient call.
    """
    return {
        "sizes": tape.sizes,
        "leaves": [[position, elements] for position, elements in tape.leaves.items()],
        "ops": tape.ops,
        "target": tape.target,
        "inputs": tape.inputs,
        "links": [_link(tape, link) for link in made.links],
        "cards": [
            [
                each.id,
                bool(each.number),
                [_sources(tape, parameter) for parameter in each.parameters],
            ]
            for each in made.stations
            if each.number or each.parameters
        ],
        "scale": scale_of(replace(made, steps=None).norms).widths,
        "words": {
            "target": texts.TRIAL_TARGET(target=tape.name, value="{value}"),
            "gradient": texts.TRIAL_GRADIENT(value="{value}"),
            "slope": texts.TRIAL_SLOPE(value="{value}"),
        },
    }


def _sources(tape: SmallTape, parameter: Parameter) -> list[int]:
    """Return the positions of the sources whose gradient a row of a card shows; empty if one of them has no gradient."""
    return [] if parameter.flow is Flow.NEVER else _known(tape.positions, parameter.sources)


def _link(tape: SmallTape, link: Link) -> list[list[int]]:
    """Return the positions of the values of a link, and of the ops that use them."""
    return [_known(tape.positions, link.values), _known(tape.op_positions, link.users)]


def _known(positions: Mapping[int, int], ids: Iterable[int]) -> list[int]:
    """Return the positions of the ids that are on the tape, each once."""
    return [*dict.fromkeys(positions[each] for each in ids if each in positions)]
