"""Checks the desktop files: one id everywhere, well-formed XML, and what the validators of the system say."""
import pathlib
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGING = ROOT / "packaging"
ID = "io.github.ulpscope.Ulpscope"


def validate(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0 or "error" in done.stdout:
        raise AssertionError(done.stdout + done.stderr)


class Packaging(unittest.TestCase):
    def test_desktop_file_is_valid(self):
        validate("desktop-file-validate", str(PACKAGING / f"{ID}.desktop"))

    def test_metainfo_is_valid(self):
        validate("appstreamcli", "validate", "--no-net", str(PACKAGING / f"{ID}.metainfo.xml"))

    def test_icon_and_mime_type_are_well_formed(self):
        self.assertTrue(ElementTree.parse(PACKAGING / f"{ID}.svg").getroot().tag.endswith("svg"))
        ElementTree.parse(PACKAGING / f"{ID}.mime.xml")

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
    sys.exit(unittest.main())
