"""What tools/gpu_check/bundle.py packs starts without this build's places. Arguments: the build's folder, and that of torch."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools/gpu_check"))

import bundle  # noqa: E402
import staging  # noqa: E402

BUILD, TORCH = (pathlib.Path(each) for each in sys.argv[1:3])


class GpuBundle(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name) / bundle.NAME
        cls.folder.mkdir()
        bundle.fill(BUILD, cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def devices(self, **environment):
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("ULP_", "LD_"))}
        return subprocess.run([self.folder / "bin/ulpscope-cli", "devices"], env=kept | environment, capture_output=True, text=True)

    def test_uses_the_torch_of_the_folder_that_is_named(self):
        done = self.devices(ULP_TORCH_DIR=str(TORCH))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"^LibTorch 2\.11\.0\n")

    def test_says_how_to_name_a_folder(self):
        done = self.devices(ULP_TORCH_DIR=str(self.folder))
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not the folder of a torch package", done.stderr)
        self.assertIn("point ULP_TORCH_DIR at the folder", done.stderr)

    def test_looks_for_libraries_beside_itself_alone(self):
        for each in staging.COMMAND_LINE + staging.ENGINE + bundle.TESTS:
            with self.subTest(each):
                listed = staging.output("readelf", "-d", self.folder / each)
                self.assertEqual(re.findall(r"Library (\S+): \[(.*)\]", listed), [("rpath", "$ORIGIN/../lib")])

    def test_brings_every_library_of_its_programs(self):
        for each in staging.COMMAND_LINE + bundle.TESTS:
            with self.subTest(each):
                here = str(self.folder.resolve())
                for line in staging.output("ldd", self.folder / each).splitlines():
                    name, _, place = line.strip().partition(" => ")
                    known = staging.OF_EVERY_MACHINE.fullmatch(pathlib.Path(name.split()[0]).name)
                    self.assertTrue(known or here in os.path.realpath(place.split(" (")[0]) or name == staging.OPENMP or staging.OF_TORCH.match(name), line)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
