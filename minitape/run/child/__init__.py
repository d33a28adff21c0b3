"""The script's process: it takes a job, and sends the events and how the script ended. It runs in any Python from 3.10 with
NumPy.

boot site      the first module of the process, and the entry point that starts it before a script
main           does the job
choice         the engine that a script runs on, and that is traced (alias)
inside         a program run in this process with a tracer (limits crash)
"""
