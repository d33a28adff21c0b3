"""A program's text as a tree in which one finds and exchanges parts, and a mended tree as text again."""
