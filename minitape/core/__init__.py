"""Values, and the only module in which a primitive runs (primitive.py)."""
