"""Random models under all solvers, against the laws of mechanics and each other.

usage: run.py TENON [--kinds tree,loop,...] [--first 0] [--count 20] [--jobs 2] [--short]
       run.py --list                       the kinds
       run.py --print KIND SEED            a model

--short takes a few models of each kind that have all types of elements between them.

For every model
  * gsl_ode (rk8pd, 1e-11) gives the reference; rk of order 4 and generalized_alpha at index 3 and 2 and moreau run with two steps,
    and their errors fall with the fourth and the second power; radau meets the reference by its tolerance;
  * the rows of the reference and of the shorter steps satisfy the equations of motion, with the reactions shown, and what else
    checker.py looks at;
  * the model as a whole turned and shifted moves alike (rk, generalized_alpha).

One line for each kind; exit status 1 when a model does not run, an order is low, or something misses its limit.
"""

import argparse
import math
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import checker
import kinds
import numpy as np
from algebra import exponential, of_quaternion
from model_text import text, turned
from state import Inventory

END, INTERVAL = 0.2, 0.01
REFERENCE = {"type": "gsl_ode", "stepper": "rk8pd", "relative_tolerance": 1e-11, "absolute_tolerance": 1e-12, "max_step": 2e-3}
ACCURATE, ACCURACY = {"type": "radau", "tolerance": 1e-8}, 1e-7  # and largest difference from the reference
METHODS = {  # keys of the solver, its order, two steps
    "rk": ({"type": "rk"}, 4, (5e-3, 2.5e-3)),
    "alpha_3": ({"type": "generalized_alpha", "index": 3}, 2, (1e-3, 5e-4)),
    "alpha_2": ({"type": "generalized_alpha", "index": 2}, 2, (1e-3, 5e-4)),
    "moreau": ({"type": "moreau"}, 2, (1e-3, 5e-4)),
}
# Solvers by impulses, behind a start that agrees with the constraints: another one is an impact, of first order. Reactions and
# accelerations are means over steps, at which checker.py does not look.
IMPULSES = ("moreau",)
BEFORE = {"type": "rk", "step": 5e-4, "end_time": INTERVAL}
REFUSED = "forces of this model read accelerations or reactions"  # by these
EXPLICIT = "reference", "rk", "radau"  # whose rows and accelerations hold to round-off
LOW_ORDER = 0.3  # by which the median of a kind may be lower
SMALL_ERROR = 1e-12  # of round-off and tolerances: says nothing of the order
TURN, SHIFT = exponential(np.array([0.4, -1.1, 0.8])), np.array([0.3, -0.2, 0.5])
TURNED = {"rk": (1e-7, 1e-4), "alpha_3": (1e-6, 1e-2)}  # differences of positions, and of reactions against the largest
# Behind the start of a step of rk rows that depend on each other no longer agree, by the error of the step. What they are met by then
# depends on E, which has the axes of each joint: positions differ by a share of the error of the method.
TURNED_SHARE = 0.5
WILD = 1e-3  # error of the longer step of rk, which is long, from which on rk is no judge of a model
MOST_WILD = 0.1  # of all models of a kind, or one
LONGEST = 120  # s
SHORT = {
    "free": (3, 14, 28),
    "tree": (13, 28, 36),
    "loop": (1, 3, 27),
    "planar": (3, 19, 27),
    "doubled": (1, 29, 32),
    "coupled": (0, 4, 21, 26),
    "variables": (3, 7, 16, 18, 27, 33),
    "rolling": (1, 2, 10),
    "feedback": (2, 7, 16),
}


class Failed(Exception):
    pass


# ---- runs


def read(path):
    """Name of a sensor -> [rows][size]."""
    lines = path.read_text().splitlines()
    values = np.array([[float(number) for number in line.split(",")] for line in lines[1:]])
    places = {}
    for k, name in enumerate(lines[0].split(",")):
        places.setdefault(name.split(".")[0], []).append(k)
    return {name: values[:, columns] for name, columns in places.items()}


