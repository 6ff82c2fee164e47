"""restarts: 200 runs of seven models that are killed at random moments, and gone on with until they end.

* The tables are those of a run that was left alone, byte for byte, and run.toml is but for times and the count of `resumes`; there are
  no other files.
* KILL leaves a checkpoint, or none yet, which is told; TERM leaves one where the run was.
* A run without checkpoints writes the same tables.
* A checkpoint cut anywhere, or with a byte changed, is refused, and changes nothing.
"""

import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time

import runs
from runs import Failed, Report

KILLS = 200
FOLDER = runs.MODELS / "restart"
NAMES = "contact", "delays", "relay", "loops", "parts", "impacts", "sampled"
EVERY = 0.02  # s between checkpoints
# what differs from run to run: lines of run.toml that begin so
OTHER = re.compile(r"(resumes|peak_memory|\w+_time) = ", re.ASCII)
SAME_TIMES = re.compile(r"(end_time|start_time) = ")


def call(*words, folder):
    done = subprocess.run([runs.program, *words], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stderr


def words_of(name, every):
    words = ["run", FOLDER / f"{name}.toml", "--plugin-path", "plugins", "--quiet"]
    return words + (["--set", f"output.checkpoint={every}"] if every else [])


def without_end(log):
    """A log up to its last block, which tells of times on the wall."""
    place = 32
    while place + 32 <= len(log):
        _, kind, length = struct.unpack_from("<IIQ", log, place)
        if kind == 3:
            return log[:place]
        place += (32 + length + 31) // 32 * 32
    return log


def read_results(results):
    """Its files, without what differs from run to run."""
    files = {path.name: path.read_bytes() for path in results.iterdir()}
    if "rows.tnl" in files:
        files["rows.tnl"] = without_end(files["rows.tnl"])
    lines = files["run.toml"].decode().splitlines()
    files["run.toml"] = [line for line in lines if SAME_TIMES.match(line) or not OTHER.match(line)]
    return files


def differences(right, found):
    if set(right) != set(found):
        return f"files {sorted(set(right) ^ set(found))}"
    for name in right:
        if right[name] != found[name]:
            if name == "run.toml":
                return f"run.toml: {[(a, b) for a, b in zip(right[name], found[name]) if a != b][:3]}"
            return f"{name}: other bytes"
    return None


def prepare(folder):
    (folder / "plugins").mkdir()
    source = runs.SOURCE / "tests" / "system" / "plugins" / "relay.c"
    flags = ["-std=gnu17", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", "-I", runs.SOURCE / "sdk" / "include"]
    if subprocess.run(["cc", *flags, source, "-o", folder / "plugins" / "relay.so", "-lm"]).returncode != 0:
        raise Failed("the plugin cannot be built")


def kill(process, number, after):
    time.sleep(after)
    process.send_signal(number)
    return process.wait()


def check_kills(name, count):
    report, dice = Report(), random.Random(name)
    kills = absent = most = 0
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        prepare(folder)
        run = words_of(name, EVERY)
        for words in (words_of(name, None), run):
            status, errors = call(*words, "--out", words is run and "right" or "plain", folder=folder)
            if status != 0:
                raise Failed(f"exit {status}: {errors[-200:]}")
        begun = time.monotonic()
        call(*run, "--out", "timed", folder=folder)
        span = time.monotonic() - begun
        right = read_results(folder / "right")
        if right["sensors.csv"] != (folder / "plain" / "sensors.csv").read_bytes():
            raise Failed("checkpoints change the table")
        while kills < count:
            shutil.rmtree(folder / "results", ignore_errors=True)
            command, resumes = [*run, "--out", "results"], -1
            while True:
                process = subprocess.Popen([runs.program, *command], cwd=folder, stderr=subprocess.PIPE, text=True)
                resumes += 1
                number = dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
                if kills < count and resumes < 6:
                    kill(process, number, dice.uniform(0.0, 0.8 * span))
                    kills += 1
                errors = process.communicate()[1]
                status = process.returncode
                if status == 0 or "has finished: there is nothing" in errors:
                    break
                if "no checkpoint in" in errors or "holds no results" in errors:
                    absent += 1  # it was killed before the first one
                    break
                if status not in (-number, 128 + number):
                    raise Failed(f"exit {status}: {errors[-300:]}")
                command = ["run", "--resume", "results", "--plugin-path", "plugins", "--quiet"]
            if status == 0 or "has finished" in errors:
                wrong = differences(right, read_results(folder / "results"))
                if wrong:
                    raise Failed(f"{wrong} after {resumes} resumes")
                most = max(most, resumes)
    report.between("kills", kills, count, count)
    report.most("without a checkpoint yet", absent, 0.5 * count)
    report.between("resumes of one run, at most", most, 1, 6)
    return report


def check_spoilt():
    """Every cut, and a change of every byte, of a small checkpoint."""
    report, refused = Report(), 0
    with tempfile.TemporaryDirectory() as text:
        folder = pathlib.Path(text)
        prepare(folder)
        process = subprocess.Popen([runs.program, *words_of("relay", 0.01), "--out", "results"], cwd=folder)
        checkpoint = folder / "results" / "checkpoint"
        while process.poll() is None and not checkpoint.exists():
            time.sleep(0.002)
        kill(process, signal.SIGKILL, 0.05)
        whole, before = checkpoint.read_bytes(), read_results(folder / "results")
        for place in range(len(whole)):
            for spoilt in (whole[:place], whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1:]):
                checkpoint.write_bytes(spoilt)
                status, errors = call("run", "--resume", "results", "--plugin-path", "plugins", folder=folder)
                if status != 2 or "the run cannot be resumed: " not in errors:
                    raise Failed(f"exit {status} with byte {place}: {errors[-200:]}")
                refused += 1
        checkpoint.write_bytes(whole)
        if differences(before, read_results(folder / "results")):
            raise Failed("a refusal has changed the results")
        if call("run", "--resume", "results", "--plugin-path", "plugins", folder=folder)[0] != 0:
            raise Failed("the whole one is refused")
    report.between("refused", refused, 2 * len(whole), 2 * len(whole))
    return report


def checks():
    for name in NAMES:
        yield f"{name}, {KILLS // len(NAMES)} kills", lambda name=name: check_kills(name, KILLS // len(NAMES))
    yield "spoilt checkpoints", check_spoilt
