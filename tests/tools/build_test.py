"""The line that says how far a build is, and what a build's log tells."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import build
import build_costs as costs
import includes


class Forecast(unittest.TestCase):
    def test_weighs_steps_by_what_they_took_before(self):
        forecast = build.Forecast(["Building CXX object a.o", "Building CXX object b.o"], {}, {"a.o": 30.0, "b.o": 10.0})
        self.assertEqual(forecast.done_share(), 0.0)
        forecast.finish("Building CXX object a.o")
        self.assertAlmostEqual(forecast.done_share(), 0.75)
        self.assertAlmostEqual(forecast.seconds_left(60.0), 20.0)

    def test_weighs_new_steps_by_what_they_compile(self):
        forecast = build.Forecast(["Building CXX object a.o", "Linking CXX executable b"], {"a.o": 6.0}, {})
        forecast.finish("Building CXX object a.o")
        self.assertAlmostEqual(forecast.done_share(), 6.0 / (6.0 + build.LINK_SECONDS))

    def test_says_nothing_of_the_time_before_anything_is_done(self):
        self.assertIsNone(build.Forecast(["Building CXX object a.o"], {}, {}).seconds_left(5.0))
        self.assertEqual(build.time_left(None), "")
        self.assertEqual(build.time_left(42.4), ", 42 s left")
        self.assertEqual(build.time_left(600), ", 10 min left")


class StepsToDo(unittest.TestCase):
    def test_are_those_behind_a_build_file_that_may_have_to_be_made_again(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "a.cpp").write_text("")
            (folder / "build.ninja").write_text(
                "rule regenerate\n  command = false\n  generator = 1\n"
                "rule compile\n  command = false\n  description = Building $out\n"
                "build always: phony\nbuild check: regenerate always\nbuild build.ninja: regenerate check\n"
                "build a.o: compile a.cpp\ndefault a.o\n"
            )
            self.assertEqual(build.steps_to_do(folder, []), ["Building a.o"])


class Guess(unittest.TestCase):
    def test_does_not_take_data_for_code(self):
        self.assertAlmostEqual(build.compile_seconds(8_000), 4.0)
        self.assertEqual(build.compile_seconds(2_400_000), build.COMPILE_SECONDS)


class UnityGroup(unittest.TestCase):
    def test_is_as_large_as_the_files_that_it_joins(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "a.cpp").write_text("x" * 100)
            (folder / "b.cpp").write_text("x" * 23)
            (folder / "unity_0_cxx.cxx").write_text(f'#include "{folder}/a.cpp"\n#include "{folder}/b.cpp"\n')
            self.assertEqual(build.size_of(folder / "unity_0_cxx.cxx"), 123)
            self.assertEqual(build.size_of(folder / "a.cpp"), 100)
            self.assertEqual(build.size_of(folder / "gone.cpp"), 0)


class Costs(unittest.TestCase):
    def test_counts_a_step_once_and_sums_by_target(self):
        with tempfile.TemporaryDirectory() as name:
            log = pathlib.Path(name) / ".ninja_log"
            log.write_text(
                "# ninja log v5\n"
                "0\t9000\t1\tcore/CMakeFiles/ulp_a.dir/x.cpp.o\tff\n"
                "0\t4000\t2\tcore/CMakeFiles/ulp_a.dir/x.cpp.o\tff\n"
                "0\t2500\t3\tcore/CMakeFiles/ulp_a.dir/y.cpp.o\tee\n"
                "0\t1000\t4\tbin/p\tdd\n"
                "0\t1000\t4\tbin/p.debug\tdd\n"
            )
            seconds = costs.steps(pathlib.Path(name))
        self.assertEqual(sum(seconds.values()), 7.5)
        self.assertEqual(costs.by_target(seconds), {"ulp_a": (2, 6.5), "links, generated files": (1, 1.0)})


class Includes(unittest.TestCase):
    def test_compile_without_precompiled_headers(self):
        command = "/usr/bin/cmake -E env A=1 /usr/bin/ccache /usr/bin/c++ -DX -Winvalid-pch -include /b/cmake_pch.hxx -o a.o -c a.cpp"
        self.assertEqual(includes.options_of(command), "/usr/bin/c++ -DX")

    def test_a_header_is_compiled_as_the_source_of_its_name_is(self):
        known = {"core/a/x.cpp": ("x", ""), "core/a/y.cpp": ("y", ""), "views/a/x.cpp": ("q", "")}
        self.assertEqual(includes.header_like("core/a/y.h", known)[0], "y")
        self.assertEqual(includes.header_like("views/a/only.h", known)[0], "q")

    def test_a_missing_include_is_named(self):
        with tempfile.TemporaryDirectory() as name:
            source = pathlib.Path(name) / "alone.cpp"
            source.write_text("std::string text;\n")
            path, complaint = includes.compiles(str(source), "c++ -std=c++20", name)
            self.assertIn("std", complaint)
            source.write_text("#include <string>\nstd::string text;\n")
            self.assertEqual(includes.compiles(str(source), "c++ -std=c++20", name), (str(source), ""))

    def test_a_build_of_whole_folders_is_refused(self):
        with tempfile.TemporaryDirectory() as name:
            (pathlib.Path(name) / "compile_commands.json").write_text("[]")
            with self.assertRaisesRegex(SystemExit, "preset dev"), contextlib.redirect_stdout(io.StringIO()):
                includes.main(pathlib.Path(name), includes.FOLDERS, None)


if __name__ == "__main__":
    unittest.main()
