"""tools/gpu_check: no check that fails, breaks or hangs keeps the next ones from running, and each leaves its result."""
import json
import pathlib
import signal
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools/gpu_check"))

import checks  # noqa: E402
from checks import Check, Machine, Outcome, Results, command, execute, judged, run_phase  # noqa: E402
from phases import speed  # noqa: E402


class GpuCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name)
        self.machine = Machine(self.out, sys.executable, self.out, "cpu", self.out, {"PATH": "/usr/bin:/bin"})

    def shell(self, name, text, limit=20.0, **expected):
        return command(name, limit, lambda _: ["sh", "-c", text], **expected)

    def results_of(self, *made, seconds=60.0):
        results = Results(self.out)
        run_phase(self.machine, "phase", list(made), seconds, 1, results)
        return {each["name"]: each for each in json.loads((self.out / "results.json").read_text())["checks"]}

    def test_goes_on_after_checks_that_fail_break_and_hang(self):
        def breaks(_machine, _limit):
            raise ValueError("no such thing")

        begin = time.monotonic()
        found = self.results_of(self.shell("fails", "echo because; exit 3"), Check("breaks", 9, breaks),
                                self.shell("hangs", "sleep 600 & sleep 600", limit=1), self.shell("works", "true"))
        self.assertLess(time.monotonic() - begin, 300)
        self.assertEqual({name: each["status"] for name, each in found.items()},
                         {"fails": "FAILED", "breaks": "FAILED", "hangs": "FAILED", "works": "ok"})
        self.assertEqual(found["fails"]["why"], "exit code 3, expected 0: because")
        self.assertEqual(found["breaks"]["why"], "ValueError: no such thing")
        self.assertEqual(found["hangs"]["why"], "ended after 1 s")

    def test_keeps_the_output_of_checks_that_fail(self):
        self.results_of(self.shell("fails", "echo first line; echo last line; exit 1"), self.shell("works", "echo nothing of this"))
        log = (self.out / "failures.log").read_text()
        self.assertIn("first line\nlast line", log)
        self.assertNotIn("nothing of this", log)

    def test_tells_skipped_from_passed(self):
        found = self.results_of(self.shell("script", "echo no device; exit 77"), self.shell("test", "echo '[  SKIPPED ] A.B'"))
        self.assertEqual(found["script"]["status"], "skipped")
        self.assertEqual(found["script"]["why"], "no device")
        self.assertEqual(found["test"]["status"], "skipped")

    def test_expects_the_exit_code_and_the_words_of_a_refusal(self):
        found = self.results_of(self.shell("as expected", "echo no cuda:99 here; exit 2", expected=2, says="cuda:99"),
                                self.shell("other words", "echo what; exit 2", expected=2, says="cuda:99"),
                                self.shell("not refused", "echo cuda:99", expected=2, says="cuda:99"))
        self.assertEqual([found[name]["status"] for name in ("as expected", "other words", "not refused")],
                         ["ok", "FAILED", "FAILED"])

    def test_fails_what_a_phase_has_no_time_for(self):
        found = self.results_of(self.shell("late", "true"), seconds=0)
        self.assertEqual(found["late"]["why"], "the phase's time was up before it began")

    def test_calls_slow_what_is_right_and_misses_an_aim(self):
        def rate(elements, of_copy):
            return {"reference": "float32", "candidate": "bfloat16", "elements": elements, "of_copy": of_copy}

        figures = {"rates": [{"bench": "device"}, rate(1 << 26, 0.61), rate(1 << 12, 0.01)]}
        self.assertEqual(speed.below_aim(Outcome(checks.OK, figures)).status, checks.OK)
        figures["rates"].append(rate(1 << 26, 0.54))
        slow = speed.below_aim(Outcome(checks.OK, figures))
        self.assertEqual((slow.status, slow.why), (checks.SLOW, "float32 and bfloat16: 0.54 of a copy, the aim is 0.6"))
        self.assertEqual(speed.below_aim(Outcome(checks.FAILED, figures, "no device")).why, "no device")

    def test_a_result_that_cannot_be_kept_ends_the_run(self):
        results = Results(self.out)
        results.save = lambda: (_ for _ in ()).throw(OSError("disk full"))
        with self.assertRaisesRegex(OSError, "disk full"):
            run_phase(self.machine, "phase", [self.shell("works", "true")], 60, 1, results)

    def test_interrupts_at_a_line_and_counts_from_there(self):
        script = "import time\ntry:\n print('ready', flush=True)\n time.sleep(600)\nexcept KeyboardInterrupt:\n raise SystemExit(130)"
        done = execute(self.machine, [sys.executable, "-c", script], 300, interrupt_at="ready")
        self.assertEqual(done.code, 130)
        self.assertFalse(done.late)
        self.assertEqual(judged(done, 300, expected=130).status, checks.OK)

    def test_takes_a_death_by_a_signal_for_a_failure(self):
        found = self.results_of(self.shell("killed", "kill -SEGV $$"))
        self.assertEqual(found["killed"]["why"], f"exit code -{int(signal.SIGSEGV)}, expected 0: no output")


if __name__ == "__main__":
    unittest.main()
