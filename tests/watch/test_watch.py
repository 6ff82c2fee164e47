#!/usr/bin/env python3
"""`tenon watch`: the page grows with the run and has its rows; who may not ask gets nothing; nothing disturbs the run.
usage: test_watch.py TENON SOURCE_DIR"""
import base64
import csv
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

TENON, SOURCE = sys.argv[1:3]
LONGEST = 60  # s, of everything that is waited for

MODEL = """
[[element]]
name = "mass"
type = "mass_point"
mass = 1
position = [1.05, 0, 0]

[[element]]
name = "spring"
type = "spring_damper"
markers = ["ground", "mass"]
reference_length = 1
stiffness = 100
damping = 1e-3

[[sensor]]
name = "x"
element = "mass"
output = "position"

[solver]
type = "generalized_alpha"
end_time = 1e5
step = 1e-4

[output]
interval = 2
{output}
"""

FAILING = """
#include <tenon/author.h>
#if TN_VALUES
TN_NO_PARAMETERS(failing)
static tn_status failing_open(const tn_host *host, const void *instance, const char *directory, const char *name,
                              const tn_column *column, size_t columns, void **self)
{
    (void)instance, (void)directory, (void)name, (void)column, (void)columns, (void)self;
    return tn_refuse(host, NULL, "it never opens");
}
static tn_status failing_row(void *self, const double *value) { return (void)self, (void)value, TN_OK; }
static tn_status failing_close(void *self) { return (void)self, TN_OK; }
static const char *const failing_endings[] = {".failing", NULL};
TN_WRITER(failing, .summary = "never opens", .endings = failing_endings, .open = failing_open,
          .row = failing_row, .close = failing_close)
TN_LIBRARY("failing", "1.0.0", "Apache-2.0", "never opens", {TN_WRITER_KIND, &failing_type})
#endif
"""


def until(what, condition, longest=LONGEST):
    end = time.monotonic() + longest
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"after {longest} s not yet: {what}")
        time.sleep(0.05)
    return found


def codes(planes, count, size):
    """The codes of codec.c, backwards."""
    mask, before, slope, all_of = (1 << 8 * size) - 1, 0, 0, []
    for k in range(count):
        folded = sum(planes[b * count + k] << 8 * b for b in range(size))
        slope = slope + ((folded >> 1) ^ -(folded & 1)) & mask
        before = before + slope & mask
        all_of.append(before - (mask + 1 if before > mask >> 1 else 0))
    return all_of


