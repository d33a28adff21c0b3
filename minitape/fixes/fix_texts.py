"""The catalog of what a suggested fix changes, in words."""

from minitape.templates import Template

# --- one expression for another ---

INSTEAD = Template("{better} instead of {written}")
AS_THE_SOURCE = Template("{better} instead of {written} as the source")
ON_LINE = Template("{code} on {line}")
NAMED_ORIGINAL = Template("{named} on {line}, and `original` instead of {written} as the source")
WITHOUT_TRAINABLE = Template("{call}, without `trainable=False`")
REMOVED = Template("{call} on {line} removed")
KEPT_BESIDE = Template(
    "{statement} instead of {written}, and {name} instead of the variable afterwards"
)

# --- watching ---

WATCH_AT_TOP = Template("{watch} at the top of the `with` block")
WATCH_AFTER = Template("{watch} after {line}")

# --- moving statements ---

MOVED = Template("{line} moved into the `with` block")
MOVED_LINES = Template("{count} statements, from {first} to {last}, moved into the `with` block")
ONCE_MORE = Template("{statement} once more inside the `with` block")
COMPUTED_INSIDE = Template("{target} computed inside the `with` block")
INSIDE_BLOCK_OF = Template("{statement} inside the `with` block of {function}")
INSIDE_FUNCTION = Template("{statement} inside {function}")
REOPENED = Template("{tape} around {line}")
AROUND_LOOP = Template("one tape around the loop on {line}")
WITHOUT_STOP = Template("the block on {line} without `stop_recording`")
AS_PROPERTY = Template("{attribute} computed each time, as a property")
WITHOUT_DECORATOR = Template("{function} without {decorator}")

# --- why a fix is missing ---

NO_RULE = "not applied automatically: no rule covers this case, so fix it by hand"
