"""tools/run_tests.py lists what skipped, and fails where tests/may_skip.txt does not say why."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# As CMake writes it: one passes, one skips like a script, one like a GoogleTest, one is disabled, one fails.
TESTS = r"""
add_test(unit.Passes "true")
add_test(script.skips "sh" "-c" "echo 'skipped: there is no moon'; exit 77")
set_tests_properties(script.skips PROPERTIES SKIP_RETURN_CODE 77)
add_test(unit.Gpu.Skips "sh" "-c" "echo 'a.cpp:3: Skipped'; echo 'no device'; echo '[  SKIPPED ] Gpu.Skips'")
set_tests_properties(unit.Gpu.Skips PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
add_test(moon_test.0 "sh" "-c" "echo 'skipped: moon_test.Moon.IsFull: no moon'; seq 9999; echo 'skipped: moon_test.Gpu.Is: no GPU'")
add_test(unit.IsDisabled "true")
set_tests_properties(unit.IsDisabled PROPERTIES DISABLED TRUE)
add_test(unit.Fails "false")
"""
REASONS = """# a comment
script.*     the moon may be new
unit.Gpu.*   no GPU
"""


class RunTests(unittest.TestCase):
    def run_tests(self, pattern, reasons=REASONS, **environment):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "CTestTestfile.cmake").write_text(TESTS)
            (folder / "may_skip.txt").write_text(reasons)
            environment = {key: value for key, value in os.environ.items() if key != "ULP_REQUIRE_GPU"} | environment
            return subprocess.run(
                [sys.executable, ROOT / "tools/run_tests.py", "--may-skip", folder / "may_skip.txt", "--test-dir", folder,
                 "-R", pattern], capture_output=True, text=True, env=environment)

    def test_ends_with_what_skipped_and_why(self):
        done = self.run_tests("Passes|skips|Gpu")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("\n100% tests passed, 0 tests failed out of 3\n", done.stdout)
        self.assertRegex(
            done.stdout,
            r"\nSkipped, for the reasons in .*may_skip\.txt:\n"
            r"  script\.skips: the moon may be new\n  unit\.Gpu\.Skips: no GPU\n$")

    def test_lists_what_skipped_within_a_shard(self):
        done = self.run_tests("moon_test", "*.Gpu.*   no GPU\n")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"\n  moon_test\.Gpu\.Is: no GPU\n")
        self.assertRegex(done.stdout, r"\n  moon_test\.Moon\.IsFull \(it says: no moon\)\n$")

    def test_says_that_none_skipped(self):
        done = self.run_tests("Passes")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.endswith("\nNo test skipped.\n"))

    def test_fails_where_there_is_no_reason_and_repeats_what_the_test_says(self):
        done = self.run_tests("Passes|skips|Gpu", "")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\n100% tests passed", done.stdout)
        self.assertRegex(
            done.stdout,
            r"\nSkipped without a reason in .*may_skip\.txt; .*\n  script\.skips \(it says: there is no moon\)\n"
            r"  unit\.Gpu\.Skips \(it says: no device\)\n$")

    def test_no_gpu_is_no_reason_where_there_must_be_one(self):
        done = self.run_tests("skips|Gpu", ULP_REQUIRE_GPU="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\n  script.skips: the moon may be new\n", done.stdout)
        self.assertIn("\n  unit.Gpu.Skips (it says: no device)\n", done.stdout)

    def test_a_disabled_test_needs_a_reason_too(self):
        self.assertEqual(self.run_tests("Passes|IsDisabled").returncode, 1)
        self.assertEqual(self.run_tests("Passes|IsDisabled", "*.IsDisabled  being rewritten\n").returncode, 0)

    def test_fails_as_ctest_does(self):
        done = self.run_tests("Fails|skips")
        self.assertEqual(done.returncode, 8)
        self.assertIn("script.skips: the moon may be new", done.stdout)

    def test_a_pattern_without_a_reason_is_refused_before_anything_runs(self):
        done = self.run_tests("Passes", "script.*\n")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"may_skip\.txt:1: 'script\.\*' has no reason; ")


if __name__ == "__main__":
    unittest.main()
