"""The script's process takes a job, and sends events and how the script ended. It runs in any Python from 3.10 with NumPy.

boot site      the first module of the process, and its start before a script
main           the job
choice         the engine that a script runs on, and that is traced (alias)
inside         a program run in this process with a tracer (limits crash)
"""
