"""A course: reads lessons and exercises, checks a student's file, and explains the result.

course               the parts of a course, read from its TOML files
checks student       the checks of an exercise, and what they can ask of a student's file (failing)
examining attempts   runs a file in its own process: the code inside that process, and the code outside
parallel_attempts grading
                     many files at once; a whole class
progress workspace   the student's progress, and the folder that the student works in
notebooks lint new   exercises as notebooks; problems in a lesson; a new course
messages             the sentences that users see
"""
