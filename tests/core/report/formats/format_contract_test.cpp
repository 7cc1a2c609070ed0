#include <algorithm>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/report/formats/format.h"
#include "tests/core/report/formats/printed_format.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {

namespace {

/// What every exporter of the build must do; a new plug-in is checked without an edit here.
class ExporterContract : public testing::TestWithParam<Format> {
 protected:
  static std::string written(const Report& report, const ExportOptions& options = {}) {
    auto text = GetParam().writeReport(report, options);
    EXPECT_TRUE(text.has_value()) << text.error().message();
    return text.value_or("");
  }
  /// Of every variant: in one file, or where the format holds one run in a file each.
  static std::string writtenOfAll(const Report& whole) {
    if (!GetParam().ofOneRun) {
      return written(whole);
    }
    std::string text;
    for (const report::Run& run : whole.runs) {
      if (run.name != whole.reference) {
        text += written(whole, {{}, {}, {run.name}});
      }
    }
    return text;
  }
  /// Binary formats are looked into by their own tests.
  static bool isText() { return !GetParam().binary; }
};

TEST_P(ExporterContract, HasIdTitleAndExtension) {
  EXPECT_FALSE(GetParam().id.empty());
  EXPECT_FALSE(GetParam().title.empty());
  EXPECT_TRUE(GetParam().extension.starts_with("."));
  EXPECT_EQ(findReportFormat(GetParam().id)->title, GetParam().title);
}

TEST_P(ExporterContract, WritesAnEmptyReport) {
  EXPECT_FALSE(written({}).empty());
}

TEST_P(ExporterContract, WritesAReferenceAlone) {
  EXPECT_FALSE(written(test::sampleReport(2, {})).empty());
}

TEST_P(ExporterContract, WritesEveryVariantAndTensor) {
  const std::string text = writtenOfAll(test::sampleReport(3, {"first_one", "second_one"}));
  if (isText()) {
    EXPECT_THAT(text, testing::ContainsRegex("first.*one"));
    EXPECT_THAT(text, testing::ContainsRegex("second.*one"));
    EXPECT_THAT(text, testing::HasSubstr("decoder.2"));
  }
}

TEST_P(ExporterContract, WritesAReportFullOfNan) {
  Report report = test::sampleReport(2, {"broken"});
  for (Comparison& row : report.runs[1].comparisons) {
    test::fillWithNan(row);
  }
  report.runs[1].loss = std::nan("");
  const std::string text = written(report);
  if (isText()) {
    EXPECT_THAT(text, testing::HasSubstr("NaN"));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("nan(")));
  }
}

TEST_P(ExporterContract, WritesARunThatFailed) {
  Report report = test::sampleReport(2, {"broken"});
  report.runs[1].status = RunStatus::Failed;
  report.runs[1].error = "device ran out of memory";
  report.runs[1].comparisons.clear();
  EXPECT_FALSE(written(report).empty());
}

TEST_P(ExporterContract, LeavesOutRunsPassesAndMetricsThatWereNotAskedFor) {
  const std::string text = written(test::sampleReport(2, {"kept", "dropped"}),
                                   {{Pass::Backward}, {"ulp.mean"}, {"kept"}});
  if (isText()) {
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("dropped")));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("embeddings\",")));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("cosine")));
  }
}

TEST_P(ExporterContract, RefusesUnknownMetricsAndRuns) {
  const Report report = test::sampleReport(2, {"a"});
  for (const ExportOptions& options :
       {ExportOptions{{}, {"nonsense"}, {}}, ExportOptions{{}, {}, {"nonsense"}}}) {
    const auto text = GetParam().writeReport(report, options);
    ASSERT_FALSE(text.has_value());
    EXPECT_EQ(text.error().code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(text.error().message(), testing::HasSubstr("nonsense"));
    EXPECT_THAT(text.error().message(), testing::HasSubstr("the report holds"));
  }
}

TEST_P(ExporterContract, LeavesOutTensorsOrRefusesTo) {
  const ExportOptions options{{}, {}, {}, true};
  const auto text = GetParam().writeReport(test::sampleReport(3, {"a"}), options);
  EXPECT_EQ(text.has_value(), GetParam().isForReading());
  if (text) {
    EXPECT_THAT(*text, testing::Not(testing::HasSubstr("decoder.2")));
  } else {
    EXPECT_EQ(text.error().code(), ErrorCode::InvalidArgument);
  }
}

TEST_P(ExporterContract, AsksWhichRunWhereItHoldsOne) {
  const auto text = GetParam().writeReport(test::sampleReport(1, {"a", "b"}), {});
  EXPECT_EQ(text.has_value(), !GetParam().ofOneRun);
  if (!text) {
    EXPECT_EQ(text.error().code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(text.error().message(), testing::HasSubstr("a, b"));
  }
}

TEST_P(ExporterContract, SurvivesSpecialCharacters) {
  Report report = test::sampleReport(1, {"a|b,\"c\"&<d>_%$#{}~^\\é"});
  report.model.name = "<script>alert(1)</script>";
  EXPECT_FALSE(written(report).empty());
}

TEST_P(ExporterContract, WritesTheSameTwice) {
  if (isText()) {
    const Report report = test::sampleReport(2, {"a"});
    EXPECT_EQ(written(report), written(report));
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         ExporterContract,
                         testing::ValuesIn(reportFormats()),
                         [](const auto& test) {
                           std::string name = test.param.id;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Exporters, HoldTheFormatsOfTheManual) {
  for (const char* id :
       {"text", "csv", "xlsx", "md", "latex", "html", "json", "netron", "model-explorer"}) {
    EXPECT_TRUE(findReportFormat(id).has_value()) << id;
  }
  const auto none = findReportFormat("none");
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().message(),
            "a report cannot be written as 'none'; choose csv, html, json, latex, md, "
            "model-explorer, netron, text, xlsx");
}

}  // namespace
}  // namespace ulp::report
