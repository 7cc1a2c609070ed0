"""Runs the examples of docs/python.md, in order, in one program, from the root of the checkout."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import yaml
from python_package import ROOT, environment, place, study_report

TEXT = (ROOT / "docs/python.md").read_text("utf-8")
# Takes the place of ulpscope-cli in a pipeline: installing and computing are shown elsewhere.
PROGRAM = """#!/bin/sh
case "$1" in
run) exec cp -r "$STUDY" "$4";;
*) exec "$ULPSCOPE_CLI" "$@";;
esac
"""


def blocks(language: str, text: str = TEXT) -> list:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


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


class Pipelines(unittest.TestCase):
    """Those of docs/ci.md do what they say: first without a baseline, then beside one, then with a row that fails anew."""

    def setUp(self):
        github, gitlab = (yaml.safe_load(block) for block in blocks("yaml", (ROOT / "docs/ci.md").read_text("utf-8")))
        self.github = [step for step in github["jobs"]["precision"]["steps"] if "run" in step]
        self.gitlab = gitlab["precision"]
        self.report = study_report()

    def pipeline(self, name: str, rules: str) -> pathlib.Path:
        folder = place(name)
        if not folder.exists():
            (folder / "bin").mkdir(parents=True)
            for program, text in {"ulpscope-cli": PROGRAM, "pip": "#!/bin/sh\ntest \"$*\" = 'install ulpscope[engine] @ WHEEL'\n"}.items():
                (folder / "bin" / program).write_text(text)
                (folder / "bin" / program).chmod(0o755)
        shutil.rmtree(folder / "runs/new", ignore_errors=True)
        (folder / "runs").mkdir(exist_ok=True)
        (folder / "rules.yaml").write_text(f"rules:\n  - {{metric: rms_rel, comparison: '<=', value: {rules}}}\n")
        return folder

    def shell(self, folder: pathlib.Path, *lines: str) -> int:
        """Runs the lines as runners do, until one fails."""
        variables = {"PATH": f"{folder}/bin:/usr/bin:/bin", "STUDY": str(self.report.path.parent), "ULPSCOPE_WHEEL": "WHEEL",
                     "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}
        return next((code for code in (subprocess.run(["bash", "-e", "-o", "pipefail", "-c", line], cwd=folder, capture_output=True,
                                                      env=environment() | variables, timeout=60).returncode for line in lines) if code), 0)

    def on_github(self, folder: pathlib.Path) -> int:
        for step in self.github:
            self.assertIn(step.get("if", "github.ref == 'refs/heads/main'"), ("always()", "github.ref == 'refs/heads/main'"))
        return self.shell(folder, *(step["run"].replace("${{ vars.ULPSCOPE_WHEEL }}", "WHEEL") for step in self.github))

    def on_gitlab(self, folder: pathlib.Path) -> int:
        return self.shell(folder, "\n".join(self.gitlab["script"]))

    def test_of_github_and_gitlab(self):
        for name, run in {"github": self.on_github, "gitlab": self.on_gitlab}.items():
            folder = self.pipeline(name, "10")
            self.assertEqual(run(folder), 0, name)
            kept = (folder / "runs/main/precision_report.json").stat().st_mtime_ns
            self.assertEqual(run(self.pipeline(name, "1e-9")), 0, name)  # known: the baseline fails, too
            self.assertNotEqual((folder / "runs/main/precision_report.json").stat().st_mtime_ns, kept)
            content = json.loads((folder / "runs/main/precision_report.json").read_text())
            for row in content["comparisons"]["bf16"]:
                row["rms_rel"] = 0.0
            (folder / "runs/main/precision_report.json").write_text(json.dumps(content))
            self.assertEqual(run(self.pipeline(name, "1e-9")), 1, name)
            self.assertEqual(json.loads((folder / "runs/main/precision_report.json").read_text()), content)
        self.assertIn("## Ulpscope: failed", (place("github") / "summary.md").read_text())
        self.assertTrue((place("github") / "check.sarif").is_file())
        self.assertEqual(self.gitlab["artifacts"]["reports"]["junit"], "check.xml")
        self.assertTrue((place("gitlab") / "check.xml").is_file())


if __name__ == "__main__":
    unittest.main()
