"""The catalog of an audit: the subject of a fault, and the wrong entry in the trace."""

from minitape.templates import Template

# --- the subject of a fault ---

SEED = Template("the seed of {value}")
RESULT = Template("the result for {source}")
OUTPUT = Template("the output of {op}")
RECORDED_COUNT = Template("the number of ops that tape {tape} recorded")
WATCHERS = Template("the tapes that watch input {position} of {op}")
RECORDERS = Template("the tapes that recorded {op}")
WHY_NOT_RECORDED = Template("the reason why tape {tape} did not record {op}")
STEP = Template("the backward step of {op}")
ARRIVED = Template("the cotangent that arrives at {op}")
CONTRIBUTION = Template("the contribution of {op} to {value}")
WHY_SKIPPED = Template("the reason why {op} contributes nothing to {value}")
SUM = Template("the sum of the contributions to {value}")
STEP_NUMBER = "the number of a step"

# --- the entry in the trace, and the correct entry ---

NOTHING = "nothing"
A_STEP = "a step"
ONE_STEP = "one step"
ANOTHER_STEP = Template("another step of op {op}")
NOT_RECORDED = Template("none, because tape {tape} did not record it")
USE = Template("use {number}")
STEP_OF_STEPS = Template("{step} of {steps}")
VALUE = Template("value {id}")
