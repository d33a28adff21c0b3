"""A program's text as a tree with marks, and a mended tree as text again."""
