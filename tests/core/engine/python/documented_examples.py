#!/usr/bin/env python3
"""The studies in docs/engines.md and configs/decoding.yaml run: documented_examples.py ulpscope-cli

Examples name models that are not here; a tiny one with random weights stands for them.
"""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "tests/support"))
from forked_python import ForkedPython  # noqa: E402

CLI = pathlib.Path(sys.argv.pop(1)).resolve()
TINY = ROOT / "configs/architectures/tiny_qwen3"


def examples():
    text = (ROOT / "docs/engines.md").read_text(encoding="utf-8")
    return re.findall(r"^```yaml\n(.*?)^```", text, re.M | re.S)


def variants_in(study):
    return re.findall(r"^  (\w+):", study.partition("variants:\n")[2], re.M)


class DocumentedExamples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        sys.path.append(os.path.join(os.path.dirname(sys.prefix), "quantizers"))
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.python = ForkedPython(folder.name, threads=1)
        cls.addClassCleanup(cls.python.close)

    def run_study(self, study, **settings):
        with tempfile.TemporaryDirectory() as folder:
            sets = [word for key, value in settings.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]
            done = subprocess.run(
                [CLI, "run", study, "--output", folder, "--overwrite", "--progress", "none", *sets],
                cwd=ROOT, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = json.loads(pathlib.Path(folder, "precision_report.json").read_text(encoding="utf-8"))
        return report["runs"]

    def check(self, runs, variants):
        self.assertEqual(list(runs), ["reference", *variants])
        for name, run in runs.items():
            self.assertEqual(run["status"], "finished", name)
            self.assertTrue(math.isfinite(run["loss"]), name)

    def test_studies_of_the_manual_run(self):
        self.assertGreaterEqual(len(examples()), 2)
        for text in examples():
            with self.subTest(text), tempfile.TemporaryDirectory() as folder:
                study = pathlib.Path(folder, "study.yaml")
                study.write_text(text, encoding="utf-8")
                runs = self.run_study(study, engine="python", python__executable=self.python.program, model__path=TINY,
                                      model__weights="random", input__sequence_length=8, capture__level="layer",
                                      capture__tensors="none")
                self.check(runs, variants_in(text))

    def test_the_study_of_decoding_runs(self):
        study = ROOT / "configs/decoding.yaml"
        runs = self.run_study(study, capture__level="layer")
        self.check(runs, variants_in(study.read_text(encoding="utf-8").partition("\ncapture:")[0]))
        self.assertEqual(runs["decoded_again"]["loss"], runs["reference"]["loss"])


if __name__ == "__main__":
    unittest.main()
