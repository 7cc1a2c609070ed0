#pragma once

#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "tests/support/machine/temp_dir.h"

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

/// One sheet as CSV. "values": as openpyxl reads them, behind a column `__fill` with the colour of
/// the row's first cell, RRGGBB. "kinds": what each cell is (text, number, flag; empty), and its
/// colour. "looks": the widths of the columns in characters, then the number format of each cell,
/// and whether it is bold. The worksheets stand in the order of the workbook, as all writers that
/// we know number them.
inline constexpr std::string_view kXlsxSheetReader = R"(
import csv, re, sys, zipfile
import xml.etree.ElementTree as tree
book = zipfile.ZipFile(sys.argv[1])
part = lambda path: tree.fromstring(book.read(path))
name = lambda tag: '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}' + tag
text = lambda item: ''.join(piece.text or '' for piece in item.iter(name('t')))
shared = [text(item) for item in part('xl/sharedStrings.xml')] if 'xl/sharedStrings.xml' in book.namelist() else []
styles = part('xl/styles.xml')
fills = []
for fill in styles.find(name('fills')):
    pattern = fill.find(name('patternFill'))
    solid = pattern is not None and pattern.get('patternType') == 'solid'
    fills.append(pattern.find(name('fgColor')).get('rgb')[-6:] if solid else '')
formats = [fills[int(each.get('fillId', 0))] for each in styles.find(name('cellXfs'))]
codes = {each.get('numFmtId'): each.get('formatCode') for each in styles.iter(name('numFmt'))}
fonts = ['bold' if font.find(name('b')) is not None else '' for font in styles.find(name('fonts'))]
looks = [f"{codes.get(each.get('numFmtId'), '')} {fonts[int(each.get('fontId', 0))]}".strip()
         for each in styles.find(name('cellXfs'))]
def column(reference):
    number = 0
    for letter in re.match('[A-Z]+', reference).group():
        number = number * 26 + ord(letter) - 64
    return number - 1
def content(cell):
    kind, value = cell.get('t', 'n'), cell.find(name('v'))
    if kind == 'inlineStr':
        return 'text', text(cell)
    if value is None:
        return '', ''
    if kind == 's':
        return 'text', shared[int(value.text)]
    if kind == 'b':
        return 'flag', value.text == '1'
    if kind != 'n':
        return 'text', value.text
    return 'number', float(value.text) if re.search('[.eE]', value.text) else int(value.text)
sheets = [sheet.get('name') for sheet in part('xl/workbook.xml').iter(name('sheet'))]
sheet = part(f'xl/worksheets/sheet{sheets.index(sys.argv[2]) + 1}.xml')
rows = list(sheet.iter(name('row')))
width = max(column(cell.get('r')) + 1 for row in rows for cell in row)
sys.stdout.reconfigure(encoding='utf-8', newline='')
out = csv.writer(sys.stdout)
if sys.argv[3] == 'looks':
    # A width is stored with the margin of the usual font.
    out.writerow(f"{float(each.get('width')) - 0.7109375:g}" for each in sheet.iter(name('col')))
for place, row in enumerate(rows):
    values, kinds, colours, shown = [''] * width, [''] * width, [''] * width, [''] * width
    for cell in row:
        at = column(cell.get('r'))
        kind, values[at] = content(cell)
        kinds[at] = '' if values[at] == '' else kind
        colours[at] = formats[int(cell.get('s', 0))]
        shown[at] = looks[int(cell.get('s', 0))]
    if sys.argv[3] == 'values':
        out.writerow(['__fill' if place == 0 else colours[0]] + values)
    elif sys.argv[3] == 'looks':
        out.writerow(shown)
    else:
        out.writerow([f'{kind} {colour}'.strip() for kind, colour in zip(kinds, colours)])
)";

/// What a script prints of a workbook. Needs ULP_PYTHON.
inline std::string printedOfBook(std::string_view program,
                                 const std::string& content,
                                 const std::string& arguments) {
  const TempDir dir;
  const auto book = dir.write("book.xlsx", content);
  const auto script = dir.write("read.py", program);
  const std::string command = std::string(ULP_PYTHON) + " " + script.string() + " " +
                              book.string() + " " + arguments + " 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) {
    out.append(buffer.data(), n);
  }
  return out;
}

/// kXlsxReader.
inline std::string readBook(const std::string& content) {
  return printedOfBook(kXlsxReader, content, "");
}

/// kXlsxSheetReader: the values of a sheet, by its name.
inline std::string readSheetValues(const std::string& content, const std::string& sheet) {
  return printedOfBook(kXlsxSheetReader, content, "'" + sheet + "' values");
}
/// kXlsxSheetReader: what the cells of a sheet are.
inline std::string readSheetKinds(const std::string& content, const std::string& sheet) {
  return printedOfBook(kXlsxSheetReader, content, "'" + sheet + "' kinds");
}
/// kXlsxSheetReader: how the columns and cells of a sheet look.
inline std::string readSheetLooks(const std::string& content, const std::string& sheet) {
  return printedOfBook(kXlsxSheetReader, content, "'" + sheet + "' looks");
}

}  // namespace ulp::test