def simulate(program, model, solver):
    with tempfile.TemporaryDirectory() as folder:
        path, results = Path(folder) / "model.toml", Path(folder) / "results"
        solver = {**solver, "end_time": END}
        solver = [BEFORE, solver] if solver["type"] in IMPULSES else solver
        path.write_text(text({**model, "solver": solver, "output": {"interval": INTERVAL}}))
        command = [program, "run", path, "--quiet", "--out", results]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            raise Failed(f"no end after {LONGEST} s") from None
        if done.returncode:
            raise Failed(f"exit {done.returncode}: {done.stderr.strip()[-200:]}")
        return read(results / "sensors.csv")


# ---- comparisons


def bodies(columns):
    return [name[:-2] for name in columns if name.endswith("_r")]


def difference(one, other):
    """Of positions and rotations."""
    largest = 0.0
    for body in bodies(one):
        largest = max(largest, abs(one[f"{body}_r"] - other[f"{body}_r"]).max())
        if f"{body}_q" in one:
            a, b = one[f"{body}_q"], other[f"{body}_q"]
            same_side = np.sign((a * b).sum(axis=1, keepdims=True))
            largest = max(largest, abs(a - same_side * b).max())
    return float(largest)


def turned_difference(columns, other):
    """Of positions; of reactions, against the largest."""
    places, forces, largest = 0.0, 0.0, 1.0
    for body in bodies(columns):
        if columns[f"{body}_r"].shape[1] == 1:
            places = max(places, abs(columns[f"{body}_r"] - other[f"{body}_r"]).max())
            continue
        places = max(places, abs(SHIFT + columns[f"{body}_r"] @ TURN.T - other[f"{body}_r"]).max())
        if f"{body}_q" in columns:
            for a, b in zip(columns[f"{body}_q"], other[f"{body}_q"]):
                places = max(places, abs(TURN @ of_quaternion(a) - of_quaternion(b)).max())
    for name, shown in columns.items():
        if name.endswith(("_force", "_torque")):
            there = shown @ TURN.T if shown.shape[1] == 3 else shown
            forces = max(forces, abs(there - other[name]).max())
            largest = max(largest, abs(shown).max())
    return float(places), float(forces / largest)


# ---- one model


class Result:
    def __init__(self, kind, seed):
        self.kind, self.seed = kind, seed
        self.failures, self.errors, self.misfits, self.turned = [], {}, {}, {}
        self.depends = False  # rows on each other
        self.accurate = 0.0  # of radau: its largest difference from the reference



def examine(job):
    program, kind, seed = job
    result, model = Result(kind, seed), kinds.model(kind, seed)
    inventory, runs = Inventory(model), {}

    def attempt(name, work):
        try:
            return work()
        except Failed as reason:
            result.failures.append((name, str(reason)))
        return None

    reference = attempt("reference", lambda: simulate(program, model, REFERENCE))
    for name, (solver, _, steps) in METHODS.items():
        for k, step in enumerate(steps):
            columns = attempt(f"{name} {step:g}", lambda: simulate(program, model, {**solver, "step": step}))
            runs[name, k] = columns
            if columns and reference:
                result.errors[name, k] = difference(columns, reference)
    accurate = attempt("radau", lambda: simulate(program, model, ACCURATE))
    if accurate and reference:
        result.accurate = difference(accurate, reference)
    shown = {"reference": reference, "radau": accurate} | {name: runs[name, 1] for name in METHODS if name not in IMPULSES}
    for name, columns in shown.items():
        if columns:
            result.misfits[name] = checker.check(model, inventory, columns)
    result.depends = bool(reference) and checker.rows_depend(model, inventory, reference)
    for name in TURNED:
        elsewhere = turned(model, TURN, SHIFT)
        solver = {**METHODS[name][0], "step": METHODS[name][2][0]}
        columns = attempt(f"{name} turned", lambda: simulate(program, elsewhere, solver))
        if columns and runs[name, 0]:
            result.turned[name] = turned_difference(runs[name, 0], columns)
    return result


# ---- a kind


def orders(results, name):
    """Of the models whose errors are large enough to tell."""
    found = []
    for result in results:
        coarse, fine = (result.errors.get((name, k), 0.0) for k in (0, 1))
        if coarse > 0 and fine > SMALL_ERROR:
            found.append(math.log2(coarse / fine))
    return found


def is_wild(result):
    """Near singular positions, or too stiff, for the steps of rk; which tells so itself where it fails."""
    return result.errors.get(("rk", 0), math.inf) >= WILD


