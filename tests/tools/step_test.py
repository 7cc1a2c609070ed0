"""tools/step.sh, and that the Makefile tells it what to do where a step fails."""
import pathlib
import re
import shlex
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def step(*words):
    return subprocess.run([ROOT / "tools/step.sh", *words], capture_output=True, text=True)


class Step(unittest.TestCase):
    def test_says_what_runs_and_nothing_more_where_it_succeeds(self):
        done = step("Building", "buy more disk", "echo", "built")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "==> Building\nbuilt\n", ""))

    def test_says_in_one_line_what_failed_and_what_to_do(self):
        done = step("Building", "buy more disk", "sh", "-c", "exit 3")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "make: Building failed (exit 3): sh -c exit 3; buy more disk\n")

    def test_every_step_of_the_makefile_has_a_remedy_that_the_shell_does_not_run(self):
        goals = ["test", "lint", "tidy", "bench", "asan", "tsan", "fuzz"]
        recipes = subprocess.run(
            ["make", "-n", *goals], cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout
        steps = [line for line in recipes.splitlines() if line.startswith("tools/step.sh")]
        self.assertGreaterEqual(len(steps), 12)
        for line in steps:
            title, remedy, command = shlex.split(line)[1:4]
            self.assertRegex(title, "^[A-Z][a-z]+")
            self.assertIn(" ", remedy, line)
            self.assertTrue(re.match(r"(tools/|cmake$|ctest$|python3$)", command), line)
            self.assertNotRegex(line, r"[`$]")


if __name__ == "__main__":
    unittest.main()
