"""A course: reads lessons and exercises, checks a student's file, and explains the result.

course               the parts of a course, read from its TOML files
checks student       the checks of an exercise, and their access to a student's file (failing)
examining attempts   runs a file in its own process: the code inside that process and the code outside it
parallel_attempts grading
                     many files at the same time; a whole class
student_readme       the README of a course folder
progress workspace   the student's progress, and the folder that the student works in
block                what a student changed in a file, inside and outside the block to edit
notebooks            exercises as notebooks, and the magics that check them
explaining           decides when a student sees the explanation of a failed attempt
authoring            for authors: finds problems in a lesson, and creates a course
messages             the sentences that users see
"""

from minitape import stand_in

stand_in.install()
