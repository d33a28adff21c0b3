"""Values that left an engine and re-entered: finds the exits that a value came through.

by_mark     evidence: the same array object left and came back, recognized by a mark
by_name     heuristic: the names in the statement, if no mark survived
"""
