"""logs: 100 kills by KILL at any time of a run, after which `tenon recover` writes the rows of its log, rows.tnl.

* They are a beginning of those of a run that was left alone, and lack no more than a second of the run.
* run.toml says that the run was killed; the log itself is read to its last whole block, whose sums are those of zlib.
* Files of writers that convert the log are there as a whole or not at all, after kills of runs and of `tenon convert`: each is, byte
  by byte, what `tenon convert` makes afterwards; the one that lists the others is there only with all of them.
"""

import pathlib
import random
import re
import signal
import struct
import subprocess
import tempfile
import time
import tomllib
import zlib

import runs
from runs import Failed, Report

KILLS = 100
MODEL = runs.SOURCE / "configs" / "seeds" / "car.toml"
END = 200  # s of motion, which take longer than any kill comes
LONGEST = 2.5  # s, until the kill
FLUSHED = 1.0  # s, at the latest
WRITERS = {"hdf5": "results", "vtk": "vtk", "glb": "scene", "report": "report"}  # and what names of their files begin with


def start(folder, end):
    return subprocess.Popen(
        [runs.program, "run", MODEL, "--quiet", "--out", "results", "--set", f"solver.end_time={end}",
         "--set", "output.interval=1e-3"],
        cwd=folder, stderr=subprocess.DEVNULL)  # fmt: skip


def whole_blocks(log):
    """The number of blocks up to the first one that is not whole."""
    place, number = 32, 0
    while place + 32 <= len(log):
        magic, _, length, _, sum_, own, head_sum = struct.unpack_from("<IIQIIII", log, place)
        payload = log[place + 32 : place + 32 + length]
        if magic != 0x4B4C4E54 or own != number or zlib.crc32(log[place : place + 28]) != head_sum:
            break
        if len(payload) < length or zlib.crc32(payload) != sum_:
            break
        place += (32 + length + 31) // 32 * 32
        number += 1
    return number


def check_kill(folder, right, dice):
    """The share of the rows that were written in the end which the log lacks."""
    results = folder / "results"
    begun = time.monotonic()
    process = start(folder, END)
    time.sleep(dice.uniform(0.3, LONGEST))
    process.send_signal(signal.SIGKILL)
    process.wait()
    taken = time.monotonic() - begun
    table = results / "sensors.csv"
    log = results / "rows.tnl"
    if not log.exists() or whole_blocks(log.read_bytes()) == 0:
        return 0.0  # the run had not begun
    written = table.read_bytes().count(b"\n") - 1
    table.unlink()
    recovery = subprocess.run([runs.program, "recover", "results"], cwd=folder, capture_output=True, text=True)
    if recovery.returncode != 0:
        raise Failed(recovery.stderr)
    rows = table.read_bytes()
    if not right.startswith(rows) or not rows.endswith(b"\n"):
        raise Failed("other rows")
    if tomllib.loads((results / "run.toml").read_text())["run"]["status"] != "killed":
        raise Failed("run.toml does not say that the run was killed")
    recovered = rows.count(b"\n") - 1
    if recovered < written * (1.0 - FLUSHED / taken) - 100:
        raise Failed(f"{recovered} of {written} rows after {taken:.2f} s")
    return 1.0 - recovered / max(written, 1)


def written_by(results, stem):
    return {path.name: path.read_bytes() for path in results.iterdir() if re.match(re.escape(stem) + "[._-]", path.name)}


def convert(folder, writer):
    run = subprocess.run([runs.program, "convert", "results", "--to", writer], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        raise Failed(run.stderr)
    return written_by(folder / "results", WRITERS[writer])


def check_files(folder, writer):
    """What a kill has left of a writer; whether that was anything."""
    there = written_by(folder / "results", WRITERS[writer])
    right = convert(folder, writer)
    for name, content in there.items():
        if content != right.get(name):
            raise Failed(f"{name} is left over" if name not in right else f"{name} is half a file")
    mains = [name for name in there if "_" not in name and "-" not in name]
    if mains and len(there) < len(right):
        raise Failed(f"{mains[0]} is there before {len(right) - len(there)} others")
    return bool(there)


def kill_within(process, seconds, dice):
    time.sleep(dice.uniform(0.0, seconds))
    process.send_signal(signal.SIGKILL)
    process.wait()


def start_with_writers(folder, writers):
    names = ", ".join(f"'{name}'" for name in ["csv", *writers])
    return subprocess.Popen(
        [runs.program, "run", MODEL, "--quiet", "--out", "results", "--set", "solver.end_time=5",
         "--set", f"output.writers=[{names}]"],
        cwd=folder, stderr=subprocess.DEVNULL)  # fmt: skip


def timed(start_process):
    begun = time.monotonic()
    if start_process().wait() != 0:
        raise Failed("what is left alone fails")
    return time.monotonic() - begun


def check_writers():
    report, dice = Report(), random.Random(29)
    plugins = subprocess.run([runs.program, "plugins"], capture_output=True, text=True).stdout
    writers = [name for name in WRITERS if re.search(rf"\b{name}\b", plugins)]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        results = folder / "results"
        span = timed(lambda: start_with_writers(folder, writers))
        right = (results / "sensors.csv").read_bytes()
        found = 0
        for _ in range(KILLS):
            kill_within(start_with_writers(folder, writers), 1.1 * span, dice)
            if not right.startswith((results / "sensors.csv").read_bytes() if (results / "sensors.csv").exists() else b""):
                raise Failed("other rows")
            log = results / "rows.tnl"
            if log.exists() and whole_blocks(log.read_bytes()):
                found += sum([check_files(folder, writer) for writer in writers])
        report.most("files of writers behind kills of runs", found, len(writers) * KILLS)
        if start_with_writers(folder, writers).wait() != 0:
            raise Failed("the run that is left alone fails")
        for writer in writers:
            command = [runs.program, "convert", "results", "--to", writer]
            start_conversion = lambda: subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
            span, found = timed(start_conversion), 0
            for _ in range(KILLS):
                kill_within(start_conversion(), 1.1 * span, dice)
                found += check_files(folder, writer)
            report.most(f"files of {writer} behind kills of conversions", found, KILLS)
    return report


def check_kills():
    report, dice = Report(), random.Random(19)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if start(folder, END).wait() != 0:
            raise Failed("the run that is left alone fails")
        right = (folder / "results" / "sensors.csv").read_bytes()
        lacking = [check_kill(folder, right, dice) for _ in range(KILLS)]
    report.most("largest share of the rows that is lost", max(lacking), 1.0)
    return report


def checks():
    yield f"KILL, {KILLS} times", check_kills
    yield f"KILL with all writers, {KILLS} times each", check_writers
