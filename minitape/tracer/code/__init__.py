"""Maps the code that Python runs to the text that the user wrote.

positions    the position in the source of each instruction
converted    the user's own source for code that AutoGraph has generated
"""
