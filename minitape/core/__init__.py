"""Values, and the one place where a primitive runs."""
