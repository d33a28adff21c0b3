"""The catalog: every text that a finding can have, one module for each family of causes.

A module lists for each cause its label, why it loses the gradient, and what to write instead.
Text in braces is a placeholder, which the cause fills in. A value that is code comes with its backticks (`code` adds
them), because some names are words: "a value", "the target". Optional sentences and advice are separate templates, directly below
the entry that they belong to.

The templates themselves are in `minitape.templates`.
"""

from minitape.templates import DiagnosticText, Entry, Template, code, joined, lines

__all__ = ["DiagnosticText", "Entry", "Template", "code", "joined", "lines"]
