"""Fix mistakes by rule: takes a finding and the text of a program, and returns the text without the mistake. This package runs
nothing.

suggestions  a report, with the new line for each mistake that a change of one line fixes
repair       the rules: for each cause that a rule can fix, a syntax tree without the mistake
text         converts the program to a tree, locates a finding in it, and converts a fixed tree to text
fix_texts    the catalog of what a fix changes, in words

The package `verify` runs the fixed program to prove that a fix restores the gradient.
"""
