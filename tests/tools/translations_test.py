"""The translations are complete, and the check that says so sees what is wrong."""
import importlib.util
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("update_translations", ROOT / "tools/update_translations.py")
tool = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tool)


class Translations(unittest.TestCase):
    def test_are_complete_and_up_to_date(self):
        files = sorted(tool.TRANSLATIONS.glob("*.ts"))
        self.assertTrue(files)
        for ts in files:
            self.assertEqual(list(tool.complaints(ts)), [])

    def test_calls_of_a_words_structure_name_its_context(self):
        source = "struct SiteTextWords {\n  Q_DECLARE_TR_FUNCTIONS(ulp::views::SiteText)\n};\nreturn SiteTextWords::tr(\"a  b\");\n"
        self.assertIn('QCoreApplication::translate("ulp::views::SiteText", "a  b")', tool.with_contexts(source))


class Core(unittest.TestCase):
    def test_marks_every_pattern(self):
        self.assertEqual(list(tool.unmarked_patterns()), [])

    def test_is_seen_to_lack_a_mark(self):
        self.assertEqual(tool.unmarked('part.text = {"%1 at %2", {a, b}};'), ['"%1 at %2"'])
        self.assertEqual(tool.unmarked('return {"nothing", {}};'), ['"nothing"'])
        self.assertEqual(tool.unmarked('return {ULP_TR_NOOP("%1 "\n "at %2"), {a}};\n// "%1"\nfail("100 %", a);'), [])


class English(unittest.TestCase):
    def test_gets_its_plurals_by_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            ts = pathlib.Path(folder) / "x_en.ts"
            ts.write_text(
                '<TS version="2.1" language="en"><context><name>C</name><message numerus="yes"><source>%n match(es) of '
                '%1 key(s)</source><translation type="unfinished"><numerusform/><numerusform/></translation></message>'
                "</context></TS>"
            )
            tool.fill_plurals(ts)
            self.assertEqual(
                list(tool.messages(ts)),
                [("C", "%n match(es) of %1 key(s)", ["%n match of %1 key", "%n matches of %1 keys"], True)],
            )


class Check(unittest.TestCase):
    def complaints_after(self, *change: tuple[str, str]) -> list[str]:
        source = tool.TRANSLATIONS / "ulpscope_zh_CN.ts"
        text = source.read_text()
        for old, new in change:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        with tempfile.TemporaryDirectory() as folder:
            ts = pathlib.Path(folder) / source.name
            ts.write_text(text)
            return list(tool.complaints(ts))

    def test_sees_a_string_that_is_missing(self):
        found = self.complaints_after(("<source>Details</source>", "<source>Gone</source>"))
        self.assertEqual(len(found), 2)
        self.assertIn("missing", found[0])
        self.assertIn("no longer", found[1])

    def test_sees_a_string_that_is_not_translated(self):
        found = self.complaints_after(("<translation>详情</translation>", '<translation type="unfinished"></translation>'))
        self.assertEqual(len(found), 1)
        self.assertIn("not translated", found[0])

    def test_sees_what_a_translation_lost(self):
        for source, form in (
            ("%1 left", "剩余"),
            ("&Open…", "打开…"),
            ("&Open…", "打开(&O)"),
            ("Open", " "),
        ):
            self.assertNotEqual(list(tool.faults(source, form)), [], form)
        self.assertEqual(list(tool.faults("&Open %1…", "打开 %1(&O)…")), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
