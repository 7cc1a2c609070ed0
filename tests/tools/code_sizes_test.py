"""What counts as a line of code, and as a public method."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import code_sizes

HEADER = """#pragma once

/// A chart.
class Chart : public Widget {
  Q_OBJECT

 public:
  Chart();  // empty
  void show(int row) { m_row = row; paint(); }
  friend bool operator==(const Chart&, const Chart&);

 Q_SIGNALS:
  void shown();

 private:
  void paint();
  int m_row = 0;
};
"""


class CodeSizes(unittest.TestCase):
    def test_counts_neither_comments_nor_blank_lines(self):
        self.assertEqual(code_sizes.lines_of("int a;\n\n// b\n  /// c\n/* d\n e */\nint f;  // g\n"), 2)

    def test_tells_public_methods_from_signals_and_private_ones(self):
        code = code_sizes.code_of(HEADER)
        found = code_sizes.CLASS.search(code)
        self.assertEqual(found.group(2), "Chart")
        self.assertEqual(code_sizes.methods_of(code, found.end(), False), (2, 4))

    def test_lists_rooms_the_largest_folder_and_classes(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "views/charts/depth"
            folder.mkdir(parents=True)
            (folder / "chart.h").write_text(HEADER)
            (folder / "chart.cpp").write_text("int a;\n")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                code_sizes.main(pathlib.Path(name))
        self.assertIn("    14     2  views/charts\n", printed.getvalue())
        self.assertIn("2 files in views/charts/depth", printed.getvalue())
        self.assertIn("2 public methods of 4: Chart (views/charts/depth/chart.h)", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
