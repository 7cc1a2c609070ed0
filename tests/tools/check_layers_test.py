"""tools/check_layers.py names a wrong include and accepts a right one."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"


class CheckLayers(unittest.TestCase):
    def run_on(self, files: dict[str, str]) -> subprocess.CompletedProcess:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)

    def test_accepts_downward_include(self):
        result = self.run_on({"core/report/model/report.h": '#include "core/base/result.h"\n'})
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_names_upward_include(self):
        result = self.run_on({"core/base/error.cpp": '#include "core/report/model/report.h"\n'})
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, "core/base/error.cpp: core/base must not include core/report/model/report.h\n")

    def test_names_torch_outside_the_engine(self):
        result = self.run_on({"runner/worker/run.cpp": "#include <torch/types.h>\n"})
        self.assertEqual(result.stdout, "runner/worker/run.cpp: must not include <torch/types.h>\n")
        self.assertEqual(self.run_on({"core/engine/x/y.cpp": "#include <torch/types.h>\n"}).returncode, 0)

    def test_names_expressions_without_limits(self):
        result = self.run_on({"core/study/schema/a.cpp": "#include <regex>\n"})
        self.assertEqual(result.stdout, "core/study/schema/a.cpp: must not include <regex>\n")

    def test_names_qt_in_core(self):
        self.assertEqual(self.run_on({"core/base/a.h": "#include <QtCore/QObject>\n"}).returncode, 1)

    def test_names_a_view_that_includes_another(self):
        result = self.run_on({"views/plugins/depth/depth_view.cpp": '#include "views/plugins/table/table_view.h"\n'})
        self.assertIn("a view must not include another view", result.stdout)

    def test_names_engine_internals_seen_from_outside(self):
        result = self.run_on({"runner/worker/run.cpp": '#include "core/engine/families/family.h"\n'})
        self.assertIn("of the engine only core/engine/engine.h and core/engine/python_engine.h and", result.stdout)

    def test_names_analysis_that_knows_dumps(self):
        result = self.run_on({"core/analysis/depth/a.cpp": '#include "core/comparing/origin/culprit.h"\n'})
        self.assertEqual(result.stdout, "core/analysis/depth/a.cpp: core/analysis must not include core/comparing/origin/culprit.h\n")
        self.assertEqual(self.run_on({"core/comparing/origin/a.cpp": '#include "core/analysis/tokens/b.h"\n'}).returncode, 0)

    def test_names_a_framework_that_knows_charts(self):
        result = self.run_on({"views/framework/view/a.h": '#include "views/charts/plot/ticks.h"\n'})
        self.assertIn("views/framework must not include views/charts/plot/ticks.h", result.stdout)

    def test_names_a_library_outside_of_its_rooms(self):
        result = self.run_on({"core/study/schema/schema.cpp": "#include <yaml-cpp/yaml.h>\n"})
        self.assertIn("core/study/schema/schema.cpp: must not include <yaml-cpp/yaml.h>, which core/study/yaml/", result.stdout)
        self.assertEqual(self.run_on({"core/study/yaml/yaml_tree.cpp": "#include <yaml-cpp/yaml.h>\n"}).returncode, 0)

    def test_names_rooms_in_a_circle(self):
        files = {
            "core/text/a/x.cpp": '#include "core/text/b/y.h"\n',
            "core/text/b/y.h": '#include "core/text/c/z.h"\n',
            "core/text/c/z.h": "",
        }
        self.assertEqual(self.run_on(files).returncode, 0)
        result = self.run_on(files | {"core/text/c/w.h": '#include "core/text/a/x.h"\n'})
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout, """\
core/text/a -> core/text/b -> core/text/c -> core/text/a: rooms in a circle:
  core/text/a/x.cpp includes core/text/b/y.h
  core/text/b/y.h includes core/text/c/z.h
  core/text/c/w.h includes core/text/a/x.h
""")


if __name__ == "__main__":
    unittest.main()
