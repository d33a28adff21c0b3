"""Verify explanations: takes a report with the trace of its run, and returns the report with proofs, or the result of a check.

proof            fix the script as a finding says (`fix`), run it again, and read the gradient that comes back
applying         the files of a program with all proved fixes applied
  perturbation   perturbs a source, and measures the change of the target
    `perturber`  the part of a perturbation inside the script's process
  answers        finds a gradient call again in another run
  rerun          runs the program again, in a separate process
check            compare each gradient of a run with finite differences, inside the script's process
  comparing      the comparison
  replay         what a tape recorded, as a function that can run again
  check_report   the result, as data
audit            computes a trace again, and compares the results with the trace
texts            the catalogs of the texts of these modules
"""
