"""The catalog: every text that a finding can have, one module for each family of causes.

    cuts      the path is cut: NumPy, Python numbers, datasets, jumps, `stop_gradient`, assignments, new variables, own rules
    absent    the source is not used; empty: nothing ran or nothing was given; twins: another object with the same name or kind
    sources   the tape does not watch the source; tapes: the wrong tape, or the right one at the wrong time
    zeros     zeros, and dying: saturated and dead units; nans: NaN and infinity
    keras     `predict`, `evaluate`, metrics, additional losses; refusals: calls that raise an error
    shared    phrases that several families use

A module lists for each cause its label, why it loses the gradient, and what to write instead, below a comment with the cause's
slug. docs/causes.md lists the slug of each code.
Text in braces is a placeholder, which the cause fills in. A value that is code comes with its backticks (`code` adds
them), because some names are words: "a value", "the target". Optional sentences and advice are separate templates, directly below
the entry that they belong to.

The templates themselves are in `minitape.templates`.
"""

from minitape.templates import DiagnosticText, Entry, Template, code, joined, lines

__all__ = ["DiagnosticText", "Entry", "Template", "code", "joined", "lines"]