def values(column, store, count):
    planes = zlib.decompress(store[column["at"]:column["at"] + column["bytes"]], -15)
    if column["codec"] == "d64":
        return [code * column["step"] for code in codes(planes, count, 8)]
    return [column["origin"] + column["step"] * code for code in codes(planes, count, 4)]


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tenon_watch_"))
        self.results = self.folder / "results"
        self.processes = []

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdout, process.stderr):
                stream.close()
        shutil.rmtree(self.folder)

    def start(self, *words):
        process = subprocess.Popen([TENON, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        self.processes.append(process)
        return process

    def run_model(self, *words, output=""):
        model = self.folder / "model.toml"
        model.write_text(MODEL.replace("{output}", output))
        return self.start("run", model, "--out", self.results, "--quiet", *words)

    def watch(self, *words):
        process = self.start("watch", self.results, *words)
        address = process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", address)
        self.assertTrue(found, f"{address}: {'' if process.poll() is None else process.stderr.read()}")
        self.port, self.path = int(found[1]), f"/{found[2]}/"
        return process

    def ask(self, path, method="GET", headers={}, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers
        finally:
            connection.close()

    def page(self):
        status, body, headers = self.ask(self.path)
        self.assertEqual(status, 200)
        found = re.search(rb'<script type="application/json" id="head">(.*?)</script>', body, re.S)
        return json.loads(found[1]), headers

    def more(self, place):
        status, body, _ = self.ask(f"{self.path}more?after={place}")
        self.assertEqual(status, 200)
        return json.loads(body)

    def status(self):
        return self.page()[0]["runs"][0]["status"]

    def rows(self):
        """All rows that there are so far, as a page would get them: [[time, x, ...]]."""
        number = self.page()[0]["live"]["place"].split("-")[0]
        place, columns = number + "-0-0-0-0", None
        while True:
            piece = self.more(place)
            table, store = piece["tables"][0], base64.b64decode(piece["store"])
            got = [values(column, store, table["kept"]) for column in table["columns"]]
            columns = got if columns is None else [a + b for a, b in zip(columns, got)]
            place = piece["live"]["place"]
            if not piece["live"]["more"]:
                return list(zip(*columns)), place, piece


class Growing(Case):
    def test_pieces_hold_the_rows_of_the_run(self):
        watch = self.start("watch", self.results, "--wait")  # before there is anything
        run = self.run_model()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32}/)", watch.stdout.readline().strip())
        self.port, self.path = int(found[1]), found[2]
        head, headers = self.page()
        self.assertEqual(headers["Cache-Control"], "no-store")
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertEqual(head["runs"][0]["status"], "running")
        self.assertEqual((head["live"]["goes_on"], head["live"]["end"]), (1, 1e5))
        place = until("rows", lambda: len(self.rows()[0]) > 3 and self.rows()[1])
        piece = until("more rows", lambda: (got := self.more(place))["tables"][0]["kept"] > 2 and got)
        self.assertGreater(piece["motion"]["count"], 0)
        self.assertLessEqual(piece["motion"]["count"], min(2000, piece["motion"]["recorded"]))
        before = os.listdir(self.results)
        run.send_signal(signal.SIGINT)
        run.wait(LONGEST)
        until("the end", lambda: self.status() == "interrupted")
        rows, _, last = self.rows()
        self.assertEqual((last["status"], last["live"]["goes_on"]), ("interrupted", 0))
        self.assertIn("status = \"interrupted\"", last["run"])
        with open(self.results / "sensors.csv", newline="") as file:
            wanted = [[float(word) for word in row] for row in list(csv.reader(file))[1:]]
        self.assertEqual(len(rows), len(wanted))
        for one, other in zip(rows, wanted):
            self.assertEqual(one[0], other[0])
            for a, b in zip(one[1:], other[1:]):
                self.assertLessEqual(abs(a - b), 0.2 * 2**-20)
        self.assertEqual(sorted(before), sorted(os.listdir(self.results)))
        watch.send_signal(signal.SIGINT)
        self.assertEqual(watch.wait(LONGEST), 0)
        self.assertRegex(watch.stderr.read(), r"the run is interrupted, at [0-9.e+]+ s")

    def test_a_run_that_is_slow_is_not_a_run_that_was_killed(self):
        run = self.run_model()
        until("rows", lambda: (self.results / "rows.tnl").exists())
        watch = self.watch()
        run.send_signal(signal.SIGSTOP)
        until("no news", lambda: not self.more(self.rows()[1])["tables"][0]["kept"])
        time.sleep(2.5)  # longer than the silence behind which its lock is asked for
        self.assertEqual(self.status(), "running")
        run.send_signal(signal.SIGCONT)
        place = self.rows()[1]
        until("rows again", lambda: self.more(place)["tables"][0]["kept"])
        run.kill()
        until("the loss", lambda: self.status() == "killed")
        head = self.page()[0]
        self.assertEqual(head["live"]["goes_on"], 0)
        watch.terminate()
        self.assertEqual(watch.wait(LONGEST), 0)
        self.assertIn("the run is killed", watch.stderr.read())

    def test_another_run_takes_the_place(self):
        run = self.run_model("--set", "solver.end_time=50")
        run.wait(LONGEST)
        self.watch()
        head, _ = self.page()
        self.assertEqual((head["runs"][0]["status"], head["live"]["goes_on"]), ("finished", 0))
        place = head["live"]["place"]
        second = self.run_model("--set", "solver.end_time=70")
        self.assertEqual(second.wait(LONGEST), 0, second.stderr.read())
        until("the other log", lambda: self.ask(f"{self.path}more?after={place}")[0] == 410)
        until("its end", lambda: (run := self.page()[0]["runs"][0])["status"] == "finished" and run["end"] == 70)
        shutil.rmtree(self.results)
        until("nothing", lambda: self.ask(self.path)[0] == 503)
        self.run_model("--set", "solver.end_time=30").wait(LONGEST)
        until("the third run", lambda: self.ask(self.path)[0] == 200 and self.page()[0]["runs"][0]["end"] == 30)

    def test_a_run_that_goes_on_from_a_checkpoint_has_each_row_once(self):
        run = self.run_model(output="checkpoint_times = [4]")
        until("a checkpoint", lambda: (self.results / "checkpoint").exists())
        self.watch()
        until("rows", lambda: self.rows()[0][-1][0] > 20)
        run.kill()
        until("the loss", lambda: self.status() == "killed")
        again = self.start("run", "--resume", self.results)
        until("the run", lambda: self.status() == "running")
        place = self.rows()[1]
        until("rows", lambda: self.rows()[1] != place)
        again.send_signal(signal.SIGINT)
        again.wait(LONGEST)
        until("the end", lambda: self.status() == "interrupted")
        times = [row[0] for row in self.rows()[0]]
        self.assertEqual(times, [2.0 * k for k in range(len(times) - 1)] + times[-1:])


class Refusing(Case):
    def test_what_is_no_run_is_refused(self):
        (self.folder / "empty").mkdir()
        self.run_model("--set", "solver.end_time=1", output="log = false").wait(LONGEST)
        for words, status, message in [
                ([self.folder / "nowhere"], 2, "holds no results of a run: No such file or directory"),
                ([self.folder / "empty"], 2, "rows.tnl does not exist: the run has kept none"),
                ([self.results], 2, "rows.tnl does not exist: the run has kept none"),
                ([self.results, "--port", "65536"], 2, "--port takes a number from 1 to 65535, not 65536"),
                ([], 2, "DIR is needed")]:
            process = self.start("watch", *words)
            self.assertEqual(process.wait(LONGEST), status)
            self.assertIn(message, process.stderr.read())

    def waits(self):
        """A watch that waits, and its note."""
        process = self.start("watch", self.results, "--wait")
        return process, process.stderr.readline()

    def ends(self, process, *words):
        self.assertEqual(process.wait(LONGEST), 2)
        text = process.stderr.read()
        for word in words:
            self.assertIn(word, text)

    def test_a_run_that_keeps_no_log_is_not_waited_for(self):
        process, note = self.waits()
        self.assertIn("waiting for a run", note)
        self.run_model(output="log = false")
        self.ends(process, "the run keeps no log")

    def test_a_run_that_ends_before_its_log_is_not_waited_for(self):
        self.run_model("--set", "solver.end_time=1").wait()
        os.remove(self.results / "rows.tnl")
        process, note = self.waits()  # a later run
        self.assertIn("its status is finished", note)
        self.assertIsNone(process.poll())
        (self.folder / "failing.c").write_text(FAILING)
        subprocess.run([TENON, "build", "failing.c"], check=True, capture_output=True, cwd=self.folder)
        other = subprocess.run([TENON, "run", self.folder / "model.toml", "--quiet", "--out", self.results, "--set",
                                "output.writers=['failing']", "--plugin-path", self.folder],
                               capture_output=True, text=True)
        self.assertEqual(other.returncode, 1, other.stderr)
        self.ends(process, "has ended without a log, its status is `failed`", "it never opens")

    def test_a_port_that_is_taken_is_named(self):
        self.run_model("--set", "solver.end_time=1").wait(LONGEST)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            process = self.start("watch", self.results, "--port", port)
            self.assertEqual(process.wait(LONGEST), 1)
            self.assertIn(f"port {port} of 127.0.0.1 cannot be opened: Address already in use",
                          process.stderr.read())

    def test_who_may_not_ask_gets_nothing(self):
        self.run_model("--set", "solver.end_time=1").wait(LONGEST)
        watch = self.watch()
        token = self.path.strip("/")
        other = token[:-1] + ("0" if token[-1] != "0" else "1")
        for path, status in [("/", 404), (f"/{other}/", 404), (f"/{token}", 404), (f"/{token[:-1]}/", 404),
                             ("/favicon.ico", 404), (self.path + "run.toml", 404),
                             (self.path + "../run.toml", 404), (self.path + "%2e%2e/run.toml", 404),
                             (self.path + "more", 410), (self.path + "more?after=1-0-0-0-0-0", 410),
                             (self.path + "more?after=1-999-0-0-0", 410), (self.path + "more?after=1-x-0-0-0", 410),
                             (self.path, 200)]:
            self.assertEqual(self.ask(path)[0], status, path)
        for host in ["evil.example", f"evil.example:{self.port}", "127.0.0.1", f"127.0.0.1:{self.port}.evil.example"]:
            status, body, _ = self.ask(self.path, headers={"Host": host})
            self.assertEqual((status, body), (403, b""), host)
        self.assertEqual(self.ask(self.path, headers={"Host": f"localhost:{self.port}"})[0], 200)
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]:
            status, body, headers = self.ask(self.path, method, body=b"x" * 1000)
            self.assertEqual((status, body, headers["Allow"]), (405, b"", "GET, HEAD"), method)
        status, body, headers = self.ask(self.path, "HEAD")
        self.assertEqual((status, body), (200, b""))
        self.assertGreater(int(headers["Content-Length"]), 100000)
        # this machine alone
        with open(f"/proc/{watch.pid}/net/tcp") as file:
            listening = [line.split()[1] for line in file if line.split()[3] == "0A"]
        self.assertIn(f"0100007F:{self.port:04X}", listening)

    def test_requests_and_connections_have_bounds(self):
        self.run_model("--set", "solver.end_time=1").wait(LONGEST)
        watch = self.watch()
        with socket.create_connection(("127.0.0.1", self.port), timeout=LONGEST) as large:
            try:
                large.sendall(b"GET / HTTP/1.1\r\nX: " + b"y" * 1000000 + b"\r\n\r\n")
                answer = large.recv(1000)
            except ConnectionError:
                answer = b""
            self.assertRegex(answer.split(b"\r\n")[0], rb"^$|^HTTP/1\.1 4")
        files = lambda: len(os.listdir(f"/proc/{watch.pid}/fd"))
        free = files()
        idle = [socket.create_connection(("127.0.0.1", self.port), timeout=LONGEST) for _ in range(60)]
        time.sleep(0.5)
        self.assertLessEqual(files(), free + 40)
        for one in idle:
            one.close()
        until("an answer", lambda: self.ask(self.path)[0] == 200)
        until("connections closed", lambda: files() <= free + 2)
        # 100 at once
        crowd = []
        for _ in range(100):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", self.port))
            crowd.append(one)
        time.sleep(0.5)
        self.assertLessEqual(files(), free + 40)
        for one in crowd:
            one.close()
        until("an answer", lambda: self.ask(self.path)[0] == 200)
        self.assertIsNone(watch.poll())
        watch.terminate()
        self.assertEqual(watch.wait(LONGEST), 0)


class Browsing(Case):
    def test_a_page_in_a_browser_grows(self):
        browser = os.environ.get("CHROMIUM", "chromium")
        if not shutil.which("node") or not shutil.which(browser):
            if os.environ.get("TENON_NO_SKIPS"):
                self.fail("there is no chromium")
            self.skipTest("chromium or node is not installed")
        run = self.run_model()
        watch = self.watch("--wait")
        page = subprocess.Popen(["node", f"{SOURCE}/plugins/writers/report/browser/live.mjs",
                                 f"http://127.0.0.1:{self.port}{self.path}"],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for line in page.stdout:
            if line == "end the run\n":
                run.send_signal(signal.SIGINT)
            elif line == "begin another\n":
                self.run_model("--set", "solver.end_time=20").wait(LONGEST)
            elif line == "end the server\n":
                watch.terminate()
            else:
                print(line, end="")
        page.stdout.close()
        page.stdin.close()
        self.assertEqual(page.wait(LONGEST), 0)


if __name__ == "__main__":
    if subprocess.run([TENON, "plugins"], capture_output=True, text=True).stdout.find("report.so") < 0:
        print("skipped: the writer `report` is not built")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
