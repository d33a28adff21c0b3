"""The catalog of the story: every text of the sentence and the scenes.

Text in braces is a placeholder, which `scenes` fills in. Code is in backticks, and the page displays it as code.
"""

from minitape.explain.report import Outcome
from minitape.templates import Template

# --- the sentence: what happened, and then the culprit ---

NOT_ONE = {
    Outcome.NONE: Template("No gradient reached {names}: "),
    Outcome.ZERO: Template("The gradient of {names} is zero: "),
    Outcome.NAN: Template("The gradient of {names} is NaN or infinite: "),
    Outcome.PARTIAL: Template("The gradient of {names} is incomplete: "),
    Outcome.ERROR: Template("The gradient call raised an error: "),
    Outcome.EMPTY: Template("No gradient was requested: "),
    Outcome.OK: Template("{target} is {value}: "),
}
NOT_MANY = {
    Outcome.ZERO: Template("The gradients of {names} are zero: "),
    Outcome.NAN: Template("The gradients of {names} are NaN or infinite: "),
    Outcome.PARTIAL: Template("The gradients of {names} are incomplete: "),
}
ONE_TINY = Template("The gradient of {names} is nearly zero: ")
MANY_TINY = Template("The gradients of {names} are nearly zero: ")
SOME_OF_LIST = Template("{count} of the {total} {names}")
NONE_OF_LIST = Template("any of the {total} {names}")
ALL_OF_LIST = Template("all {total} {names}")
CULPRIT = Template("{where}: {label}.")
CULPRIT_WITHOUT_LINE = Template("{label}.")
# The most frequent culprits in a few words.
CULPRITS = {
    "MT108": Template("the tape had closed before {where}."),
    "MT201": Template("the value left the tape on {where}."),
    "MT204": Template("{where} stops the gradient."),
}
CULPRITS_BY_LABEL = {"not differentiable": Template("{where} is not differentiable.")}
ONE_ARRIVES = Template("The gradient of {name} arrives.")
ALL_ARRIVE = Template("{gradients} arrive.")
ALL_OF_CALLS = Template("{gradients} of {calls} gradient calls arrive.")
ALL_OF_ITERATIONS = Template("All gradients of {iterations} iterations arrive.")
JACOBIAN_ARRIVES = Template("The Jacobian of {target} with respect to {names} arrives.")
BUT = Template("{arrive}, but ")
NOTED = Template("{headline}.")
NO_CALL = "No gradient was requested."
ENDS_EARLY = "The script ends before it requests a gradient: "
RAISES = Template("{where} raises {error}.")
RAISES_SOMEWHERE = Template("it raises {error}.")
NO_RESULT = "The gradient call returned no result."

# --- the line below it ---

HEALTHY = Template("{target} {value}. The run has {ops} and {steps}.")
IS = Template("is {value}")
HAS_SHAPE = Template("has the shape {shape}")
WAS_COMPUTED = "was computed"
WRONG = "wrong"
ONE_MORE = Template("The run has one more mistake, on {line}.")
ONE_MORE_SOMEWHERE = "The run has one more mistake."
MORE_MISTAKES = Template("The run has {more} more mistakes; the next one is on {line}.")
MORE_SOMEWHERE = Template("The run has {more} more mistakes.")
WHICH_CALL = Template("Gradient call {number} of {count}, on {line}.")
WHICH_ITERATION = Template("Iteration {number} of {count}, {line}.")
NESTED = "The tapes are nested: the outer tape recorded the backward pass of the inner one."
ENDED = Template("Later, {raises}")
NO_CALL_WHY = "The script ran, but did not call `tape.gradient`, so there was no backward pass."

# --- the scenes ---

