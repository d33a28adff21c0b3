"""The catalog of `minitape check`: why a gradient is not compared, or may differ."""

from minitape.templates import Template

OWN_RULE = Template("{functions} defines a gradient of its own")
ROUNDING = Template("in float64 the tape computes {gradient}: {dtype} lost the digits")
IS_NONE = "it is None, because the tape has no path; `minitape explain` shows why"
ONLY_REAL = "only real numbers are perturbed"
TARGET_NOT_REAL = "the target is not a real number"
NO_FLOAT64 = Template("it does not run again in float64: {error}")
OTHER_VALUE = "what the tape recorded has another value in float64"
NOT_FINITE = "it is not finite; `minitape explain` shows why"
