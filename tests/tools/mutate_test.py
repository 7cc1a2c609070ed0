"""Which changes tools/mutate.py makes, and which tests it runs for them."""
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import mutate


def changed(code: str) -> set[str]:
    return {mutate.apply(code, change) for change in mutate.changes_of(code)}


class Changes(unittest.TestCase):
    def test_changes_operators_with_two_sides(self):
        self.assertEqual(changed("a < b"), {"a <= b", "a > b"})
        self.assertEqual(changed("a && !b"), {"a || !b", "a && b"})
        self.assertEqual(changed("i += n"), {"i -= n"})

    def test_changes_numbers_by_one_either_way(self):
        self.assertEqual(changed("f(7U)"), {"f(8U)", "f(6U)"})
        self.assertEqual(changed("f(0)"), {"f(1)"})

    def test_leaves_parts_of_names_fractions_and_other_bases(self):
        self.assertEqual(changed("f(x2, 0x10, 1.5, 1'000, 1e-9, 0x1p-14)"), set())

    def test_leaves_types_and_pointers(self):
        self.assertEqual(changed("std::vector<int>& f(const T* x);"), set())

    def test_leaves_texts_comments_and_the_preprocessor(self):
        self.assertEqual(changed('#if A == 1\n// b == 1\nf("c == 1", \'1\', R"(d == 1)"); /* e\n == 1 */'), set())


class Sources(unittest.TestCase):
    def test_are_those_that_a_build_compiles_also_in_groups(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            (build / "unity_0_cxx.cxx").write_text('#include "/core/a.cpp"\n#include "/core/b.cpp"\n')
            (build / "compile_commands.json").write_text(
                json.dumps([{"file": str(build / "unity_0_cxx.cxx")}, {"file": "/core/c.cpp"}]))
            self.assertLessEqual({pathlib.Path(f"/core/{name}.cpp") for name in "abc"}, mutate.compiled_in(build))


class Neighbours(unittest.TestCase):
    def test_finds_the_nearest_folder_with_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tests/core/report/files").mkdir(parents=True)
            (root / "tests/core/report/json_test.cpp").write_text("TEST(Json, Reads) {}\nTEST_P( Rows, Sorts) {}")
            beside = mutate.tests_next_to(pathlib.PurePath("core/report/files/part.cpp"), root)
            self.assertEqual(beside, root / "tests/core/report")
            self.assertEqual(mutate.suites_of(beside.rglob("*_test.cpp")), {"Json", "Rows"})
            self.assertIsNone(mutate.tests_next_to(pathlib.PurePath("app/cli/part.cpp"), root))

    def test_takes_a_sources_own_test_before_those_of_its_folder(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "json_test.cpp").write_text("TEST(Json, Reads) {}\nTEST(Shared, Holds) {}")
            (folder / "rows_test.cpp").write_text("TEST(Rows, Sorts) {}\nTEST(Shared, Sorts) {}")
            self.assertEqual(mutate.steps_to(pathlib.Path("core/report/json.cpp"), folder), ({"Json", "Shared"}, {"Rows"}))
            self.assertEqual(mutate.steps_to(pathlib.Path("core/report/page.cpp"), folder), ({"Json", "Shared", "Rows"},))


if __name__ == "__main__":
    unittest.main()
