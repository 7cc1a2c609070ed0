"""tools/check_models.py names a model that no test holds and accepts one that is tested."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_models.py"
MODEL = "class RowsModel final : public QAbstractTableModel {\n};\n"
ALIAS = "using OtherModel = RowTableModel<Row>;\n"


class CheckModels(unittest.TestCase):
    def run_on(self, files: dict[str, str]) -> subprocess.CompletedProcess:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)

    def test_names_a_model_without_a_test(self):
        result = self.run_on({"views/a/rows.h": MODEL + ALIAS, "tests/views/rows_test.cpp": "RowsModel model; ModelChecks checks;"})
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "views/a/rows.h: OtherModel: no test holds it and ModelChecks\n")

    def test_a_test_without_the_checks_is_none(self):
        result = self.run_on({"views/a/rows.h": MODEL, "tests/views/rows_test.cpp": "RowsModel model;"})
        self.assertEqual(result.returncode, 1)

    def test_accepts_tested_models(self):
        result = self.run_on({"views/a/rows.h": MODEL, "tests/views/rows_test.cpp": "RowsModel model; ModelChecks checks;"})
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_does_not_pass_where_it_finds_nothing(self):
        self.assertEqual(self.run_on({"views/a/rows.h": "class Rows {};\n"}).returncode, 1)


if __name__ == "__main__":
    unittest.main()
