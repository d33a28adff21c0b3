"""Grades a class: the students' files become a row for each student and exercise, and statistics for the class.

submissions   the submitted folders, zips, notebooks and scripts
answers       finds the file for each exercise
grading       checks the files; rows in the order in which they finish
session       a grading run that can be continued after an interruption
rows          a row, and the file that stores the rows of an interrupted run
items         statistics of an exercise, and totals of a student
reports       CSV, JUnit, JSON
"""
