"""What lies in the working folder is neither loaded nor run. Argument: the folder of the build."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv[1]).resolve()
PROGRAMS = sorted((BUILD / "bin").glob("ulpscope*"))
COMMAND_LINE = BUILD / "bin/ulpscope-cli"


def dynamic(file):
    return subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout


class WorkingFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.hostile = self.folder / "hostile"
        self.hostile.mkdir()

    def run_there(self, *words, **variables):
        return subprocess.run(words, cwd=self.hostile, capture_output=True, text=True, timeout=60,
                              env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "HOME": str(self.folder)} | variables)

    def test_no_library_is_looked_for_there(self):
        libraries = sorted((BUILD / "lib").glob("*.so"))
        self.assertIn(COMMAND_LINE, PROGRAMS)
        for file in PROGRAMS + libraries:
            for listed in re.findall(r"Library \w+: \[(.*)\]", dynamic(file)):
                for place in listed.split(":"):
                    self.assertRegex(place, r"^(/|\$ORIGIN\b)", f"{file.name}: {listed}")

    def test_programs_start_beside_what_has_the_names_of_their_libraries(self):
        for file in PROGRAMS:
            for name in re.findall(r"Shared library: \[(.*)\]", dynamic(file)):
                (self.hostile / name).write_text("no library")
        for file in PROGRAMS:
            self.assertNotIn("error while loading", self.run_there(file, "--version").stderr)
        self.assertEqual(self.run_there(COMMAND_LINE, "--version").returncode, 0)

    def hide_modules(self):
        """Gives the file that exists once one of them was run."""
        trace = self.folder / "trace"
        for name in ("csv", "email", "importlib", "json", "torch", "transformers", "zipfile"):
            (self.hostile / f"{name}.py").write_text(f"open({str(trace)!r}, 'a').write({name!r} + chr(10))\nraise ImportError({name!r})\n")
        return trace

    def test_doctor_asks_python_without_its_modules(self):
        trace = self.hide_modules()
        done = self.run_there(COMMAND_LINE, "doctor", "--json", ULPSCOPE_PYTHON=sys.executable, VIRTUAL_ENV="", CONDA_PREFIX="")
        python = next(check for check in json.loads(done.stdout) if check["name"] == "Python")
        self.assertEqual(python["state"], "ok", python)
        self.assertFalse(trace.exists(), trace.exists() and trace.read_text())

    def test_the_engine_in_python_starts_without_its_modules(self):
        if not (BUILD / "lib/libulpscope_engine.so").exists():
            self.skipTest("this build has no engine")
        trace = self.hide_modules()
        bare = self.folder / "python"
        bare.write_text(f"#!/bin/sh\nexec '{sys.executable}' -S \"$@\"\n")  # without packages
        bare.chmod(0o755)
        (self.folder / "config.json").write_text('{"model_type": "llama"}')
        study = self.folder / "study.yaml"
        study.write_text(f"engine: python\npython.executable: {bare}\nmodel: {{path: {self.folder}, weights: random}}\n"
                         "input: {source: random, sequence_length: 4}\nvariants: {a: {precision.compute_dtype: bfloat16}}\n")
        done = self.run_there(COMMAND_LINE, "run", study, "--device", "cpu", "--output", self.folder / "results")
        self.assertIn("cannot import torch", done.stderr)
        self.assertFalse(trace.exists(), trace.exists() and trace.read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
