"""The tape of a small call as data for the page's script, which computes it with the reader's own values."""

from typing import Any

from minitape.draw.diagram import Diagram, Link
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
    """Return a tape with what follows it in a picture: the widths of the links and the numbers on the cards.

    Args:
        tape: The tape.
        made: The picture of the same gradient call.
    """
    norms = [link.norm for link in made.links if link.norm]
    return {
        "sizes": tape.sizes,
        "leaves": [[position, elements] for position, elements in tape.leaves.items()],
        "ops": tape.ops,
        "target": tape.target,
        "inputs": tape.inputs,
        "sources": tape.sources,
        "links": [_link(tape, link) for link in made.links],
        "cards": [
            [
                each.id,
                bool(each.number),
                [tape.positions.get(p.source or 0) for p in each.parameters],
            ]
            for each in made.stations
            if each.number or each.parameters
        ],
        "scale": scale_of(norms).widths,
        "words": {
            "target": texts.TRIAL_TARGET(target=tape.name, value="{value}"),
            "gradient": texts.TRIAL_GRADIENT(value="{value}"),
            "slope": texts.TRIAL_SLOPE(value="{value}"),
        },
    }


def _link(tape: SmallTape, link: Link) -> list[list[int]]:
    """Return the positions of the values of a link, and of the ops that use them."""
    values = {tape.positions[each]: None for each in link.values if each in tape.positions}
    return [
        [*values],
        [tape.op_positions[each] for each in link.users if each in tape.op_positions],
    ]
