"""The wheel: what it holds, twice the same, installed by pip."""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import unittest
import zipfile

from python_package import PACKAGE, ROOT, place

sys.path.insert(0, str(PACKAGE))
import build_backend  # noqa: E402

VERSION = re.search(r"project\(ulpscope VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class Wheel(unittest.TestCase):
    def built(self, folder: str) -> pathlib.Path:
        place(folder).mkdir()
        return place(folder) / build_backend.build_wheel(str(place(folder)))

    def content_of(self, wheel: pathlib.Path, name: str) -> bytes:
        with zipfile.ZipFile(wheel) as archive:
            return archive.read(name)

    def test_is_the_same_each_time_and_complete(self):
        one, other = self.built("wheel_1"), self.built("wheel_2")
        self.assertEqual(one.name, f"ulpscope-{VERSION}-py3-none-any.whl")
        self.assertEqual(one.read_bytes(), other.read_bytes())
        with zipfile.ZipFile(one) as wheel:
            self.assertEqual(wheel.read("ulpscope/recorder.py"), (ROOT / "resources/python/ulpscope_recorder.py").read_bytes())
            metadata = wheel.read(f"ulpscope-{VERSION}.dist-info/METADATA").decode()
            recorded = wheel.read(f"ulpscope-{VERSION}.dist-info/RECORD").decode().splitlines()
            self.assertEqual({line.split(",")[0] for line in recorded}, set(wheel.namelist()))
        self.assertIn(f"Version: {VERSION}\n", metadata)
        self.assertIn("Requires-Dist: torch==2.11.0; extra == 'engine'\n", metadata)
        digest = base64.urlsafe_b64encode(hashlib.sha256(self.content_of(one, "ulpscope/report.py")).digest()).decode().rstrip("=")
        self.assertTrue(any(line.startswith(f"ulpscope/report.py,sha256={digest},") for line in recorded))

    def test_pip_installs_it(self):
        target = place("installed")
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
        done = subprocess.run([*pip, "install", "--no-deps", "--no-index", "--target", target, self.built("wheel_3")],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        program = "import ulpscope, ulpscope.recorder as r; print(ulpscope.__version__, ulpscope.__file__, r.SCHEMA)"
        done = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": str(target)}, cwd=target, capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.stdout.split(), [VERSION, str(target / "ulpscope/__init__.py"), "ulpscope.recording/2"], done.stderr)
        points = (target / f"ulpscope-{VERSION}.dist-info/entry_points.txt").read_text()
        self.assertEqual(points, "[pytest11]\nulpscope = ulpscope.pytest_plugin\n")


if __name__ == "__main__":
    unittest.main()
