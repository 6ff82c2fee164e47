"""threads: all tests under the thread sanitizer (preset `tsan`), about an hour on two cores. Those that take the place of memory functions,
or need signals at once, skip themselves there (tests/CMakeLists.txt)."""

import re
import subprocess

import runs
from runs import Failed, Report

FOLDER = runs.SOURCE / "build-tsan"


def carry_out(*words):
    return subprocess.run(words, cwd=runs.SOURCE, capture_output=True, text=True, errors="replace")


def check_tests():
    report = Report()
    for words in (["cmake", "--preset", "tsan"], ["cmake", "--build", FOLDER]):
        done = carry_out(*words)
        if done.returncode:
            raise Failed(f"{words[1]}, exit {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
    said = carry_out("ctest", "--test-dir", FOLDER, "--no-tests=error", "-j", "2", "--output-on-failure").stdout
    counts = re.search(r"(\d+) tests failed out of (\d+)", said)
    if not counts:
        raise Failed(f"ctest says: {said[-500:]}")
    report.figures.append(f"{counts[2]} tests")
    report.most("failed", int(counts[1]), 0)
    report.most("data races", said.count("WARNING: ThreadSanitizer: data race"), 0)
    return report


def checks():
    yield "all tests", check_tests
