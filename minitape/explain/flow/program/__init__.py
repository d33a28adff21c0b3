"""The text of the program, for what no event shows: parsed as a tree, without running it."""
