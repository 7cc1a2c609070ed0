"""tests/support/run_shard.py names each test that fails, ends the process or hangs, and runs those behind it."""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Says of its tests what a program of GoogleTest says.
PROGRAM = """#!{python}
import os, signal, sys, time
TESTS = {{"First.Passes": "", "First.Fails": "", "First.Skips": "", "First.DISABLED_Waits": "",
          "Second/Case.Dies/a": "", "Second/Case.Passes/b": "", "Third.Hangs": "", "Third.Passes": ""}}
arguments = dict(word.removeprefix("--").partition("=")[::2] for word in sys.argv[1:])
if "gtest_list_tests" in arguments:
    suite = ""
    for name in TESTS:
        if name.rpartition(".")[0] != suite:
            suite = name.rpartition(".")[0]
            print(suite + ".")
        print("  " + name.rpartition(".")[2] + ("  # GetParam() = 3" if "/" in name else ""))
    sys.exit()
{start}
failed = False
for name in arguments["gtest_filter"].split(":"):
    print("[ RUN      ]", name, flush=True)
    print("words of", name, flush=True)
    if name.endswith("Hangs"):
        time.sleep(60)
    if "Dies" in name:
        os.kill(os.getpid(), signal.SIGSEGV)
    if name.endswith("Skips"):
        print("a.cpp:3: Skipped\\nno moon\\n\\n[  SKIPPED ]", name, "(0 ms)")
    elif name.endswith("Fails"):
        print("[  FAILED  ] " + name + ", where GetParam() = 3 (1 ms)")
        failed = True
    else:
        print("no line's end [       OK ]", name, "(0 ms)")
print("[  FAILED  ] First.Fails" if failed else "[  PASSED  ]")
{end}
sys.exit(failed)
"""


class RunShard(unittest.TestCase):
    def run_shard(self, *arguments, start="", end=""):
        with tempfile.TemporaryDirectory() as folder:
            self.program = pathlib.Path(folder) / "moon_test"
            self.program.write_text(PROGRAM.format(python=sys.executable, start=start, end=end))
            self.program.chmod(0o755)
            return subprocess.run([sys.executable, ROOT / "tests/support/run_shard.py", *arguments, self.program],
                                  capture_output=True, text=True)

    def test_shows_what_a_sanitizer_reports_during_a_test_that_passes(self):
        said = "\ndef say(name):\n    print('WARNING: ThreadSanitizer: data race' if name == 'First.Passes' else '')\n"
        program = PROGRAM.replace('    if name.endswith("Hangs"):', '    say(name)\n    if name.endswith("Hangs"):')
        with unittest.mock.patch(f"{__name__}.PROGRAM", program):
            done = self.run_shard("0/4", start=said)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"^-- First\.Passes, reported by a sanitizer\nwords of First\.Passes\n"
                                      r"WARNING: ThreadSanitizer: data race\n")

    def test_shows_what_failed_and_nothing_of_what_passed(self):
        done = self.run_shard("0/2")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"^-- First\.Fails\nwords of First\.Fails\n\[  FAILED  \] First\.Fails, .*\n"
                                      r"skipped: moon_test\.First\.Skips: no moon\n"
                                      r"3 tests, 1 failed, \d\.\d s\n"
                                      r"again: \S+/moon_test --gtest_filter='First\.Fails'\n$")

    def test_goes_on_behind_a_test_that_dies_and_one_that_hangs(self):
        done = self.run_shard("1/2", "--limit", "1")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"^-- Second/Case\.Dies/a\nwords of Second/Case\.Dies/a\n"
                                      r"the program ended with it: signal 11 \(Segmentation fault\)\n"
                                      r"-- Third\.Hangs\nwords of Third\.Hangs\nit took longer than 1 s\n"
                                      r"4 tests, 2 failed, \d\.\d s\n")

    def test_shards_hold_every_test_once(self):
        ran = [self.run_shard(f"{index}/5", "--limit", "1").stdout for index in range(5)]
        self.assertEqual(sum(int(text[text.rindex(" tests,") - 1]) for text in ran), 7)

    def test_all_is_well_where_all_passes(self):
        done = self.run_shard("0/7")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^1 tests, 0 failed, \d\.\d s\n$")

    def test_a_program_that_cannot_begin_fails_and_is_not_tried_for_ever(self):
        done = self.run_shard("0/7", start="print('no library'); sys.exit(3)")
        self.assertEqual(done.returncode, 1)
        self.assertIn("-- moon_test, outside of its tests\nno library\nnone of 1 tests ran: exit 3\n", done.stdout)

    def test_what_is_found_at_the_end_fails_where_every_test_has_passed(self):
        done = self.run_shard("0/7", end="print('a leak'); sys.exit(1)")
        self.assertEqual(done.returncode, 1)
        self.assertIn("-- moon_test, outside of its tests\n[  PASSED  ]\na leak\nexit 1\n", done.stdout)

    def test_a_program_that_does_not_list_its_tests_fails(self):
        done = subprocess.run([sys.executable, ROOT / "tests/support/run_shard.py", "0/1", "/bin/false"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("/bin/false does not list its tests (exit 1)", done.stderr)


if __name__ == "__main__":
    unittest.main()
