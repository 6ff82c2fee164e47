#!/usr/bin/env python3
"""Work against precision: the models of configs/ with smooth motion, under every adaptive solver, from one tolerance to the next.

usage: work_precision.py TENON MODELS    prints a table in Markdown (configs/benchmarks/README.md)

Errors are the largest ones of a column at the rows of a run, against a run of the reference solver with a tolerance of 1e-12; times are
the shortest of three runs, without loading.
"""
import csv
import os
import subprocess
import sys
import tempfile
import tomllib

# model, end, interval, column
PROBLEMS = [
    ("Andrews' mechanism, 0.03 s (rad)", "benchmarks/iftomm_a03_andrews.toml", 0.03, 0.006, "gamma"),
    ("heavy top, 0.5 s (m)", "benchmarks/heavy_top.toml", 0.5, 0.1, "u.x"),
    ("flyball governor, 2 s (rad)", "benchmarks/iftomm_a05_flyball.toml", 2.0, 0.4, "droop"),
    ("slider-crank, 5 s (rad)", "benchmarks/slider_crank.toml", 5.0, 1.0, "crank"),
    ("bicycle, 5 s (rad)", "seeds/bicycle.toml", 5.0, 1.0, "roll"),
    ("car on four discs, 1 s (m)", "benchmarks/car.toml", 1.0, 0.2, "p.x"),
]
SOLVERS = [
    ("generalized_alpha", []),
    ("radau", []),
    ("rk", ["solver.order=5"]),
    ("gsl_ode rk8pd", ["solver.stepper=rk8pd"]),
    ("gsl_ode msadams", ["solver.stepper=msadams"]),
    ("ida", []),
]
TOLERANCES = ["1e-4", "1e-6", "1e-8"]
REFERENCE = ("radau", "1e-12", [])
SECONDS = 60  # a run that takes longer is left out


class Bench:
    def __init__(self, tenon, models):
        self.tenon, self.models = tenon, models
        self.out = tempfile.TemporaryDirectory()

    def run(self, problem, solver, tolerance, more):
        """The column, and the statistics; None where the run did not finish."""
        _, model, end, interval, column = problem
        sets = [f"solver.end_time={end}", f"output.interval={interval}", f"solver.tolerance={tolerance}", *more]
        command = [self.tenon, "run", os.path.join(self.models, model), "--quiet", "--trust", "--solver", solver,
                   "--out", self.out.name]
        for text in sets:
            command += ["--set", text]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0:
            return None
        with open(os.path.join(self.out.name, "sensors.csv"), newline="") as file:
            values = [float(row[column]) for row in csv.DictReader(file)]
        with open(os.path.join(self.out.name, "run.toml"), "rb") as file:
            return values, tomllib.load(file)["run"]["statistics"]

    def cell(self, problem, solver, tolerance, more, right):
        best = None
        for _ in range(3):
            result = self.run(problem, solver, tolerance, more)
            if result is None:
                return "-"
            if best is None or result[1]["wall_time"] < best[1]["wall_time"]:
                best = result
        values, statistics = best
        error = max(abs(a - b) for a, b in zip(values, right))
        return f"{error:.1e}, {1e3 * statistics['wall_time']:.3g} ms, {statistics['steps']}"

    def table(self):
        print("| problem | solver |", " | ".join(f"`tolerance = {t}`" for t in TOLERANCES), "|")
        print("| --- |", " | ".join(["---"] * (1 + len(TOLERANCES))), "|")
        for problem in PROBLEMS:
            name, tolerance, more = REFERENCE
            reference = self.run(problem, name, tolerance, more)
            if reference is None:
                sys.exit(f"work_precision.py: {problem[0]}: the reference run failed")
            for k, (solver, keys) in enumerate(SOLVERS):
                cells = [self.cell(problem, solver.split()[0], t, keys, reference[0]) for t in TOLERANCES]
                print(f"| {problem[0] + ' ' if not k else ''}| `{solver}` |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Bench(sys.argv[1], sys.argv[2]).table()
