"""The trace of a run: a tracer writes one line for each event (writing.py), and reading.py returns a `Trace` of typed events."""
