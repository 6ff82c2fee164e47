"""executors: the same table of 1000 cases from every executor, whatever happens to cases, workers and drivers.

Every 37th case crashes, every 41st spins, every 43rd fails. Slurm is a private one of this machine, with two processors; where it or MPI is not
installed its checks are skipped.
"""

import contextlib
import functools
import getpass
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time

import runs
import whims
from runs import Failed, Report, Skipped

CASES = 1000
LIMIT = 0.3  # s of processor time of a case
STUDY = """[study]
model = "model.toml"
name = "whims"
[[variable]]
name = "parameters.whim"
table = "cases.csv:whim"
[[variable]]
name = "parameters.k"
table = "cases.csv:k"
unit = "N/m"
[[response]]
name = "peak"
expression = "max(x.x)"
[design]
type = "list"
[execute]
time_limit = %g
%s
"""
LOCAL = 'type = "local"\nworkers = %d'
MPI = 'type = "mpi"\nworkers = 2\nextra = ["--oversubscribe"]'
SLURM = 'type = "slurm"\nchunk = "2 [s]"\npoll = 0.5\npatience = 1'


def whim_of(case):
    return 1 if case % 37 == 0 else 2 if case % 41 == 0 else 3 if case % 43 == 0 else 0


EXPECTED = {"crashed": 27, "timeout": 24, "failed": 23, "ok": 926}


class Folder:
    """A folder with the study, and the plugin whose cases go wrong."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        whims.write(self.path, "step = 2e-4\n")
        rows = [f"{whim_of(case)},{100 + 0.1 * case}" for case in range(1, CASES + 1)]
        (self.path / "cases.csv").write_text("\n".join(["whim,k", *rows]) + "\n")

    def start(self, executor, name, environment):
        (self.path / f"{name}.toml").write_text(STUDY % (LIMIT, executor))
        return subprocess.Popen(
            [runs.program, "study", f"{name}.toml", "--plugin-path", ".", "--out", name, "--resume", "--quiet"],
            cwd=self.path, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            start_new_session=True)  # fmt: skip

    def carry_out(self, executor, name, environment):
        process = self.start(executor, name, environment)
        try:
            errors = process.communicate(timeout=runs.LONGEST)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failed(f"no end after {runs.LONGEST} s") from None
        if process.returncode:
            raise Failed(f"exit {process.returncode}: {errors.strip()[:200]}")

    def table(self, name):
        return subprocess.run([runs.program, "study", "export", self.path / name], check=True, capture_output=True).stdout

    def ask(self, name, query):
        with contextlib.closing(sqlite3.connect(self.path / name / "study.db")) as database:
            return database.execute(query).fetchall()


def need_mpi():
    if not shutil.which("mpirun"):
        raise Skipped("mpirun is not installed: package openmpi-bin")
    return {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@contextlib.contextmanager
def slurm():
    """A controller and a node on this machine; the environment of its clients."""
    for program in "slurmctld", "slurmd", "sbatch":
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin"):
            raise Skipped(f"{program} is not installed: package slurm-wlm")
    host, user, (port, node_port) = socket.gethostname().split(".")[0], getpass.getuser(), free_ports(2)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for inner in "state", "spool":
            (folder / inner).mkdir()
        (folder / "slurm.conf").write_text(f"""ClusterName=tenon
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
MaxArraySize=51
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        environment = {"SLURM_CONF": str(folder / "slurm.conf"), "PATH": os.environ["PATH"] + ":/usr/sbin"}
        services = []
        try:
            for words in ["slurmctld", "-D", "-c"], ["slurmd", "-D", "-N", host]:
                services.append(
                    subprocess.Popen(words, env=os.environ | environment, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL))  # fmt: skip
            wait_for_node(environment, folder)
            yield environment
        finally:
            subprocess.run(["scancel", "--user", user], env=os.environ | environment, capture_output=True)
            for service in reversed(services):
                service.terminate()
            for service in reversed(services):
                service.wait()


def wait_for_node(environment, folder):
    for _ in range(300):
        told = subprocess.run(["sinfo", "-h", "-o", "%T"], env=os.environ | environment, capture_output=True, text=True)
        if told.stdout.strip() == "idle":
            return
        time.sleep(0.2)
    log = folder / "slurmctld.log"
    raise Failed(f"Slurm does not start: {told.stderr or told.stdout} {log.read_text()[-300:] if log.exists() else ''}")


@contextlib.contextmanager
def surroundings(executor):
    if executor == SLURM:
        with slurm() as environment:
            yield environment
    else:
        yield need_mpi() if executor == MPI else {}


@functools.cache
def reference():
    """The table by one worker."""
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(name)
        folder.carry_out(LOCAL % 1, "local", {})
        # the plugin stands elsewhere in each folder
        return folder.table("local").replace(os.fsencode(folder.path), b"")


def compare(folder, name, report):
    same = folder.table(name).replace(os.fsencode(folder.path), b"") == reference()
    report.between("tables that are the same", int(same), 1, 1)
    counts = dict(folder.ask(name, "SELECT status, count(*) FROM wide GROUP BY status"))
    if counts != EXPECTED:
        reasons = folder.ask(name, "SELECT reason, count(*) FROM wide WHERE status = 'failed' GROUP BY reason ORDER BY 2 DESC")
        raise Failed(f"statuses {counts}, such as {reasons[0]}")


def check_table(executor):
    report = Report()
    with surroundings(executor) as environment, tempfile.TemporaryDirectory() as name:
        folder = Folder(name)
        begun = time.monotonic()
        folder.carry_out(executor, "study", environment)
        span = time.monotonic() - begun
        compare(folder, "study", report)
        if executor == LOCAL % 2:
            # by the clock of each case: other work on this machine counts for both
            [(cases,)] = folder.ask("study", "SELECT sum(wall) FROM case_ WHERE status IN ('ok', 'timeout')")
            [(spun,)] = folder.ask("study", "SELECT max(cpu) FROM case_ WHERE status = 'timeout'")
            report.most("time over that of good cases and of those that spin", span / (cases / 2), 1.2)
            report.most("processor time over the limit", spun / LIMIT, 1.2)
    return report


def check_kills(executor):
    report, dice = Report(), random.Random(5)
    with surroundings(executor) as environment, tempfile.TemporaryDirectory() as name:
        folder = Folder(name)
        for _ in range(whims.KILLS):
            process = folder.start(executor, "study", environment)
            time.sleep(dice.uniform(0.05, 2.0))
            process.send_signal(signal.SIGKILL)
            process.communicate()
        folder.carry_out(executor, "study", environment)
        compare(folder, "study", report)
        [(rows, numbers)] = folder.ask("study", "SELECT count(*), count(DISTINCT id) FROM case_")
        report.between("cases", rows, CASES, CASES)
        report.between("numbers of cases", numbers, CASES, CASES)
    return report


def checks():
    executors = {f"local, {count} workers": LOCAL % count for count in (2, 7)} | {"slurm": SLURM, "mpi": MPI}
    for title, executor in executors.items():
        yield f"{CASES} cases, {title}", lambda executor=executor: check_table(executor)
    for title, executor in executors.items():
        yield f"driver killed {whims.KILLS} times, {title}", lambda executor=executor: check_kills(executor)
