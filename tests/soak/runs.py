"""Runs of models by the program: results, statistics, and what the program wrote."""

import csv
import dataclasses
import pathlib
import subprocess
import tempfile
import tomllib

import numpy

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODELS = SOURCE / "tests" / "soak" / "models"
BENCHMARKS = SOURCE / "configs" / "benchmarks"
LONGEST = 900  # s, that a run may take
program = SOURCE / "build" / "tenon"


class Failed(Exception):
    """A run that did not end well, or a figure that misses its limit."""


class Skipped(Exception):
    """What a check needs is not installed."""


@dataclasses.dataclass
class Run:
    columns: dict  # name -> numbers, row by row
    steps: int
    iterations: int
    errors: str  # what the program wrote there

    def __getitem__(self, column):
        return self.columns[column]

    def change(self, column):
        """The largest distance from the first value."""
        return abs(self[column] - self[column][0]).max()

    def rise(self, column):
        return (self[column] - self[column][0]).max()


def read_table(path):
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    values = numpy.array([[float(text) for text in row] for row in rows if len(row) == len(names)])
    return dict(zip(names, values.reshape(-1, len(names)).T))


def run(model, **settings):
    """Runs a model with parts of it replaced: run(path, parameters__n=3, solver__step=1e-3)."""
    words = []
    for path, value in settings.items():
        words += ["--set", f"{path.replace('__', '.')}={value!r}"]
    with tempfile.TemporaryDirectory() as results:
        command = [program, "run", model, "--out", results, *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            raise Failed(f"no end after {LONGEST} s") from None
        if done.returncode:
            errors = [line for line in done.stderr.splitlines() if "error: " in line]
            raise Failed(f"exit {done.returncode}: {(errors or ['no reason'])[0][:160]}")
        statistics = tomllib.loads((pathlib.Path(results) / "run.toml").read_text())["run"]["statistics"]
        columns = read_table(pathlib.Path(results) / "sensors.csv")
    if not all(numpy.isfinite(column).all() for column in columns.values()):
        raise Failed("values that are not finite")
    return Run(columns, statistics["steps"], statistics["newton_iterations"], done.stderr)


class Report:
    """The figures of one check; it has failed once one of them is beyond its limit."""

    def __init__(self):
        self.figures, self.ok = [], True

    def most(self, what, value, limit, unit=""):
        self.between(what, value, -numpy.inf, limit, unit)

    def between(self, what, value, low, high, unit=""):
        fine = bool(low <= value <= high)
        self.ok &= fine
        limits = f"{high:.3g}" if low == -numpy.inf else f"{low:.3g} to {high:.3g}"
        self.figures.append(f"{what} {value:.3g}{unit and ' ' + unit}" + ("" if fine else f" (limit {limits})"))
