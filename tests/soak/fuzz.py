"""fuzz: half an hour of whole runs of spoilt models, with sanitizers, and with libFuzzer where clang has it."""

import pathlib
import subprocess
import tempfile

import runs
from runs import Failed, Report

SECONDS = 1800


def check_runs():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        command = ["sh", runs.SOURCE / "tests" / "fuzz" / "fuzz.sh", "run", folder, str(SECONDS)]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        found = sorted(path.name for path in (pathlib.Path(folder) / "found").iterdir())
        if done.returncode or found:
            raise Failed(f"exit {done.returncode}, found {found}: {(done.stdout + done.stderr)[-500:]}")
    report.most("texts that break the program", len(found), 0)
    return report


def checks():
    yield f"whole runs, {SECONDS} s", check_runs
