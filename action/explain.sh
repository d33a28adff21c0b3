#!/usr/bin/env bash
# The step of action.yml that explains a script, or the failing tests of pytest.
#
# Annotations go to stdout, where the runner finds them; the summary goes to $GITHUB_STEP_SUMMARY.
# Exit code: that of `minitape explain` or of pytest; 2 if neither a script nor tests are given.
set -uo pipefail

script=${MINITAPE_SCRIPT:-} tests=${MINITAPE_TESTS:-} timeout=${MINITAPE_TIMEOUT:-120}
summary=${GITHUB_STEP_SUMMARY:-/dev/null}

if [ -z "$script$tests" ]; then
  echo "::error::the action needs the input script or the input tests"
  exit 2
fi

code=0
if [ -n "$script" ]; then
  # Beside the script, because a trace names files relative to its own folder.
  trace=$(mktemp "$(dirname -- "$script")/minitape-XXXXXX.jsonl")
  trap 'rm -f "$trace"' EXIT
  minitape trace "$script" --timeout "$timeout" --format jsonl -o "$trace" || code=$?
  if [ -s "$trace" ]; then
    code=0
    minitape explain "$trace" --format github || code=$?
    minitape explain "$trace" --format markdown --exit-zero >> "$summary" || true
  fi
fi

if [ -n "$tests" ]; then
  output=$(mktemp)
  read -r -a arguments <<< "$tests"
  failed=0
  # The output may contain text that the runner would take for a command, such as ::set-env.
  token=minitape-$RANDOM$RANDOM
  echo "::stop-commands::$token"
  python -m pytest --minitape "${arguments[@]}" 2>&1 | tee "$output" || failed=$?
  echo "::$token::"
  if [ "$failed" -ne 0 ]; then
    { echo "### pytest --minitape"; echo; sed 's/^/    /' "$output"; echo; } >> "$summary"
    code=$failed
  fi
  rm -f "$output"
fi
exit "$code"
