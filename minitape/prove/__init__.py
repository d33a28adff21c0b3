"""An answer tried out: in goes a report with the trace of its run, out comes the report with proofs, or what a check found.

proof            the script mended as a finding says (`mend`), run again, and the gradient that came back
fixing           what a program's files would say with all that was proved
  perturbation   a source moved a little, and what the target does
    mover        what moves it, inside the script's process
  answers        a gradient call found again in another run
  rerun          the runs that all need, in a process of their own
check            each gradient of a run against differences; listens inside the script's process
  comparing      what was asked and answered, beside differences
  replay         what a tape recorded, as a function that runs again
  check_report   what came of it, as data
audit            a trace held against itself, computed again
"""
