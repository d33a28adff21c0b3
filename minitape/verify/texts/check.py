"""The catalog of `minitape check`: why a gradient is not compared, or may differ."""

from minitape.templates import Template

OWN_RULE = Template("{functions} defines a custom gradient")
ROUNDING = Template("in float64 the tape computes {gradient}: {dtype} lost the digits")
IS_NONE = "it is None, because the tape has no path; `minitape explain` shows why"
ONLY_REAL = "only real numbers are perturbed"
TARGET_NOT_REAL = "the target is not a real number"
NO_FLOAT64 = Template("the ops cannot be run again in float64: {error}")
OTHER_VALUE = "the ops that the tape recorded have a different result in float64"
NOT_FINITE = "it is not finite; `minitape explain` shows why"
