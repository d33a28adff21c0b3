"""`minitape.testing`: check gradients of functions, and the rules of single ops."""

from minitape.autodiff.check import compute_gradient
from minitape.autodiff.finite_differences import GradientVerdict
from minitape.autodiff.gradcheck import (
    GradientComparison,
    GradientReport,
    assert_gradients,
    gradcheck,
)
from minitape.autodiff.rulecheck import RuleCheck, check_rule

__all__ = [
    "GradientComparison",
    "GradientReport",
    "GradientVerdict",
    "RuleCheck",
    "assert_gradients",
    "check_rule",
    "compute_gradient",
    "gradcheck",
]
