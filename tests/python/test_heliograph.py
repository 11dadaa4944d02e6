"""Tests of the Python package against the program: HELIOGRAPH is the program, HELIOGRAPH_SOURCE the folder of the source."""

import gc
import importlib.util
import json
import math
import os
import pathlib
import pickle
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import warnings

import heliograph

PROGRAM = os.environ["HELIOGRAPH"]
SOURCE = pathlib.Path(os.environ["HELIOGRAPH_SOURCE"])
SAMPLE = SOURCE / "resources/samples/workers"
FIXTURES = SOURCE / "tests/fixtures"
HOSTS = [FIXTURES / "two-hosts-small/web", FIXTURES / "two-hosts-small/db"]
PERF = FIXTURES / "perf/fp.data"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT {} FROM n"


def printed(*arguments):
    """Returns what the program prints as a command."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def printed_rows(*arguments):
    return [json.loads(line) for line in printed(*arguments, "--format", "json").splitlines()]


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class SampleTest(unittest.TestCase):
    """Tests that ask the sample trace, which is opened once."""

    @classmethod
    def setUpClass(cls):
        cls.trace = heliograph.open(SAMPLE)

    @classmethod
    def tearDownClass(cls):
        cls.trace.close()

    def test_info_equals_that_of_the_command(self):
        self.assertEqual(self.trace.info, json.loads(printed("info", SAMPLE, "--json")))
        self.assertIn("workers", repr(self.trace))

    def test_values_of_sql_are_exact(self):
        result = self.trace.sql(
            "SELECT 9223372036854775807 AS large, -9223372036854775807 - 1 AS least, NULL AS none, 1.0 AS one, 0.1 AS tenth, 5e-324 AS tiny,"
            "9e999 AS much, -9e999 AS little, 'a\"\n\u00e9\u4e2d\U0001f600\\x41' AS text, x'00ff' AS bytes, '' AS empty, -0.0 AS zero"
        )
        (row,) = result
        self.assertEqual(
            tuple(row)[:-1],
            (2**63 - 1, -(2**63), None, 1.0, 0.1, 5e-324, math.inf, -math.inf, 'a"\n\u00e9\u4e2d\U0001f600\\x41', b"\x00\xff", ""),
        )
        self.assertEqual([type(it) for it in row[:5]], [int, int, type(None), float, float])
        self.assertIs(type(row.zero), float)

    def test_rows_have_names(self):
        result = self.trace.sql("SELECT 1 AS a, 2 AS count, 3 AS \"count(*)\", 4 AS a, 5 AS _b, 6 AS \"class\" UNION ALL SELECT 7,8,9,10,11,12")
        first, second = result
        self.assertEqual(result.columns, ("a", "count", "count(*)", "a", "_b", "class"))
        self.assertEqual((first.a, first.count, first["count(*)"], first[3], first["_b"], first["class"]), (1, 2, 3, 4, 5, 6))
        self.assertEqual(second._asdict(), {"a": 7, "count": 8, "count(*)": 9, "_b": 11, "class": 12})
        self.assertEqual(first[1:3], (2, 3))
        self.assertEqual(repr(first), "Row(a=1, count=2, count(*)=3, _b=5, class=6)")
        self.assertEqual(result.column("count(*)"), [3, 9])
        copy = pickle.loads(pickle.dumps(first))
        self.assertEqual((copy, copy["count(*)"], copy.count), (first, 3, 2))
        with self.assertRaisesRegex(KeyError, "there is no column 'b'"):
            first["b"]
        with self.assertRaises(AttributeError):
            first.b
        with self.assertRaises(KeyError):
            result.column("b")

    def test_results_are_sequences(self):
        result = self.trace.sql("SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 3")
        self.assertEqual([len(result), result[-1].a, [row.a for row in result[1:]]], [3, 3, [2, 3]])
        self.assertEqual(result[1:].columns, ("a",))
        self.assertEqual(result, self.trace.sql("SELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 3"))
        self.assertNotEqual(result, result[1:])
        self.assertEqual(len(self.trace.sql("SELECT ts FROM event WHERE 0")), 0)
        self.assertEqual(self.trace.sql("SELECT ts FROM event WHERE 0").columns, ("ts",))

    def test_results_show_themselves(self):
        result = self.trace.sql("SELECT '<b>&' AS \"a<\", NULL AS b")
        self.assertEqual(
            result._repr_html_(),
            "<table><thead><tr><th>a&lt;</th><th>b</th></tr></thead><tbody><tr><td>&lt;b&gt;&amp;</td><td>NULL</td></tr></tbody></table>"
            "<p>1 row</p>",
        )
        self.assertEqual(repr(result), "a<    b\n<b>&  NULL\n1 row")
        many = self.trace.sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) SELECT i FROM n")
        self.assertTrue(repr(many).endswith("\n60\n100 rows, of which the first 60 are shown"))
        self.assertEqual(many._repr_html_().count("<tr>"), 61)

    def test_statements_keep_what_they_make(self):
        made = self.trace.sql("CREATE TABLE kept AS SELECT 5 AS n")
        self.assertEqual((made.columns, len(made)), ((), 0))
        self.assertEqual(self.trace.sql("SELECT n FROM kept; SELECT n + 1 AS m FROM kept")[0].m, 6)

    def test_wrong_sql_has_a_position(self):
        with self.assertRaises(heliograph.Error) as caught:
            self.trace.sql("SELECT 1,\n  none FROM thread")
        self.assertEqual((caught.exception.kind, caught.exception.line, caught.exception.column), ("usage", 2, 3))
        self.assertEqual(str(caught.exception), "line 2, column 3: no such column: none")
        with self.assertRaises(heliograph.Error) as caught:
            self.trace.sql("ATTACH 'x' AS x")
        self.assertIsNone(caught.exception.line)

    def test_tables_equal_those_of_the_commands(self):
        for result, command in [
            (self.trace.states(), ["states", SAMPLE, "--view", "control-flow"]),
            (self.trace.states("resources", cpu=0, begin="+0.1s"), ["states", SAMPLE, "--view", "resources", "--cpu=0", "--begin=+0.1s"]),
            (self.trace.latency(), ["latency", SAMPLE, "--of", "syscall"]),
            (self.trace.latency("wakeup", histogram=True, log=True), ["latency", SAMPLE, "--of", "wakeup", "--histogram", "--log"]),
            (self.trace.table("stats", view="control-flow"), ["stats", SAMPLE, "--view", "control-flow"]),
            (self.trace.table("views"), ["views", SAMPLE]),
        ]:
            with self.subTest(command=command[0]):
                rows = printed_rows(*command)
                self.assertGreater(len(rows), 0)
                self.assertEqual([row._asdict() for row in result], rows)
                self.assertEqual(result.columns, tuple(rows[0]))

    def test_sql_equals_the_command(self):
        query = "SELECT name, count(*) AS n, sum(dur) / 3.0 AS third FROM slice GROUP BY name ORDER BY name"
        rows = printed_rows("sql", SAMPLE, query)
        self.assertGreater(len(rows), 5)
        self.assertEqual([row._asdict() for row in self.trace.sql(query)], rows)

    def test_texts_equal_those_of_the_commands(self):
        self.assertEqual(self.trace.command("info"), printed("info", SAMPLE))
        self.assertEqual(
            self.trace.command("states", "--view", "resources", "--format", "csv").encode(),
            subprocess.run([PROGRAM, "states", SAMPLE, "--view", "resources", "--format", "csv"], capture_output=True).stdout,
        )

    def test_pictures_equal_those_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, picture in [
                ("a.png", self.trace.render("resources", size="300x200")),
                ("b.svg", self.trace.render("resources", format="svg", theme="light")),
            ]:
                printed("render", SAMPLE, "--view", "resources", "-o", f"{folder}/{name}", *(["--size=300x200"] if "png" in name else ["--theme=light"]))
                drawn = pathlib.Path(folder, name).read_bytes()
                picture.save(f"{folder}/saved")
                self.assertEqual(pathlib.Path(folder, "saved").read_bytes(), drawn)
                self.assertEqual(picture._repr_png_(), drawn if "png" in name else None)
                self.assertEqual(picture._repr_svg_(), None if "png" in name else drawn.decode())

    def test_wrong_options_are_errors(self):
        for call, message in [
            (lambda: self.trace.states("elsewhere"), 'there is no view "elsewhere" here'),
            (lambda: self.trace.states(no_sync=True), 'only the method "open" has this option'),
            (lambda: self.trace.latency("syscall", lsit=True), "unknown option --lsit"),
            (lambda: self.trace.table("fly"), 'there is no method "fly"'),
            (lambda: self.trace.table("info"), "prints no table"),
            (lambda: self.trace.render("resources", format="gif"), '"format" must be'),
            (lambda: self.trace.command("serve"), "must begin with the name of a command"),
        ]:
            with self.subTest(message=message), self.assertRaises(heliograph.Error) as caught:
                call()
            self.assertIn(message, str(caught.exception))

    def test_rows_can_be_streamed(self):
        count = 300_000
        query = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {count}) SELECT i FROM n"
        with self.trace.sql(query, stream=True) as rows:
            self.assertEqual(rows.columns, ("i",))
            self.assertEqual([next(rows).i, next(rows).i], [1, 2])
            self.assertEqual(self.trace.sql("SELECT 'between' AS a")[0].a, "between")
            self.assertEqual(sum(row.i for row in rows), count * (count + 1) // 2 - 3)
        with self.assertRaises(heliograph.Error):
            self.trace.sql("SELECT none", stream=True)

    def test_streams_need_little_memory(self):
        with self.trace.sql(ENDLESS.format("i"), stream=True) as rows:
            next(rows)
            time.sleep(1)
            self.assertLess(len(rows._request.messages), 10)  # The program waits for the reader.
        self.assertEqual(self.trace.sql("SELECT 2 AS a")[0].a, 2)
        self.assertEqual(list(rows), []) if rows._is_complete else self.assertRaises(heliograph.ProgramEnded, next, rows)

    def test_dropped_streams_are_cancelled(self):
        rows = self.trace.sql(ENDLESS.format("i"), stream=True)
        next(rows)
        del rows
        gc.collect()
        self.assertEqual(self.trace.sql("SELECT 3 AS a")[0].a, 3)

    def test_interrupts_cancel_the_query(self):
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            self.trace.sql(ENDLESS.format("max(i)"))
        self.assertEqual(self.trace.sql("SELECT 4 AS a")[0].a, 4)
        self.assertLess(time.monotonic() - begin, 20)
        timer.join()

    def test_threads_share_a_trace(self):
        results = {}

        def ask(number):
            results[number] = [self.trace.sql(f"SELECT {number} * {i} AS a")[0].a for i in range(20)]

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, {number: [number * i for i in range(20)] for number in range(6)})

    def test_forked_processes_are_refused(self):
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                self.trace.sql("SELECT 1")
            except heliograph.ProgramEnded:
                status = 0
            finally:
                os._exit(status)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        self.assertEqual(self.trace.sql("SELECT 6 AS a")[0].a, 6)

    def test_streams_are_refused_after_a_fork(self):
        rows = self.trace.sql(ENDLESS.format("i"), stream=True)
        next(rows)
        program = self.trace._program
        lock, forked = threading.Event(), threading.Event()

        def hold():  # Another thread may hold the lock at the time of the fork.
            with program.changed:
                lock.set()
                forked.wait()

        holder = threading.Thread(target=hold)
        holder.start()
        lock.wait()
        pid = os.fork()
        if pid == 0:
            signal.alarm(30)  # Ends a process that waits for ever.
            status = 1
            try:
                for _ in rows:
                    pass
            except heliograph.ProgramEnded as error:
                rows.close()
                del rows
                gc.collect()
                status = 0 if "open it again" in str(error) else 2
            finally:
                os._exit(status)
        forked.set()
        holder.join()
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 0)
        next(rows)
        rows.close()

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
    def test_pandas_frames_are_exact(self):
        import pandas

        frame = self.trace.sql(
            "SELECT 9007199254740993 AS a, NULL AS b, 1.5 AS c, 'x' AS d, 1 AS e, 9007199254740993 AS f, NULL AS a"
            " UNION ALL SELECT -1, 9007199254740993, NULL, NULL, 0.5, 0.5, NULL"
        ).to_pandas()
        self.assertEqual(list(frame.columns), ["a", "b", "c", "d", "e", "f", "a"])
        self.assertEqual([str(it) for it in frame.dtypes], ["int64", "Int64", "float64", "object", "float64", "object", "object"])
        self.assertEqual(list(frame.iloc[:, 0]), [9007199254740993, -1])
        self.assertEqual(frame["b"][1], 9007199254740993)
        self.assertIs(frame["b"][0], pandas.NA)
        self.assertTrue(math.isnan(frame["c"][1]))
        self.assertEqual(list(frame["f"]), [9007199254740993, 0.5])
        self.assertEqual(self.trace.sql("SELECT 1 AS a WHERE 0").to_pandas().shape, (0, 1))
        self.assertEqual(len(self.trace.states().to_pandas()), len(self.trace.states()))


class OpeningTest(unittest.TestCase):
    """Tests that open traces of their own."""

    def test_several_traces_are_one_experiment(self):
        with heliograph.open(*HOSTS, reference="db") as trace:
            self.assertEqual(
                [row._asdict() for row in trace.latency("packet", list=True)],
                printed_rows("latency", *HOSTS, "--reference", "db", "--of", "packet", "--list"),
            )

    def test_samples_become_flame_graphs(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", heliograph.TraceWarning)
            with heliograph.open(PERF) as trace:
                tree = trace.flame()
                self.assertGreater(len(tree), 3)
                self.assertEqual([row._asdict() for row in tree], printed_rows("flame", PERF))
                self.assertEqual([row._asdict() for row in trace.flame(table=True)], printed_rows("flame", PERF, "--table"))
                self.assertEqual(trace.command("flame", "--format", "folded"), printed("flame", PERF, "--format", "folded"))
                self.assertTrue((trace.render("flame").png or b"").startswith(b"\x89PNG"))

    def test_lost_events_are_a_warning(self):
        with self.assertWarnsRegex(heliograph.TraceWarning, "lost") as caught:
            with heliograph.open(FIXTURES / "lossy-small") as trace:
                self.assertTrue(any("lost" in message for message in trace.messages))
        self.assertEqual(caught.filename, __file__)

    def test_unusable_traces_are_errors(self):
        with self.assertRaises(heliograph.Error) as caught:
            heliograph.open("/none/trace")
        self.assertEqual(caught.exception.kind, "unreadable")
        self.assertIn("/none/trace", str(caught.exception))
        with self.assertRaisesRegex(heliograph.Error, "--symbols"):
            heliograph.open(SAMPLE, symbols=["/none"])
        with self.assertRaisesRegex(heliograph.Error, '"paths" is missing'):
            heliograph.open()

    def test_the_program_must_exist(self):
        with self.assertRaisesRegex(heliograph.ProgramNotFound, "was not found"):
            heliograph.open(SAMPLE, program="/none/heliograph")
        with self.assertRaisesRegex(heliograph.ProgramNotFound, "too old"):
            heliograph.open(SAMPLE, program="true")
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "other")
            other.write_text('#!/bin/sh\nread line\necho \'{"id":1,"result":{"version":"9","protocol":99}}\'\ncat > /dev/null\n')
            other.chmod(other.stat().st_mode | stat.S_IXUSR)
            with self.assertRaisesRegex(heliograph.ProgramNotFound, "do not fit"):
                heliograph.open(SAMPLE, program=other)

    def test_the_program_ends_with_the_trace(self):
        trace = heliograph.open(SAMPLE)
        pid = trace._program._process.pid
        self.assertTrue(is_running(pid))
        trace.close()
        self.assertFalse(is_running(pid))
        self.assertTrue(trace.closed)
        trace.close()
        with self.assertRaisesRegex(heliograph.ProgramEnded, "the trace is closed"):
            trace.sql("SELECT 1")

        with heliograph.open(SAMPLE) as trace:
            pid = trace._program._process.pid
        self.assertFalse(is_running(pid))

        trace = heliograph.open(SAMPLE)
        pid = trace._program._process.pid
        rows = trace.sql("SELECT 1 AS a", stream=True)
        del trace
        gc.collect()
        self.assertEqual([row.a for row in rows], [1])  # Rows keep the trace open.
        del rows
        gc.collect()
        self.assertFalse(is_running(pid))

    def test_closing_cancels_queries(self):
        trace = heliograph.open(SAMPLE)
        failed = []

        def ask():
            try:
                trace.sql(ENDLESS.format("max(i)"))
            except heliograph.ProgramEnded as error:
                failed.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        time.sleep(0.3)
        begin = time.monotonic()
        trace.close()
        thread.join()
        self.assertEqual(len(failed), 1)
        self.assertLess(time.monotonic() - begin, 4)  # The program was not killed.

    def test_the_program_ends_with_python(self):
        code = f"import heliograph; trace = heliograph.open({str(SAMPLE)!r}); print(trace._program._process.pid, flush=True)"
        pid = int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        self.assertFalse(is_running(pid))

        query = ENDLESS.format("max(i)")
        killed = subprocess.Popen([sys.executable, "-c", f"{code}; trace.sql({query!r})"], stdout=subprocess.PIPE, text=True)
        pid = int(killed.stdout.readline())
        time.sleep(0.3)
        killed.kill()
        killed.communicate()
        end = time.monotonic() + 20
        while is_running(pid) and time.monotonic() < end:
            time.sleep(0.1)
        self.assertFalse(is_running(pid))

    def test_too_little_memory_for_a_response_is_an_error(self):
        trace = heliograph.open(SAMPLE)
        failed = []

        def ask():
            try:
                trace.sql("SELECT 1")
            except heliograph.ProgramEnded as error:
                failed.append(str(error))

        with unittest.mock.patch("heliograph._program.json.loads", side_effect=MemoryError):
            thread = threading.Thread(target=ask, daemon=True)
            thread.start()
            thread.join(30)
        self.assertEqual(failed, ["not enough memory for a response of the program heliograph"])
        pid = trace._program._process.pid
        trace.close()
        self.assertFalse(is_running(pid))

    def test_a_killed_program_is_an_error(self):
        trace = heliograph.open(SAMPLE)
        threading.Timer(0.3, trace._program._process.kill).start()
        with self.assertRaisesRegex(heliograph.ProgramEnded, "has ended"):
            trace.sql(ENDLESS.format("max(i)"))
        with self.assertRaises(heliograph.ProgramEnded):
            trace.sql("SELECT 1")
        trace.close()

    def test_opening_is_paid_once(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder, "trace")
            subprocess.run(["cp", "-r", HOSTS[0], place], check=True)
            with heliograph.open(place) as trace:
                place.rename(place.with_name("elsewhere"))
                self.assertGreater(len(trace.latency()), 5)
                self.assertGreater(len(trace.sql("SELECT * FROM thread")), 1)


if __name__ == "__main__":
    unittest.main()
