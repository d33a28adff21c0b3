"""What the program's text says where no event happened: the text is parsed, not run."""
