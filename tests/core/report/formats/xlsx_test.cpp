#include "tests/core/report/formats/plugin_test_support.h"
#include "tests/core/report/xlsx_reader.h"

namespace ulp::report {
namespace {

using test::readBook;
using testing::HasSubstr;

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

TEST(XlsxExporter, NaNIsAWordAndWhatIsUndefinedIsEmpty) {
  Report report = test::sampleReport(2, {"fp16"});
  Comparison& row = report.runs[1].comparisons[0];
  test::fillWithNan(row);
  report.runs[1].comparisons[1].metrics[1] = std::nan("");
  report.runs[1].loss = std::nan("");
  const std::string book = readBook(test::exported("xlsx", report));
  EXPECT_THAT(book,
              HasSubstr("Tensors|fp16|embeddings|model.embed_tokens|-1|layer|forward|1×8×4|float32|"
                        "bfloat16|32|0|NaN|NaN|NaN|NaN|NaN|0|0|0|30|1|1\n"));
  EXPECT_THAT(book, HasSubstr("|bfloat16|32|32|0.004|0.998|0.02|0.198|0|")) << "no norm, no ratio";
  EXPECT_THAT(book, HasSubstr("Summary|fp16|NaN|"));
  EXPECT_THAT(book, HasSubstr("Runs|fp16|finished|NaN|1.25|"));
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

TEST(XlsxExporter, ANameThatNoCellHoldsIsShortened) {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].comparisons.front().site.name = std::string(8192, '\x01');
  const std::string book = readBook(test::exported("xlsx", report));
  EXPECT_THAT(book, HasSubstr("\\x0…x01"));
}

TEST(XlsxExporter, HonoursTheSelection) {
  const std::string book = readBook(test::exported("xlsx",
                                                   test::sampleReport(2, {"kept", "dropped"}),
                                                   {{Pass::Backward}, {"cosine"}, {"kept"}}));
  EXPECT_THAT(book, testing::Not(HasSubstr("dropped")));
  EXPECT_THAT(book, testing::Not(HasSubstr("forward")));
}

TEST(XlsxExporter, ARunSaysWhatIsKnownOfIt) {
  Report report = test::sampleReport(1, {"bf16", "none"});
  report.runs[1].hasLoss = false;
  report.runs[1].peakBytes = 0;
  report.runs[2].hasLoss = false;
  report.runs[2].seconds = 0;
  report.runs[2].peakBytes = 5;
  report.runs[2].status = RunStatus::Failed;
  report.runs[2].error = "no memory";
  report.model.parameters = 0;
  report.provenance.threads = 3;
  const std::string book = readBook(test::exported("xlsx", report));
  EXPECT_THAT(book, HasSubstr("Runs|bf16|finished|1.25|precision"));
  EXPECT_THAT(book, HasSubstr("Runs|none|failed|5|"));
  EXPECT_THAT(book, HasSubstr("|no memory\n"));
  EXPECT_THAT(book, HasSubstr("Provenance|threads|3\n"));
  EXPECT_THAT(book, HasSubstr("Provenance|parameters\n"));
  const std::string looks = test::readSheetLooks(test::exported("xlsx", report), "Runs");
  EXPECT_EQ(looks.substr(0, looks.find('\r')), "34,13,13,13,13,34,34");
}

TEST(XlsxExporter, SummaryHasIntervalsAndTheNoiseFloor) {
  Report report = test::sampleReport(2, {"a", "floor.repeat"});
  report.runs[2].role = RunRole::Floor;
  for (Comparison& row : report.runs[1].comparisons) {
    row.spread.assign(row.metrics.size(), {.sd = 0.01, .minimum = 0, .maximum = 1});
  }
  report.runs[1].samples = 3;
  const std::string book = readBook(test::exported("xlsx", report));
  EXPECT_THAT(book, HasSubstr("Summary|a ±|0.0248"));
  EXPECT_THAT(book, HasSubstr("Summary|noise floor: floor.repeat (the same again)|"));
  EXPECT_THAT(book, testing::Not(HasSubstr("again) ±")));
}

}  // namespace
}  // namespace ulp::report
