"""library: random calls of libtenon under sanitizers, and models on several threads under ThreadSanitizer."""

import os
import pathlib
import subprocess
import tempfile

import runs
from runs import Failed, Report

SEEDS, CALLS = 20, 3000
TESTS = runs.SOURCE / "tests" / "soak"


def carry_out(words, **environment):
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", env={**os.environ, **environment})
    if done.returncode:
        raise Failed(f"{pathlib.Path(words[0]).name}, exit {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
    return done.stdout.strip()


def build(folder, name, sanitizers):
    """The library, its plugins and tests/soak/NAME.c, all with these sanitizers: the program, and where plugins are."""
    flags = f"-fsanitize={sanitizers} -fno-omit-frame-pointer -g -O1"
    carry_out(["cmake", "-S", runs.SOURCE, "-B", f"{folder}/build", "-G", "Ninja", "-DBUILD_TESTING=OFF", "-DTENON_NATIVE=OFF",
               f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}"])
    carry_out(["cmake", "--build", f"{folder}/build"])
    program = f"{folder}/{name}"
    carry_out(["cc", "-std=gnu17", *flags.split(), TESTS / f"{name}.c", "-I", runs.SOURCE / "sdk" / "include", "-o", program,
               f"-L{folder}/build", "-ltenon", f"-Wl,-rpath,{folder}/build", "-lpthread", "-lm"])
    return program, f"{folder}/build/plugins"


def check_calls():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        program, plugins = build(folder, "random_calls", "address,undefined")
        for seed in range(SEEDS):
            carry_out([program, runs.SOURCE / "configs", str(seed), str(CALLS)], TENON_PLUGIN_PATH=plugins,
                      UBSAN_OPTIONS="halt_on_error=1")
    report.figures.append("every one returned")
    return report


def check_threads():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        program, plugins = build(folder, "many_threads", "thread")
        said = carry_out([program, runs.SOURCE / "configs"], TENON_PLUGIN_PATH=plugins)
    report.figures.append(said)
    return report


def checks():
    yield f"{SEEDS} times {CALLS} random calls", check_calls
    yield "models on six threads", check_threads
