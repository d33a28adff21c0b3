"""A course: lessons and exercises go in, out comes what a student's file is worth, and why.

course             what a course is made of, read from its TOML files
checks student     what an exercise asks for, and what a check may ask of the student's file (failing)
examining trying   a file tried in a process of its own: the side of that process, and ours
progress folder    how far a student is; the folder that is worked in
export lint new    notebooks; what is wrong with a lesson; a new one
"""
