"""Tensors, variables and ops. Ops run only in primitive.py."""
