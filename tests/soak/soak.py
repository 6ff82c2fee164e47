"""Checks that take long: one line for each with its figures, and `ok` or `FAILED`; exit status 1 when one failed.

usage: soak.py [--program build/tenon] [--jobs 2] [NAME ...]

A NAME is that of a group, or any part of the title of a check.
"""

import argparse
import concurrent.futures
import pathlib
import sys
import time

import bicycle
import executors
import fuzz
import kills
import ladder
import library
import logs
import long
import published
import random_models
import restarts
import runs
import spin
import studies
import threads

GROUPS = {
    "long": long,
    "ladder": ladder,
    "spin": spin,
    "bicycle": bicycle,
    "random": random_models,
    "published": published,
    "kills": kills,
    "logs": logs,
    "restarts": restarts,
    "fuzz": fuzz,
    "library": library,
    "threads": threads,
    "executors": executors,
    "studies": studies,
}


def carry_out(title, check):
    started = time.monotonic()
    try:
        report = check()
        ok, figures = report.ok, "; ".join(report.figures)
    except runs.Skipped as reason:
        print(f"skipped {title}: {reason}", flush=True)
        return True
    except runs.Failed as reason:
        ok, figures = False, str(reason)
    print(f"{'ok    ' if ok else 'FAILED'} {title}: {figures} ({time.monotonic() - started:.1f} s)", flush=True)
    return ok


def selected(names):
    for group, module in GROUPS.items():
        for title, check in module.checks():
            title = f"{group}: {title}"
            if not names or any(name == group or (name not in GROUPS and name in title) for name in names):
                yield title, check


def main():
    options = argparse.ArgumentParser(description="Checks that take long.")
    options.add_argument("--program", type=pathlib.Path, default=runs.program)
    options.add_argument("--jobs", type=int, default=2, help="checks at a time")
    options.add_argument("names", nargs="*", metavar="NAME", help="of a group, or part of a title: " + " ".join(GROUPS))
    chosen = options.parse_args()
    runs.program = chosen.program.resolve()
    checks = list(selected(chosen.names))
    if not checks:
        options.error("no check of that name")
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        results = list(pool.map(lambda one: carry_out(*one), checks))
    print(f"{len(results)} checks, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
