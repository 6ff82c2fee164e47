"""kills: 200 kills each by TERM, HUP, KILL and PIPE, at any time from the start of the program to its end.

* The table holds whole rows, which are those of a run that was left alone, and the model is as it was. Linux lets KILL end a
  write between two pages of memory: then, and only there, half a row is left.
* run.toml is valid and tells how the run ended: "running" only after KILL.
"""

import mmap
import pathlib
import random
import signal
import subprocess
import tempfile
import time
import tomllib

import runs
from runs import Failed, Report

KILLS = 200
MODEL = runs.SOURCE / "configs" / "first" / "spring_damper.toml"
SIGNALS = signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGPIPE


def start(folder):
    return subprocess.Popen(
        [runs.program, "run", "model.toml", "--quiet", "--out", "results", "--set", "solver.end_time=20",
         "--set", "output.interval=1e-3"],
        cwd=folder, stderr=subprocess.DEVNULL)  # fmt: skip


def check_folder(folder, right, number, status):
    """What one run has left; the status in run.toml."""
    table = folder / "results" / "sensors.csv"
    rows = table.read_bytes() if table.exists() else b""
    cut = number == signal.SIGKILL and len(rows) % mmap.PAGESIZE == 0
    if rows and not rows.endswith(b"\n") and not cut:
        raise Failed(f"half a row: {rows[-80:]!r}")
    if not right.startswith(rows):
        raise Failed("other rows")
    if (folder / "model.toml").read_bytes() != MODEL.read_bytes():
        raise Failed("another model")
    told = tomllib.loads((folder / "results" / "run.toml").read_text())["run"]["status"]
    allowed = {"finished"} if status == 0 else {"finished", "running"} if number == signal.SIGKILL else {
        "finished", "interrupted"}  # fmt: skip
    if told not in allowed or status not in (0, -number, 128 + number):
        raise Failed(f"{told}, and exit {status}")
    return told


def check_kills(number):
    report, dice, ends = Report(), random.Random(7), {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "model.toml").write_bytes(MODEL.read_bytes())
        begun = time.monotonic()
        if start(folder).wait() != 0:
            raise Failed("the run that is left alone fails")
        span = time.monotonic() - begun
        right = (folder / "results" / "sensors.csv").read_bytes()
        for kill in range(KILLS):
            process = start(folder)
            time.sleep(dice.uniform(0.0, 1.1 * span))
            process.send_signal(number)
            told = check_folder(folder, right, number, process.wait())
            ends[told] = ends.get(told, 0) + 1
            if kill % 2 and start(folder).wait() != 0:
                raise Failed("the next run fails")
    for told, count in sorted(ends.items()):
        report.most(told, count, KILLS)
    return report


def checks():
    for number in SIGNALS:
        yield f"{number.name}, {KILLS} times", lambda number=number: check_kills(number)
