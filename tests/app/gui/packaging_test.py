"""Checks the desktop files: one id everywhere, what the validators of the system say, and what gets installed.

    packaging_test.py [BUILD]   BUILD: the build folder, to install from
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGING = ROOT / "packaging"
ID = "io.github.ulpscope.Ulpscope"
BUILD = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None


def validate(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or "error" in done.stdout:
        raise AssertionError(done.stdout + done.stderr)


class Packaging(unittest.TestCase):
    def test_desktop_file_is_valid(self):
        validate("desktop-file-validate", str(PACKAGING / f"{ID}.desktop"))

    def test_metainfo_is_valid(self):
        validate("appstreamcli", "validate", "--no-net", str(PACKAGING / f"{ID}.metainfo.xml"))

    def test_xml_is_well_formed(self):
        for name in ("svg", "mime.xml", "metainfo.xml"):
            validate("xmllint", "--noout", "--nonet", str(PACKAGING / f"{ID}.{name}"))
        self.assertTrue(ElementTree.parse(PACKAGING / f"{ID}.svg").getroot().tag.endswith("svg"))

    def test_reports_are_known_by_name_and_by_content(self):
        space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
        declared = ElementTree.parse(PACKAGING / f"{ID}.mime.xml").getroot().find("m:mime-type", space)
        self.assertEqual(declared.find("m:glob", space).get("pattern"), "precision_report.json")
        match = declared.find("m:magic/m:match", space)
        first, last = (int(number) for number in match.get("offset").split(":"))
        for report in (ROOT / "resources/example").glob("precision_report.json"):
            place = report.read_bytes()[:4096].find(match.get("value").encode())
            self.assertTrue(first <= place <= last, f"{report}: magic at {place}")

    def test_actions_use_options_that_exist(self):
        desktop = (PACKAGING / f"{ID}.desktop").read_text()
        options = (ROOT / "app/gui/start/command_line.cpp").read_text()
        for line in desktop.splitlines():
            for word in line.split() if line.startswith("Exec=") else []:
                if word.startswith("--"):
                    self.assertIn(f'"{word[2:]}"', options)

    def test_everything_is_installed_where_desktops_look(self):
        if BUILD is None:
            self.skipTest("no build folder given")
        with tempfile.TemporaryDirectory() as prefix:
            validate("cmake", f"-DCMAKE_INSTALL_PREFIX={prefix}", "-P", str(BUILD / "packaging/cmake_install.cmake"))
            for path in (
                f"applications/{ID}.desktop",
                f"metainfo/{ID}.metainfo.xml",
                f"mime/packages/{ID}.xml",
                f"icons/hicolor/scalable/apps/{ID}.svg",
            ):
                self.assertTrue((pathlib.Path(prefix) / "share" / path).is_file(), path)

    def test_one_id_everywhere(self):
        desktop = (PACKAGING / f"{ID}.desktop").read_text()
        self.assertIn(f"Icon={ID}\n", desktop)
        metainfo = ElementTree.parse(PACKAGING / f"{ID}.metainfo.xml").getroot()
        self.assertEqual(metainfo.findtext("id"), ID)
        self.assertEqual(metainfo.findtext("launchable"), f"{ID}.desktop")
        self.assertIn(ID, (ROOT / "app/gui/CMakeLists.txt").read_text())

    def test_claimed_type_is_the_declared_one(self):
        declared = ElementTree.parse(PACKAGING / f"{ID}.mime.xml").getroot()[0].get("type")
        self.assertIn(f"MimeType={declared};", (PACKAGING / f"{ID}.desktop").read_text())


if __name__ == "__main__":
    sys.exit(unittest.main(argv=sys.argv[:1]))
