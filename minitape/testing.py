"""`minitape.testing`: check gradients of functions, and the rules of single ops."""

from minitape.autodiff.check import compute_gradient
from minitape.autodiff.differences import Verdict
from minitape.autodiff.gradcheck import (
    Comparison,
    GradientReport,
    assert_gradients,
    gradcheck,
)
from minitape.autodiff.rulecheck import RuleCheck, check_rule

__all__ = [
    "Comparison",
    "GradientReport",
    "RuleCheck",
    "Verdict",
    "assert_gradients",
    "check_rule",
    "compute_gradient",
    "gradcheck",
]
