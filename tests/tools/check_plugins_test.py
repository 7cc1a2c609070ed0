"""tools/check_plugins.py names places that spell the id of a plug-in, and no others."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_plugins.py"
METRIC = {"core/numerics/metrics/plugins/ulp_max.cpp": 'registry.add({.id = "ulp.max"});\n'}
VIEW = {"views/plugins/table/table_view.cpp": 'registry.add({.id = QStringLiteral("table")});\n'}


class CheckPlugins(unittest.TestCase):
    def complaints(self, files: dict[str, str]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            result = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)
        lines = result.stdout.splitlines()
        self.assertEqual(result.returncode, 1, "exceptions that a small tree does not need are named")
        return [line for line in lines if not line.startswith("tools/check_plugins.py: ")]

    def test_names_a_list_outside(self):
        found = self.complaints(METRIC | {"runner/worker/a.cpp": 'int a;\nf({"rms", "ulp.max"});\n'})
        self.assertEqual(
            found, ['runner/worker/a.cpp:2: names the metric "ulp.max", which is core/numerics/metrics/plugins/ulp_max.cpp']
        )

    def test_accepts_comments_and_longer_texts(self):
        self.assertEqual(self.complaints(METRIC | {"runner/worker/a.cpp": '// "ulp.max"\nf("of ulp.max");\n'}), [])

    def test_accepts_places_with_a_reason(self):
        self.assertEqual(self.complaints(METRIC | {"core/analysis/depth/a.cpp": 'f("ulp.max");\n'}), [])

    def test_takes_an_everyday_word_for_a_view_only_where_one_is_meant(self):
        self.assertEqual(self.complaints(VIEW | {"app/gui/a.cpp": 'key(QStringLiteral("table"));\n'}), [])
        self.assertEqual(len(self.complaints(VIEW | {"app/gui/a.cpp": 'raiseView(QStringLiteral("table"));\n'})), 1)

    def test_names_a_plugin_of_another_id(self):
        found = self.complaints({"core/report/formats/plugins/csv.cpp": 'registry.add({.id = "commas"});\n'})
        self.assertEqual(found, ["core/report/formats/plugins/csv.cpp: a format of another id than its name"])


if __name__ == "__main__":
    unittest.main()
