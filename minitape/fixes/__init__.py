"""Fix mistakes by rule: takes a finding and the text of a program, and returns the text without the mistake. Nothing is run here.

suggestions  a report, with the new line of each mistake that one changed line fixes
repair       the rules: for each cause that a rule can fix, a syntax tree without it
text         the program as a tree, the place of a finding in it, and a fixed tree as text again
fix_texts    the catalog of what a fix changes, in words

The package `verify` runs the fixed program to prove that a fix brings the gradient back.
"""
