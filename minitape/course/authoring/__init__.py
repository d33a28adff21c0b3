"""For authors of lessons.

lint          finds problems in a lesson
new           writes a small course as a starting point
answer_book   all answers of a course on one page, for the teacher
"""
