"""Values that left an engine and came back: in goes what left and what comes, out come the exits that it took.

by_mark     known by a mark on it
by_name     guessed from the names around it, where no mark survived
"""