def turned_limit(result, name, k):
    limit = TURNED[name][k]
    if name == "rk" and k == 0 and result.depends:
        limit = max(limit, TURNED_SHARE * result.errors.get((name, 0), 0.0))
    return limit


def summarise(kind, results):
    """A line, and what is wrong."""
    wrong = [
        f"seed {r.seed}, {name}: {reason}"
        for r in results
        for name, reason in r.failures
        if not (name.startswith("rk") and is_wild(r)) and not (name.startswith(IMPULSES) and REFUSED in reason)
    ]
    parts = [f"{kind}: {len(results)} models"]
    for name, (_, order, _) in METHODS.items():
        found = orders(results, name)
        median = statistics.median(found) if found else math.nan
        parts.append(f"order of {name} {median:.2f}")
        # the friction of discs has a second derivative with kinks
        if found and not (kind == "rolling" and name == "rk") and median < order - LOW_ORDER:
            wrong.append(f"order of {name} is {median:.2f}")
    worst = max(results, key=lambda result: result.accurate)
    parts.append(f"error of radau {worst.accurate:.0e}")
    if worst.accurate > ACCURACY:
        wrong.append(f"radau misses by {worst.accurate:.1e} (seed {worst.seed}), above {ACCURACY:.0e}")
    largest = {}
    for result in results:
        for name, misfits in result.misfits.items():
            if name == "rk" and is_wild(result):
                continue
            for what, size in misfits.items():
                largest.setdefault((what, name), []).append((size, result.seed))
    for what in checker.LIMITS:
        found = [(max(sizes), name) for (misfit, name), sizes in largest.items() if misfit == what]
        if found:
            parts.append(f"{what} {max(found)[0][0]:.0e}")
        for (size, seed), name in found:
            limit = checker.limit(kind, name in EXPLICIT, what)
            if size > limit:
                wrong.append(f"{what} {size:.1e} (seed {seed}, {name}), above {limit:.0e}")
    tame = [r for r in results if not is_wild(r)]
    if len(results) - len(tame) > max(1, MOST_WILD * len(results)):
        wrong.append(f"{len(results) - len(tame)} models are wild")
    for name in TURNED:
        for k, what in enumerate(("positions", "reactions")):
            found = [(r.turned[name][k], turned_limit(r, name, k), r.seed) for r in tame if name in r.turned]
            parts.append(f"turned {what} of {name} {max(found, default=(0.0,))[0]:.0e}")
            above = [one for one in found if one[0] > one[1]]
            if above:
                size, limit, seed = max(above)
                wrong.append(f"turned {what} of {name} differ by {size:.1e} (seed {seed}), above {limit:.0e}")
    return ", ".join(parts), wrong


def main():
    if "--list" in sys.argv:
        print("\n".join(kinds.KINDS))
        return 0
    if "--print" in sys.argv:
        kind, seed = sys.argv[sys.argv.index("--print") + 1 :][:2]
        solver = {"type": "rk", "step": 1e-3, "end_time": END}
        print(text({**kinds.model(kind, int(seed)), "solver": solver, "output": {"interval": INTERVAL}}))
        return 0
    parser = argparse.ArgumentParser(description="Random models against the laws of mechanics.")
    parser.add_argument("program", type=Path)
    parser.add_argument("--kinds", default=",".join(kinds.KINDS))
    parser.add_argument("--first", type=int, default=0, help="seed")
    parser.add_argument("--count", type=int, default=20, help="models of each kind")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--short", action="store_true")
    chosen = parser.parse_args()
    jobs = [
        (chosen.program.resolve(), kind, seed)
        for kind in chosen.kinds.split(",")
        for seed in (SHORT[kind] if chosen.short else range(chosen.first, chosen.first + chosen.count))
    ]
    with multiprocessing.Pool(chosen.jobs) as pool:
        results = pool.map(examine, jobs, chunksize=1)
    found = 0
    for kind in chosen.kinds.split(","):
        line, wrong = summarise(kind, [result for result in results if result.kind == kind])
        print(line)
        for what in wrong:
            print("    " + what)
        found += len(wrong)
    print(f"{len(results)} models, {found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
