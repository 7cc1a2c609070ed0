"""Runs the examples of docs/python.md, in order, in one program, from the root of the checkout."""
import re
import subprocess
import sys
import unittest

from python_package import ROOT, environment, place

TEXT = (ROOT / "docs/python.md").read_text("utf-8")


def blocks(language: str) -> list:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.M | re.S)


class Examples(unittest.TestCase):
    def test_run(self):
        examples = [block for block in blocks("python") if "def test_" not in block]
        self.assertGreater(len(examples), 5)
        folder = place("documentation")
        folder.mkdir()
        (folder / "configs").symlink_to(ROOT / "configs")
        program = "\n".join(examples) + "\nprint('every example ran')\n"
        done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=environment(), capture_output=True, text=True, timeout=200)
        self.assertEqual(done.stdout.splitlines()[-1:], ["every example ran"], done.stdout + done.stderr)

    def test_the_test_file_passes(self):
        found = [block for block in blocks("python") if "def test_" in block]
        self.assertEqual(len(found), 1)
        folder = place("documented_tests")
        folder.mkdir()
        (folder / "test_example.py").write_text(found[0])
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "ulpscope.pytest_plugin", "-p", "no:cacheprovider", "-q"], cwd=folder,
                              env=environment(), capture_output=True, text=True, timeout=120)
        self.assertIn(f"{found[0].count('def test_')} passed", done.stdout, done.stderr)


    def test_every_name_of_the_package_is_explained(self):
        import ulpscope
        missing = [name for name in ulpscope.__all__ if not re.search(rf"\b{name}\b", TEXT)]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
