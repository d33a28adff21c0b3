"""The kinds of checks that an exercise can have; each is declared once, with its fields.

answers     prediction order choice     answers that the student types out
functions   value slope cost taped holds      functions, called at random points (slopes)
runs        codes connected tape        the recorded trace
check       their base classes
"""

from minitape.course.checks.answers import Choice, Order, Prediction
from minitape.course.checks.functions import Cost, Holds, Slope, Taped, Value
from minitape.course.checks.runs import Codes, Connected, TapeShape

AnyCheck = (
    Prediction
    | Value
    | Slope
    | Codes
    | Connected
    | TapeShape
    | Cost
    | Taped
    | Choice
    | Order
    | Holds
)

__all__ = [
    "AnyCheck",
    "Choice",
    "Codes",
    "Connected",
    "Cost",
    "Holds",
    "Order",
    "Prediction",
    "Slope",
    "TapeShape",
    "Taped",
    "Value",
]
