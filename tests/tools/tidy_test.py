"""tools/tidy.py finds in a batch what clang-tidy finds in its files, whether or not they go together."""
import importlib.util
import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("tidy", ROOT / "tools/tidy.py")
tidy = importlib.util.module_from_spec(spec)
sys.modules["tidy"] = tidy
spec.loader.exec_module(tidy)

CLEAN = "namespace {\nint half(int x) {\n  return x / 2;\n}\n}  // namespace\nint a(int x) {\n  return half(x);\n}\n"
FAULTY = "int* b() {\n  return 0;\n}\n"
COLLIDING = "namespace {\nint half(int x) {\n  return x / 3;\n}\n}  // namespace\nint* c(int x) {\n  return half(x) > 1 ? 0 : new int;\n}\n"


class OwnNames(unittest.TestCase):
    def test_are_those_of_unnamed_namespaces_and_of_tests(self):
        text = (
            "namespace {\nconstexpr int kGap = 4;\nclass Rows {\n  int m_x;\n};\n"
            "std::string textOf(int x) {\n  return f(x);\n}\n}  // namespace\n"
            "int Outside::find() {\n}\nTEST(Rows, AreCounted) {\n}\n"
        )
        self.assertEqual(tidy.own_names(text), {"kGap", "Rows", "textOf", "Rows_AreCounted"})


class AffectedSources(unittest.TestCase):
    def source(self, path: str, *headers: str) -> tidy.Source:
        return tidy.Source(path, {}, "", headers=frozenset(headers))

    def test_are_the_changed_ones_and_one_for_each_header_that_they_do_not_include(self):
        a = self.source("core/a.cpp", "core/a.h")
        b = self.source("core/b.cpp", "core/a.h", "core/b.h")
        c = self.source("core/c.cpp", "core/a.h", "core/b.h", "core/c.h")
        test = self.source("tests/core/b_test.cpp", "core/b.h")
        affected = lambda *changed: [source.path for source in tidy.affected_by(set(changed), [test, c, b, a])]
        self.assertEqual(affected("core/a.cpp", "README.md"), ["core/a.cpp"])
        self.assertEqual(affected("core/a.cpp", "core/a.h"), ["core/a.cpp"])
        self.assertEqual(affected("core/b.h"), ["core/b.cpp"])
        self.assertEqual(affected("core/c.h", "tests/core/b_test.cpp"), ["tests/core/b_test.cpp", "core/c.cpp"])


class Batches(unittest.TestCase):
    def setUp(self):
        self.assertTrue(shutil.which("clang-tidy"), "`make setup` installs clang-tidy")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        tidy.ROOT = pathlib.Path(folder.name)
        tidy.CACHE = tidy.ROOT / "cache"
        tidy.CACHE.mkdir()
        (tidy.ROOT / "core").mkdir()
        (tidy.ROOT / ".clang-tidy").write_text("Checks: '-*,modernize-use-nullptr'\nWarningsAsErrors: '*'\n")

    def source(self, name: str, text: str) -> tidy.Source:
        path = tidy.ROOT / "core" / name
        path.write_text(text)
        entry = {
            "directory": str(tidy.ROOT),
            "file": str(path),
            "command": f"/usr/bin/c++ -std=c++20 -o {name}.o -c {path}",
        }
        return tidy.Source(f"core/{name}", entry, f"key of {name}", tidy.own_names(text))

    def check(self, *sources: tidy.Source) -> str:
        return tidy.check(0, list(sources), tidy.ROOT / "build/tidy")

    def known_as_clean(self) -> set[str]:
        return {path.name for path in tidy.CACHE.iterdir()}

    def test_name_the_file_of_a_finding_and_remember_the_others(self):
        findings = self.check(self.source("a.cpp", CLEAN), self.source("b.cpp", FAULTY))
        self.assertIn("core/b.cpp:2:10: error: use nullptr", findings)
        self.assertEqual(self.known_as_clean(), {"key of a.cpp"})

    def test_are_clean_when_all_of_their_files_are(self):
        self.assertEqual(self.check(self.source("a.cpp", CLEAN), self.source("d.cpp", "int d();\n")), "")
        self.assertEqual(self.known_as_clean(), {"key of a.cpp", "key of d.cpp"})

    def test_are_not_forgotten_when_the_finding_is_in_a_header(self):
        (tidy.ROOT / "core/e.h").write_text("inline int* e() {\n  return 0;\n}\n")
        e = self.source("e.cpp", f'#include "{tidy.ROOT}/core/e.h"\n')
        self.assertIn("core/e.h:2:10: error: use nullptr", self.check(self.source("a.cpp", CLEAN), e))
        self.assertEqual(self.known_as_clean(), set())

    def test_come_apart_where_files_do_not_go_together(self):
        findings = self.check(self.source("a.cpp", CLEAN), self.source("c.cpp", COLLIDING))
        self.assertIn("core/c.cpp:7:24: error: use nullptr", findings)
        self.assertEqual(self.known_as_clean(), {"key of a.cpp"})

    def test_are_made_of_files_without_common_names_and_with_the_same_flags(self):
        a, b, c = self.source("a.cpp", CLEAN), self.source("b.cpp", FAULTY), self.source("c.cpp", COLLIDING)
        self.assertEqual(tidy.batches([a, b, c]), [[a, b], [c]])
        b.entry["command"] = b.entry["command"].replace("c++20", "c++17")
        self.assertEqual(tidy.batches([a, b]), [[a], [b]])


if __name__ == "__main__":
    unittest.main()
