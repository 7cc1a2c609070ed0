#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "tests/support/temp_dir.h"

namespace ulp::test {

/// The rows of all sheets as `sheet|cell|cell…`, read with Python's zip and XML modules.
inline constexpr std::string_view kXlsxReader = R"(
import re, sys, zipfile
import xml.etree.ElementTree as tree
book = zipfile.ZipFile(sys.argv[1])
name = lambda tag: '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}' + tag
shared = []
if 'xl/sharedStrings.xml' in book.namelist():
    for item in tree.fromstring(book.read('xl/sharedStrings.xml')):
        shared.append(''.join(text.text or '' for text in item.iter(name('t'))))
sheets = [sheet.get('name') for sheet in tree.fromstring(book.read('xl/workbook.xml')).iter(name('sheet'))]
for i, title in enumerate(sheets):
    sheet = tree.fromstring(book.read(f'xl/worksheets/sheet{i + 1}.xml'))
    for pane in sheet.iter(name('pane')):
        print(title, 'frozen', pane.get('ySplit'), sep='|')
    for area in sheet.iter(name('autoFilter')):
        print(title, 'filter', area.get('ref'), sep='|')
    for row in sheet.iter(name('row')):
        cells = []
        for cell in row:
            value = cell.find(name('v'))
            inline = ''.join(text.text or '' for text in cell.iter(name('t')))
            cells.append(shared[int(value.text)] if cell.get('t') == 's' else inline or '' if value is None else value.text)
        print(title, *cells, sep='|')
)";

/// Needs ULP_PYTHON.
inline std::string readBook(const std::string& content) {
  const TempDir dir;
  const auto book = dir.write("book.xlsx", content);
  const auto script = dir.write("read.py", kXlsxReader);
  const std::string command =
      std::string(ULP_PYTHON) + " " + script.string() + " " + book.string() + " 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) {
    out.append(buffer.data(), n);
  }
  return out;
}

}  // namespace ulp::test
