"""The catalog of proofs: what a fix changed, why a proof is missing, and what a perturbation shows."""

from minitape.templates import Template

# --- proofs ---

GONE = "the run with the fix returned no result, because the script ended its own process or minitape had to kill it"
TOO_DEEP = "an expression of the script is nested too deeply to be rewritten"
LATE = "the time limit (--timeout) was reached before a fix was found"
OTHER_FILE = Template("only the script itself can be fixed automatically, not {file}")
NOT_ENOUGH = Template("{changes} is not enough; line {line} still loses the gradient ({reason})")
FOR_INTENDED_TARGET = Template("{change}, for the intended target")
STILL_INCOMPLETE = Template("{change} (still incomplete)")

# --- perturbations ---

ONLY_REAL = "not measured: only real numbers that the script makes can be perturbed"
ONLY_MINITAPE = "not measured: the result of an op can be perturbed only on minitape"
NOT_READ = Template("not measured: {target} could not be read again")
NOT_REPRODUCIBLE = Template("not measured: {target} differs from run to run without a perturbation")
NO_CHANGE = Template("{target} does not change")
ZERO_DERIVATIVE = Template("{target} changes, but its derivative at this point is zero")
NO_DERIVATIVE = Template(
    "{target} changes, but it jumps or bends at this point, so it has no single derivative"
)
SLOPE = Template("{target} changes; its derivative is about {derivative}")
ALONG_A_DIRECTION = Template("{result}, with all elements perturbed, each by a different amount")
DIFFERS = Template(
    "{result}, but the gradient that came back gives {gradient}. The two differ if the program intentionally "
    "stops a gradient (`stop_gradient`, a custom gradient, values computed before the tape), or if a path was lost without a "
    "finding"
)
