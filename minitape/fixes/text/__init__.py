"""The text of a program as a tree whose parts can be found and exchanged, and a fixed tree as text again."""
