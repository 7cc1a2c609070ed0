"""What packages hold, out of a build of this checkout. `make try-packages` installs them on bare systems.
Arguments: the build's folder, and that of torch."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "packaging/packages"))

import archives  # noqa: E402
import deb  # noqa: E402
import licences  # noqa: E402
import make_packages  # noqa: E402
import reproducible  # noqa: E402
import staging  # noqa: E402

BUILD, TORCH = (pathlib.Path(each) for each in sys.argv[1:3])
VERSION = re.search(r"project\(ulpscope VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def without_build(**variables):
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("ULP_", "LD_", "QT_", "FONTCONFIG"))}
    return kept | {"ULP_TORCH_DIR": str(TORCH)} | variables


class Staged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name) / "ulpscope"
        cls.symbols = pathlib.Path(cls.temporary.name) / "symbols"
        cls.copied = staging.stage(BUILD, cls.folder, window=True, libraries=True, symbols=cls.symbols)
        licences.stage_licences(cls.copied, cls.folder / "licences", window=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_brings_every_library_that_not_every_machine_has(self):
        here = {path.name for path in (self.folder / "lib").rglob("*.so*")}
        for file in [*(self.folder / "bin").glob("ulpscope*"), *(self.folder / "lib").rglob("*.so*")]:
            for line in staging.output("ldd", file).splitlines():
                name = pathlib.Path(line.split()[0]).name
                known = line.strip() == "statically linked" or staging.OF_EVERY_MACHINE.fullmatch(name) or staging.OF_TORCH.fullmatch(name)
                self.assertTrue(known or name in here, f"{file.name}: {name}")

    def test_leaves_to_a_desktop_what_fits_its_drivers(self):
        spare = {path.name for path in (self.folder / "lib/spare").iterdir()}
        self.assertLessEqual({"libEGL.so.1", "libGLX.so.0", "libX11.so.6", "libxcb.so.1", "libfontconfig.so.1", staging.OPENMP}, spare)
        self.assertFalse([name for name in spare if name.startswith(("libQt6", "libicu"))])
        for file in [*(self.folder / "bin").glob("ulpscope*"), *(self.folder / "lib").glob("libulpscope_engine.so")]:
            self.assertLessEqual(spare & set(staging.needed(file)), {staging.OPENMP}, file.name)

    def test_programs_know_no_place_of_this_machine(self):
        for file in [*(self.folder / "bin").glob("ulpscope*"), *(self.folder / "lib").glob("libulpscope*.so")]:
            listed = staging.output("readelf", "-d", file)
            self.assertEqual(re.findall(r"Library (\S+): \[(.*)\]", listed), [("rpath", "$ORIGIN/../lib")], file.name)

    def test_doctor_finds_all_of_it(self):
        done = subprocess.run([self.folder / "bin/ulpscope-cli", "doctor", "--json"], env=without_build(), capture_output=True, text=True)
        checks = {check["name"]: check for check in json.loads(done.stdout)}
        for name in ("ulpscope-hdf5", "ulpscope-template", "LibTorch", "engine", "window", "pictures", "fonts"):
            self.assertEqual(checks[name]["state"], "ok", checks[name])
        self.assertTrue(checks["window"]["found"].startswith(str(self.folder.resolve())))

    def test_draws_a_view(self):
        picture = self.folder.parent / "depth.svg"
        report = ROOT / "resources/example/precision_report.json"
        subprocess.run([self.folder / "bin/ulpscope-cli", "export", report, "--what", "depth", "-o", picture], env=without_build(),
                       check=True, capture_output=True)
        self.assertIn("<svg", picture.read_text()[:400])

    def test_lists_the_licence_of_everything(self):
        table = (self.folder / "licences/THIRD_PARTY.md").read_text()
        for package in ("libqt6charts6", "libqt6core6", "libicu72", "libhdf5-103-1", "nlohmann-json3-dev", "minja", "fonts-dejavu-core"):
            self.assertIn(f"| {package} |", table)
        for name in re.findall(r"`([^`]+)` \|$", table, re.M):
            self.assertGreater((self.folder / "licences" / name).stat().st_size, 200, name)
        self.assertIn("GNU GENERAL PUBLIC LICENSE", (self.folder / "licences/GPL-3").read_text())

    def test_symbols_lie_apart(self):
        self.assertNotIn(".debug_info", staging.output("readelf", "-S", "--wide", self.folder / "bin/ulpscope-cli"))


class Debian(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.temporary.name)
        cls.package = folder / "ulpscope.deb"
        deb.make_deb(BUILD, folder / "work", cls.package, VERSION, packing="none")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_names_the_packages_that_it_needs(self):
        fields = staging.output("dpkg-deb", "-f", self.package)
        self.assertIn(f"Version: {VERSION}\n", fields)
        for package in ("libqt6charts6", "libqt6widgets6", "libhdf5-103-1", "libc6 (>= 2.3"):
            self.assertIn(package, re.search("^Depends: (.*)$", fields, re.M)[1])

    def test_puts_everything_where_debian_looks_for_it(self):
        listed = staging.output("dpkg-deb", "-c", self.package)
        for path in ("usr/bin/ulpscope -> ../lib/ulpscope/bin/ulpscope", "usr/bin/ulpscope-cli -> ../lib/ulpscope/bin/ulpscope-cli",
                     "usr/lib/ulpscope/lib/libulpscope_engine.so", "usr/share/applications/io.github.ulpscope.Ulpscope.desktop",
                     "usr/share/man/man1/ulpscope-cli.1.gz", "usr/share/man/man1/ulpscope.1.gz", "usr/share/doc/ulpscope/copyright",
                     "usr/share/bash-completion/completions/ulpscope-cli", "usr/share/zsh/vendor-completions/_ulpscope-cli",
                     "usr/share/fish/vendor_completions.d/ulpscope-cli.fish", "usr/share/ulpscope/configs/smollm2.yaml"):
            self.assertIn(f"./{path}\n", listed)
        self.assertNotRegex(listed, r"libQt6|/qt\.conf|/spare/")
        self.assertFalse([line for line in listed.splitlines() if not line.split()[1] == "root/root"])

    def test_files_have_the_date_of_the_commit_however_old_their_sources_are(self):
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", self.package], stdout=subprocess.PIPE) as files:
            with tarfile.open(fileobj=files.stdout, mode="r|") as tar:
                self.assertEqual({entry.mtime for entry in tar}, {reproducible.date()})


class Reproducible(unittest.TestCase):
    def test_archives_do_not_know_when_and_in_what_order_files_were_made(self):
        with tempfile.TemporaryDirectory() as temporary:
            packed = []
            for turn, names in enumerate((["b", "a/c"], ["a/c", "b"])):
                folder = pathlib.Path(temporary, str(turn), "ulpscope")
                for name in names:
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    (folder / name).write_text(name)
                    os.utime(folder / name, (turn, turn))
                (folder / "b").chmod(0o700 if turn else 0o755)
                archive = pathlib.Path(temporary, f"{turn}.tar.xz")
                reproducible.write_tar_xz(folder, archive)
                packed.append(archive.read_bytes())
            self.assertEqual(packed[0], packed[1])
            with tarfile.open(archive) as tar:
                self.assertEqual([(entry.name, oct(entry.mode)) for entry in tar],
                                 [("ulpscope", "0o755"), ("ulpscope/a", "0o755"), ("ulpscope/a/c", "0o644"), ("ulpscope/b", "0o755")])


class OneVersion(unittest.TestCase):
    def test_of_the_project_is_that_of_the_desktop(self):
        text = (ROOT / "packaging/io.github.ulpscope.Ulpscope.metainfo.xml").read_text()
        self.assertEqual(re.search(r'<release version="([\d.]+)"', text)[1], VERSION)
        for program in ("ulpscope", "ulpscope-cli"):
            self.assertEqual(staging.output(BUILD / "bin" / program, "--version"), f"{program} {VERSION}\n")

    def test_of_torch_is_that_which_the_wheel_brings(self):
        self.assertIn(f'engine = ["torch=={make_packages.torch_version()}"]', (ROOT / "packaging/python/pyproject.toml").read_text())

    def test_manual_of_the_window_has_every_option(self):
        options = set(re.findall(r"--[a-z-]+", subprocess.run([BUILD / "bin/ulpscope", "--help"], capture_output=True, text=True).stdout))
        page = (ROOT / "packaging/ulpscope.1").read_text().replace("\\-", "-")
        self.assertEqual({option for option in options if option not in page} - {"--help-all"}, set())
        self.assertIn("--screenshot", options)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
