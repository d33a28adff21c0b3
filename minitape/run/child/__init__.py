"""The script's process: in goes a job, out come events and how it ended. It runs in any Python from 3.10 on that has NumPy.

boot site      the first page of it, and the way in before a script
main           the job
choice         on which engine a script runs, and which one is heard (alias)
inside         a program run in this process, with a tracer (limits crash)
"""
