"""tools/fuzz_all.py runs each target over as many inputs as asked, in turns, goes on where it was, and stops at what was
found."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# As libFuzzer speaks: both run a million inputs in their time, or as many as they are asked for, and "bad" leaves one
# behind.
PROGRAM = """#!/bin/sh
for word; do
    case $word in
        -runs=*) runs=${word#-runs=} ;;
        -artifact_prefix=*) found=${word#-artifact_prefix=} ;;
    esac
done
echo "$0 $*" >>calls
[ "$runs" -le 1000000 ] || runs=1000000
echo "stat::number_of_executed_units: $runs"
echo "stat::peak_rss_mb: 77"
[ "${0##*/}" != bad ] || { touch "${found}crash-1"; echo "Test unit written to ${found}crash-1"; exit 1; }
"""
TESTS = """
add_test(fuzz.good "./good" "-max_total_time=10" "-timeout=3" "seeds")
add_test(fuzz.bad "./bad" "-max_total_time=10" "seeds")
set_tests_properties(fuzz.good fuzz.bad PROPERTIES LABELS fuzz)
add_test(other "false")
add_test(fuzz.not_built NOT_BUILT)
set_tests_properties(fuzz.not_built PROPERTIES LABELS fuzz)
"""


class FuzzAll(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.build = pathlib.Path(temporary.name)
        (self.build / "CTestTestfile.cmake").write_text(TESTS)
        for name in ("good", "bad"):
            (self.build / name).write_text(PROGRAM)
            (self.build / name).chmod(0o755)

    def fuzz(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "tools/fuzz_all.py", "--build", self.build, *arguments],
                              capture_output=True, text=True, cwd=self.build)

    def calls(self):
        return (self.build / "calls").read_text().splitlines()

    def test_runs_all_in_parts_of_five_minutes(self):
        done = self.fuzz("--inputs", "2500000", "good")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\| good +\| +2,500,000 \| +0 \| +[\d,]+ \| +77 \| nothing found")
        self.assertEqual([call.split("-runs=")[1].split()[0] for call in self.calls()], ["2500000", "1500000", "500000"])
        self.assertEqual(re.findall(r"-max_total_time=\S+", self.calls()[0]), ["-max_total_time=300"])
        self.assertIn("-timeout=3 seeds", self.calls()[0])

    def test_those_that_are_done_soonest_are_first(self):
        def note(inputs, seconds):
            return {"inputs": inputs, "seconds": seconds, "peak_mb": 7, "found": "", "failure": ""}
        # 2,000 s and 1,900 s are left, and for a third nobody knows.
        (self.build / "fuzzed.json").write_text(json.dumps(
            {"good": note(1_000_000, 1000.0), "other": note(2_900_000, 55100.0)}))
        for name in ("other", "new"):
            (self.build / name).write_text(PROGRAM)
            (self.build / name).chmod(0o755)
            with (self.build / "CTestTestfile.cmake").open("a") as tests:
                tests.write(f'add_test(fuzz.{name} "./{name}" "seeds")\n'
                            f'set_tests_properties(fuzz.{name} PROPERTIES LABELS fuzz)\n')
        self.fuzz("--inputs", "3000000", "--jobs", "1", "--part", "60", "good", "other", "new")
        self.assertEqual([pathlib.Path(call.split()[0]).name for call in self.calls()],
                         ["new", "new", "new", "other", "good", "good"])
        self.assertIn("-max_total_time=60 ", self.calls()[0])

    def test_what_another_build_kept_is_run_once(self):
        (self.build / "quick/corpus/good").mkdir(parents=True)
        self.fuzz("--inputs", "5", "good")
        # libFuzzer runs all that lies in its folders, though no new input is asked for.
        loads = PROGRAM.replace("[ \"$runs\" -le", '[ "$runs" -gt 0 ] || runs=13\n[ "$runs" -le')
        (self.build / "good").write_text(loads)
        done = self.fuzz("--kept", "quick")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\| good +\| +18 \| +13 \|")
        self.assertNotIn("bad", done.stdout)
        self.assertIn("-runs=0", self.calls()[-1])
        self.assertTrue(self.calls()[-1].endswith("seeds quick/corpus/good"), self.calls())
        self.assertEqual(len(self.calls()), 2)

    def stopped(self, trap):
        """What is printed when somebody stops a target that does not end by itself."""
        waits = PROGRAM.replace('echo "stat::n', f"""\
trap '{trap}' TERM
touch waiting
while :; do sleep 0.01; done
echo "stat::n""")
        (self.build / "good").write_text(waits)
        with subprocess.Popen([sys.executable, ROOT / "tools/fuzz_all.py", "--build", self.build, "good"],
                              stdout=subprocess.PIPE, text=True, cwd=self.build) as running:
            while not (self.build / "waiting").exists():
                time.sleep(0.01)
            running.terminate()
            printed = running.communicate(timeout=30)[0]
        self.assertEqual(running.returncode, 0)
        return printed

    def test_what_runs_is_counted_when_somebody_stops_it(self):
        printed = self.stopped('echo "libFuzzer: run interrupted; exiting"; echo "stat::number_of_executed_units: 4"; exit 72')
        self.assertRegex(printed, r"\| good +\| +4 \|.*nothing found")
        self.assertEqual(json.loads((self.build / "fuzzed.json").read_text())["good"]["inputs"], 4)

    def test_a_target_that_does_not_stop_is_killed(self):
        self.assertRegex(self.stopped(""), r"\| good +\| +0 \|.*nothing found")

    def test_targets_run_side_by_side(self):
        waits = PROGRAM.replace('echo "$0', 'touch "is_$(basename $0)"; while [ ! -e is_good ] || [ ! -e is_bad ]; do sleep 0.01; done; echo "$0')
        for name in ("good", "bad"):
            (self.build / name).write_text(waits)
        self.assertIn("| good", self.fuzz("--inputs", "5", "--jobs", "2").stdout)

    def test_goes_on_where_it_was(self):
        self.fuzz("--inputs", "5", "good")
        done = self.fuzz("--inputs", "7", "good")
        self.assertEqual([call.split("-runs=")[1].split()[0] for call in self.calls()], ["5", "2"])
        self.assertEqual(json.loads((self.build / "fuzzed.json").read_text())["good"]["inputs"], 7)
        self.assertIn("| nothing found", done.stdout)

    def test_names_what_was_found_until_it_is_gone(self):
        found = self.build / "found/bad/crash-1"
        for _ in range(2):
            done = self.fuzz("--inputs", "9")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stdout, rf"\| bad .*\| {found}\n")
            self.assertIn("| good", done.stdout)
        self.assertEqual(len(self.calls()), 2)
        found.unlink()
        self.fuzz("--inputs", "20", "bad")
        self.assertEqual(len(self.calls()), 3)

    def test_refuses_targets_that_are_none(self):
        done = self.fuzz("none")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no such target: none; there are good, bad", done.stderr)


if __name__ == "__main__":
    unittest.main()
