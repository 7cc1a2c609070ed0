#include <array>
#include <cstdio>
#include <memory>

#include "tests/core/report/exporters/plugin_test_support.h"
#include "tests/support/temp_dir.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

/// The rows of all sheets as `sheet|cell|cell…`, read with Python's zip and XML modules.
constexpr std::string_view kReader = R"(
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
            cells.append(shared[int(value.text)] if cell.get('t') == 's' else inline or value.text)
        print(title, *cells, sep='|')
)";

std::string readBook(const std::string& content) {
  const test::TempDir dir;
  const auto book = dir.write("book.xlsx", content);
  const auto script = dir.write("read.py", kReader);
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

TEST(XlsxExporter, WritesSummaryTensorsRunsAndProvenance) {
  Report report = test::sampleReport(2, {"bf16"});
  report.runs[1].comparisons[0].metrics = {0.25, 0.5, std::nan(""), INFINITY, 1};
  const std::string book = readBook(test::exported("xlsx", report));
  EXPECT_THAT(book, HasSubstr("Summary|metric and variant|forward embeddings|forward mid median"));
  EXPECT_THAT(book, HasSubstr("Summary|RMS diff\n"));
  EXPECT_THAT(book, HasSubstr("Summary|bf16|0.25|"));
  EXPECT_THAT(book, HasSubstr("Tensors|run|tensor|module|layer|level|pass|shape|"));
  EXPECT_THAT(book,
              HasSubstr("Tensors|bf16|embeddings|model.embed_tokens|-1|layer|forward|1×8×4|float32|"
                        "bfloat16|32|32|0.25|0.5|+Inf|1|0|0|0|0|0|0\n"));
  EXPECT_THAT(book,
              HasSubstr("Runs|bf16|finished|2.5|1.25|1048576|precision.compute_dtype: bfloat16"));
  EXPECT_THAT(book, HasSubstr("Provenance|weights digest|sha256:aa"));
}

TEST(XlsxExporter, FreezesHeadersAndFiltersTensors) {
  const std::string book = readBook(test::exported("xlsx", test::sampleReport(2, {"bf16"})));
  for (const char* sheet : {"Summary", "Tensors", "Runs", "Provenance"}) {
    EXPECT_THAT(book, HasSubstr(std::string(sheet) + "|frozen|1"));
  }
  EXPECT_THAT(book, HasSubstr("Tensors|filter|A1:V11"));
}

TEST(XlsxExporter, WritesManyRowsThroughToDisk) {
  Report report = test::sampleReport(1, {"bf16"});
  std::vector<Comparison>& rows = report.runs[1].comparisons;
  rows.resize(5'100, rows.front());
  rows.back().site.name = "the last & <only> one";
  const std::string book = readBook(test::exported("xlsx", report));
  EXPECT_THAT(book, HasSubstr("Tensors|bf16|the last & <only> one|"));
  EXPECT_THAT(book, HasSubstr("Summary|bf16|"));
}

TEST(XlsxExporter, HonoursTheSelection) {
  const std::string book = readBook(test::exported("xlsx",
                                                   test::sampleReport(2, {"kept", "dropped"}),
                                                   {{Pass::Backward}, {"cosine"}, {"kept"}}));
  EXPECT_THAT(book, testing::Not(HasSubstr("dropped")));
  EXPECT_THAT(book, testing::Not(HasSubstr("forward")));
}

}  // namespace
}  // namespace ulp::report
