"""Verify explanations: takes a report and the trace of its run, and returns the report with proofs, or the result of a check.

proof            fix the script as a finding advises (`fix`), run it again, and read the returned gradient
applying         the files of a program with all proved fixes applied
  perturbation   perturbs a source, and measures the change of the target
    `perturber`    the part of a perturbation that runs in the script's process
  answers        finds the same gradient call in another run
  rerun          runs the program again in a separate process
check            compare each gradient of a run with finite differences, inside the script's process
  comparing      the comparison
  replay         the recorded ops of a tape, as a function that can run again
  check_report   the result, as data
audit            recomputes a trace, and compares the results with the trace
texts            the catalogs of the texts of these modules
"""
