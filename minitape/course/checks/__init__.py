"""What an exercise may ask for: each kind is declared once, with its fields.

answers     prediction order choice     what is typed out
functions   value slope cost holds      functions, called at drawn points (slopes)
runs        codes connected tape        what was recorded
check       what they have in common
"""

from minitape.course.checks.answers import Choice, Order, Prediction
from minitape.course.checks.functions import Cost, Holds, Slope, Value
from minitape.course.checks.runs import Codes, Connected, Tape

AnyCheck = Prediction | Value | Slope | Codes | Connected | Tape | Cost | Choice | Order | Holds

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
    "Tape",
    "Value",
]
