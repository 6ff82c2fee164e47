"""random: a hundred random models of every kind of tests/random."""

import subprocess
import sys

import runs

COUNT = 100
FOLDER = runs.SOURCE / "tests" / "random"
KINDS = "free", "tree", "loop", "planar", "doubled", "coupled", "variables", "rolling", "feedback"
MOST_SHOWN = 6  # findings


def check(kind):
    report = runs.Report()
    command = [sys.executable, FOLDER / "run.py", runs.program, "--kinds", kind, "--count", str(COUNT), "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [line.strip() for line in done.stdout.splitlines()]
    report.ok = done.returncode == 0
    # the line of the kind, what is wrong, and the line of all
    report.figures = lines[: 1 if report.ok else 1 + MOST_SHOWN] if lines else [done.stderr[-200:]]
    return report


def checks():
    for kind in KINDS:
        yield kind, lambda kind=kind: check(kind)
