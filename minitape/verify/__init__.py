"""Verify explanations: from a report with the trace of its run to the report with proofs, or to the result of a check.

proof            fix the script as a finding says (`fix`), run it again, and read the gradient that comes back
applying         the files of a program with all proved fixes
  perturbation   perturb a source, and measure the change of the target
    `perturber`  the part of a perturbation inside the script's process
  answers        a gradient call found again in another run
  rerun          the runs that all need, in a process of their own
check            compare each gradient of a run with finite differences, inside the script's process
  comparing      the comparison
  replay         what a tape recorded, as a function that runs again
  check_report   the result, as data
audit            compute a trace again, and compare
texts            the catalogs of the words of all these
"""
