"""tools/check_throwing.py names calls that throw for what others' files are like, and no others."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_throwing.py"


class CheckThrowing(unittest.TestCase):
    def complaints(self, text: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "core/base/a.cpp")
            path.parent.mkdir(parents=True)
            path.write_text(text)
            result = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)
        lines = result.stdout.splitlines()
        self.assertEqual(result.returncode, int(bool(lines)), result.stderr)
        return lines

    def test_names_functions_without_an_error_code(self):
        for call in ("fs::exists(f(a, b))", "std::filesystem::absolute(\n    path)", "fs::current_path()",
                     "fs::rename(from, to)", "fs::directory_iterator it(folder)"):
            self.assertEqual(len(self.complaints(f"int a;\nauto x = {call};\n")), 1, call)
        self.assertEqual(
            self.complaints("int a;\nauto x = fs::exists(a);\n"),
            ["core/base/a.cpp:2: exists() throws; give it a std::error_code"],
        )

    def test_accepts_error_codes_statuses_and_ends(self):
        self.assertEqual(self.complaints(
            "std::error_code odd;\n"
            "bool a = fs::exists(f(a, b), odd) && fs::exists(fs::symlink_status(a, odd));\n"
            "fs::file_status its = fs::status(a, odd);\n"
            "bool b = fs::is_symlink(its);\n"
            "for (fs::directory_iterator it(folder, odd), end; !odd && it != end; it.increment(odd)) {}\n"
            "bool c = it != fs::directory_iterator();\n"
            "void f(const fs::directory_entry& entry);\n"
            "// fs::exists(a)\n"
        ), [])

    def test_names_loops_over_folders_though_their_begin_has_an_error_code(self):
        found = self.complaints("std::error_code odd;\nfor (const auto& e : fs::directory_iterator(folder, odd)) {}\n")
        self.assertEqual(len(found), 1)
        self.assertIn("increment()", found[0])

    def test_names_questions_to_an_entry(self):
        self.assertEqual(len(self.complaints("if (entry->is_regular_file()) {}\n")), 1)
        self.assertEqual(self.complaints("if (entry->is_regular_file(odd)) {}\n"), [])

    def test_names_numbers_that_throw(self):
        self.assertEqual(len(self.complaints("int a = std::stoi(text);\n")), 1)


if __name__ == "__main__":
    unittest.main()
