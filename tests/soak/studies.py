"""studies: a thousand cases of which some crash, spin or fail; drivers killed 20 times; any number of workers; a hundred
thousand cases known again; Sobol indices of Ishigami's function.

* Each case has one row with its right status; all of them take less than 1.2 times the time of the good ones and of those that
  spin until their limit.
* A study whose driver was killed goes on to the table of one that was left alone, with each case once.
"""

import contextlib
import pathlib
import random
import signal
import sqlite3
import subprocess
import tempfile
import time

import runs
import whims
from runs import Failed, Report

CASES = 1000
LIMIT = 0.5  # s, that a case may take
WHIMS = {37: 1, 41: 2, 43: 3}  # every n-th case crashes, spins, has no value
STATUS = {0: "ok", 1: "crashed", 2: "timeout", 3: "failed"}


STUDY = """
[study]
model = "model.toml"
name = "{name}"
[[variable]]
name = "parameters.k"
range = ["50 [N/m]", "200 [N/m]"]
[[response]]
name = "peak"
expression = "max(x.x)"
[design]
type = "{design}"
count = {count}
[execute]
type = "local"
workers = {workers}
"""


class Folder:
    """A folder with the model and the plugin that has whims."""

    def __init__(self, name):
        self.path = pathlib.Path(name)
        whims.write(self.path, "step = 1e-4\n[output]\ninterval = 0.01\n")

    def words(self, text, name):
        (self.path / f"{name}.toml").write_text(text)
        return [runs.program, "study", f"{name}.toml", "--plugin-path", ".", "--out", f"results_{name}", "--yes"]

    def run(self, text, name, *more):
        """Carries a study out; how long that takes."""
        begun = time.monotonic()
        done = subprocess.run([*self.words(text, name), *more], cwd=self.path, capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"{name}: exit {done.returncode}: {done.stderr}")
        return time.monotonic() - begun

    @contextlib.contextmanager
    def database(self, name):
        with contextlib.closing(sqlite3.connect(self.path / f"results_{name}" / "study.db")) as database:
            yield database

    def table(self, name):
        with self.database(name) as database:
            return database.execute("SELECT * FROM wide").fetchall()


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Folder(name)


def whim_of(case):
    return next((whim for every, whim in WHIMS.items() if (case + 1) % every == 0), 0)


def check_whims():
    report = Report()
    wanted = [whim_of(case) for case in range(CASES)]
    lists = STUDY.replace('range = ["50 [N/m]", "200 [N/m]"]', 'table = "{name}.csv:k"\nunit = "N/m"\n'
                          '[[variable]]\nname = "parameters.whim"\ntable = "{name}.csv:whim"')  # fmt: skip
    lists = lists.replace("count = {count}\n", "") + 'time_limit = {limit}\n'
    with folder() as place:
        rows = [f"{50 + 0.1 * case},{whim}" for case, whim in enumerate(wanted)]
        (place.path / "all.csv").write_text("\n".join(["k,whim", *rows, ""]))
        span = place.run(lists.format(name="all", design="list", workers=2, limit=LIMIT), "all")
        table = place.table("all")
        wrong = [row for row in table if row[1] != STATUS[wanted[row[0]]] or (row[1] != "ok") != (row[5] is None)]
        report.most("rows that are missing", CASES - len(table), 0)
        report.most("wrong rows", len(wrong), 0)
        with place.database("all") as database:  # by the clock of each case: other work on this machine counts for both
            query = "SELECT sum(wall), max(cpu) FROM case_ WHERE status IN ('ok', 'timeout')"
            [(cases, longest)] = database.execute(query).fetchall()
        report.most("time over that of good cases and of those that spin", span / (cases / 2), 1.2)
        report.most("processor time over the limit", longest / LIMIT, 1.2)
        with place.database("all") as database:
            database.execute("UPDATE case_ SET started = 0")
            database.commit()
        place.run(lists.format(name="all", design="list", workers=2, limit=LIMIT), "all", "--resume")
        with place.database("all") as database:
            again = database.execute("SELECT count(*) FROM case_ WHERE started <> 0").fetchone()[0]
        report.most("cases that run again", again, 0)
    return report


def check_kills():
    report, dice = Report(), random.Random(5)
    text = STUDY.format(name="kills", design="sobol", count=1024, workers=2)
    with folder() as place:
        span = place.run(text, "undisturbed")
        kills = 0
        while kills < whims.KILLS:
            child = subprocess.Popen([*place.words(text, "killed"), "--resume"], cwd=place.path,
                                     stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)  # fmt: skip
            time.sleep(dice.uniform(0.0, 2.0 * span / whims.KILLS))
            child.send_signal(signal.SIGKILL)
            kills += child.wait() != 0
            if kills % 5 == 4:  # as when the machine goes down: nothing is left to workers either
                time.sleep(0.1)
        place.run(text, "killed", "--resume")
        report.most("rows that differ", sum(a != b for a, b in zip(place.table("killed"), place.table("undisturbed"))), 0)
        report.most("rows that are missing", 1024 - len(place.table("killed")), 0)
    return report


def check_workers():
    report = Report()
    with folder() as place:
        tables = []
        for workers in (1, 2, 7):
            name = f"of_{workers}"
            place.run(STUDY.format(name=name, design="sobol", count=256, workers=workers), name)
            tables.append(place.table(name))
        report.most("other tables", sum(table != tables[0] for table in tables), 0)
    return report


def check_large():
    """The first cases run; the others get results by hand."""
    report = Report()
    text = STUDY.format(name="large", design="sobol", count=131072, workers=2)
    with folder() as place:
        child = subprocess.Popen(place.words(text, "large"), cwd=place.path,
                                 stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)  # fmt: skip
        time.sleep(10)
        child.send_signal(signal.SIGKILL)
        child.wait()
        time.sleep(1)
        with place.database("large") as database:
            database.execute("UPDATE case_ SET status = 'ok', host = 'machine.example.org', solver = 'rk', cpu = 0.001, "
                             "wall = 0.001, t_end = 1, mem = 12345678, started = 1764240000.123, attempt = 1 "
                             "WHERE status <> 'ok'")  # fmt: skip
            database.execute("INSERT OR IGNORE INTO result SELECT id, 0, 0.1*id FROM case_")
            database.commit()
        report.most("s to go on", place.run(text, "large", "--resume"), 2.0)
        size = (place.path / "results_large" / "study.db").stat().st_size
        report.most("MB", 1e-6 * size, 200.0)
        report.most("missing rows", 131072 - len(place.table("large")), 0)
    return report


def check_ishigami():
    report = Report()
    exact = {"first order": (0.313905, 0.442411, 0.0), "total effect": (0.557589, 0.442411, 0.243684)}
    with tempfile.TemporaryDirectory() as results:
        study = runs.SOURCE / "configs" / "studies" / "ishigami_study.toml"
        done = subprocess.run([runs.program, "study", study, "--out", results, "--resume"], capture_output=True, text=True)
        if done.returncode:
            raise Failed(done.stderr)
        with contextlib.closing(sqlite3.connect(f"{results}/study.db")) as database:
            for name, values in exact.items():
                found = database.execute("SELECT value FROM answer WHERE name = ? ORDER BY variable", [name]).fetchall()
                report.most(name, max(abs(a - b) for (a,), b in zip(found, values, strict=True)), 0.01)
    return report


def checks():
    yield f"{CASES} cases, some with whims", check_whims
    yield f"driver killed {whims.KILLS} times", check_kills
    yield "1, 2 and 7 workers", check_workers
    yield "131072 cases known again", check_large
    yield "indices of Ishigami's function", check_ishigami
