"""What the program's text says, where no event happened: read as a tree, without running it."""
