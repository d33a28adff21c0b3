"""The texts of loops that ran zero times and of empty lists of sources (MT102, MT306)."""

from minitape.explain.causes.texts import Entry, Template

# --- watched-before-build ---

EMPTY_LOOP_OF_WATCH = Entry(
    label="this loop ran zero times: {iterated} was still empty",
    why="The loop on line {line} ({loop}) ran zero times, so it watched nothing: {source} was created later, on line "
    "{created}. This tape does not watch variables automatically.",
    fix="{advice}",
)
EMPTY_WATCH = Entry(
    label="nothing is watched here: the list was still empty",
    why="{call} on line {line} received an empty list: {source} was created later, on line {created}. This tape does not "
    "watch variables automatically.",
    fix="{advice}",
)
WATCH_AUTOMATICALLY = Template(
    "write {statement} on line {line}, so that the tape automatically watches each variable that is used"
)
A_TAPE = "tf.GradientTape()"

# --- loop-never-ran ---

LOOP_NEVER_RAN = Entry(
    label="this loop ran zero times",
    why="The loop on line {line} ({loop}) ran zero times while the tape was recording, because {reason}. So {target} was "
    "computed without {source}.",
    fix="{advice}",
)
WATCHING_LOOP_NEVER_RAN = Entry(
    label="this loop ran zero times",
    why="The loop on line {line} ({loop}) ran zero times while the tape was recording, because {reason}. So {source} was never "
    "watched, and this tape does not watch variables automatically.",
    fix="{advice}",
)
# {reason} is one of these.
FALSE_FROM_START = Template("{condition} was false from the start")
ALREADY_CONSUMED = Template(
    "{iterated} (line {line}) yields its values only once, and an earlier loop has consumed them"
)
WAS_EMPTY = Template("{iterated} was empty")
# {advice} is one of these.
MAKE_A_LIST = Template(
    "write {statement} on line {line}, because a list can be iterated over again"
)
START_TRUE = Template(
    "change the condition so that it is true at the start: {print} before line {line} shows False"
)
ROUND_UP = Template(
    "write {head}: the count is rounded up, so the last iteration takes the remainder"
)
KEEP_REMAINDER = Template(
    "write {statement} on line {line}: there are fewer rows than one batch needs"
)
LOOK_WHERE_MADE = Template(
    "check the line that creates {iterated}: {print} before line {line} shows 0"
)

# --- no-sources ---

NOTHING_MATCHES = Entry(
    label="this list is empty: nothing matches its condition",
    why="{given} is an empty list, because nothing in {whole} matches {condition}. So no gradient was requested.",
    fix="run {print} to see the names, and correct the condition",
)
TAKEN_TOO_EARLY = Entry(
    label="this list was taken too early: it was still empty",
    why="Line {line} ({statement}) ran before the weights existed: {weight} was not created until line {created}. A list does "
    "not grow afterwards, so no gradient was requested.",
    fix="write {call}, which reads the list at the time of the call",
)
FROZEN = Entry(
    label="this makes all weights non-trainable",
    why="Line {line} freezes the sources, so {given} on line {call_line} is an empty list, and no gradient was requested. The "
    "tape still watches frozen weights.",
    fix="write {call}",
)
EMPTY_LIST = Entry(
    label="this list is empty, so no gradient is requested",
    why="{given} was an empty list when {call} ran. So no gradient was requested.",
    fix="add {print} before the call, and check where the list is filled",
)

# --- why no fix is applied automatically ---

UNKNOWN_VALUES = "what the loop should iterate over cannot be inferred from the script"
UNKNOWN_WEIGHTS = "which weights are meant cannot be inferred from an empty list"

# --- on the cards of a picture ---

WATCHED_EARLY_CARD = "watched too early"
WATCHED_EARLY_LEAVING = "did not exist yet"
ZERO_TIMES_CARD = "ran zero times"
NO_SOURCES_CARD = "no sources"
