"""Tapes, and the walk back over them."""
