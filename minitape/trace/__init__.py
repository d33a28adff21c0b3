"""In goes what an ear wrote, a line for each event (writing.py); out comes a `Trace` of typed, checked events (events.py)."""
