"""A class's files go in, a row for each student and exercise comes out, and what the class has not understood.

submissions   what was handed in: folders, zips, notebooks, scripts
answers       which of these files is for which exercise
grading       rows, each as it comes
rows          a row, and the file that keeps those of an interrupted run
items         what the rows say together
reports       CSV, JUnit
"""
