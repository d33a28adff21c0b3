"""The catalog: every text that a finding can have, one module for each family of causes.

A family's module reads from top to bottom: for each cause its label, why it loses the gradient, and what to write instead.
Text in braces is a placeholder, which the cause fills in. A value that is code comes with its backticks (`code` adds
them), because some names are words: "a value", "the target". Sentences and advice that not every case has are templates
of their own, right below the entry that they belong to.

The templates themselves are in `minitape.templates`.
"""

from minitape.templates import Entry, Template, Words, code, joined, lines

__all__ = ["Entry", "Template", "Words", "code", "joined", "lines"]
