"""Compares two traces: where two runs differ (`diff`), and where two engines compute different results (`compare`)."""
