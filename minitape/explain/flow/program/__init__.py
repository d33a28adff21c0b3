"""What the program's text shows where no event happened. The text is parsed, not run."""