REQUESTED = "Requested"
RETURNED = Template("returned {values}")
RETURNED_MANY = Template("returned {count} gradients")
RETURNED_ALL = Template("returned {count} × {value}")
RETURNED_SOME = Template("returned {count} gradients, {some} of them {outcome}")
RETURNED_BAD = Template("returned {count} gradients, all {outcome}")
RAISED = Template("raised {error}")
FORWARD = "Forward"
FORWARD_BAD = Template("Forward: {what} appears")
FORWARD_PATH = Template("{sources} → {target}")
FORWARD_ITERATIONS = Template("{sources} → {target}, {count} iterations")
VALUE_OF = Template("{target} = {value}")
FIRST_AND_LAST = Template("{first} → {last}")
BACKWARD = "Backward"
BACKWARD_STEPS = Template("from {target} in {steps}, in reverse order")
ONE_OP = "1 op"
OPS = Template("{count} ops")
ONE_STEP = "1 backward step"
STEPS = Template("{count} backward steps")
NO_STEPS = Template("No recorded op leads from {target} back to {sources}, so no op runs backward.")
NEVER_BEGAN = "The call fails, so the backward pass does not begin."
SEED = Template("seed ∂{target}/∂{target} = 1.0")
PLAIN_SEED = "seed 1.0"
STARTS = Template("starts at {target}")
RAN = Template("{count} ops ran")

STOPS = {
    Outcome.NONE: "It stops",
    Outcome.ZERO: "It becomes zero",
    Outcome.NAN: "NaN or infinity appears",
    Outcome.PARTIAL: "A contribution is missing",
    Outcome.ERROR: "The call fails",
    Outcome.EMPTY: "Nothing was requested",
    Outcome.OK: "The target is wrong",
}
NOTES = {
    "MT405": "It vanishes",
    "MT406": "It explodes",
    "MT407": "Units pass nothing",
    "MT408": "Updates have no effect",
}
NOTE = "A note"
EXCEPTION = "The script ends"
LINE = Template("line {line}")
LINE_OF_FILE = Template("line {line} of {file}")
COMPLETE = "Complete"
ALL_NORMS = Template("|gradient| from {low} to {high}")
ONE_NORM = Template("|gradient| = {norm}")
JACOBIAN_NORM = Template("|Jacobian| = {norm}")
ARRIVED_ONE = Template("{name} receives a gradient.")
ARRIVED = Template("{names} receive a gradient each.")
ARRIVED_MANY = Template("{sources} receive a gradient.")
TRIED = "The fix, verified"
TRY = "The fix"
NOT_TRIED = "not verified: add `--check`"
NOT_PROVED = Template("{why}")
NOT_AUTOMATIC = "apply it by hand"
CAME = Template("✓ {names} = {value}")
CAME_MANY = Template("✓ {names} arrive")

# --- the questions that the slides show before the scenes ---

ASKS_REQUESTED = "Which gradients does the program request?"
ASKS_FORWARD = Template("Forward: what is the value of {target}?")
ASKS_BACKWARD = Template("Backward from {target}: how far do the gradients get?")
ASKS_STOPS = "Which line causes the problem?"
ASKS_ARRIVES = "Which sources receive a gradient?"
ASKS_FIX = "How would you fix it?"

# --- the pictures ---

YOUR_RUN = "Your run"
WITH_LINE = Template("With line {line} changed")
WITH_FIX = "With the fix"
RAN_AGAIN = Template("✓ run again on {engine}: {result}")
AGAIN_ALL = "all gradients arrive"
AGAIN_SOME = Template("{count} still {verb} a problem")
HAS, HAVE = "has", "have"
UNTRIED_ROW = Template("not verified yet: {command}")
COMMAND = Template("minitape html {script} --check")
KEY = {
    "value": "value, forward",
    "gradient": "gradient, backward; width = log of its norm",
    "bad": "NaN or infinite",
    "bed": "no gradient needed",
    "broken": "no gradient arrives",
}
ITERATION = Template("iteration {number} of {count}")
IMAGES = Template("; the images show iteration {number}")
PLAY_ITERATIONS, WHICH = "play the iterations", "iteration"
OTHER_VALUE, VALUE, RESET = "Try another value of", "value", "reset"
TRIAL_TARGET = Template("{target} = {value}")
TRIAL_GRADIENT = Template("gradient {value}")
TRIAL_SLOPE = Template("derivative by finite differences {value}")
PLAY, PAUSE = "▶ Play the story", "❚❚ Pause"
AS_TABLE = "the picture as a table"
COLUMNS = ("card", "value", "gradient that came back", "leads to")
