#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/files/report_json.h"
#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

Report ofDumps() {
  Report report = test::sampleReport(1, {"step 0, rank 1"});
  report.dumps = DumpOrigin{.baseline = {.path = "/dumps/golden", .units = {.step = 0}},
                            .candidate = {.path = "/dumps/run", .units = {.run = "bf16"}},
                            .mapping = "rules:\n- {match: a, replace: b}\n",
                            .readsElements = false};
  report.runs[1].axes = UnitAxes{.step = 0, .rank = 1};
  return report;
}

TEST(DumpOriginJson, SaysWhatWasComparedAndWhichUnitARunIs) {
  const auto json = nlohmann::ordered_json::parse(toJson(ofDumps()));
  EXPECT_EQ(json.at("dumps").dump(),
            R"({"baseline":{"path":"/dumps/golden","step":0},)"
            R"("candidate":{"path":"/dumps/run","run":"bf16"},)"
            R"("mapping":"rules:\n- {match: a, replace: b}\n","compared":"recorded"})");
  EXPECT_EQ(json.at("runs").at("step 0, rank 1").at("axes").dump(), R"({"step":0,"rank":1})");
  EXPECT_FALSE(json.at("runs").at("reference").contains("axes"));
}

TEST(DumpOriginJson, ComesBackAsItWasWritten) {
  const Report report = ofDumps();
  const auto back = parseReport(toJson(report), "here");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->dumps, report.dumps);
  EXPECT_EQ(back->runs[1].axes, report.runs[1].axes);
  EXPECT_EQ(back->runs[0].axes, std::nullopt);
  EXPECT_EQ(back->extraJson, report.extraJson) << "nothing is left over";
}

TEST(DumpOriginJson, IsAbsentFromTheReportOfAStudy) {
  const Report report = test::sampleReport(1, {"bf16"});
  EXPECT_THAT(toJson(report), testing::Not(testing::HasSubstr("\"dumps\"")));
  const auto back = parseReport(toJson(report), "here");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(back->dumps, std::nullopt);
}

TEST(DumpOriginJson, NamesThePlaceOfAValueThatCannotBe) {
  std::string text = toJson(ofDumps());
  const std::string good = R"("axes":{"step":0)";
  const std::size_t at = text.find(good);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, good.size(), R"("axes":{"step":"zero")");
  const auto back = parseReport(text, "report.json");
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(back.error().message(), testing::HasSubstr("step"));
}

TEST(DumpOriginJson, ALossOfNaNThatEarlierVersionsWroteForDumpsIsNone) {
  Report report = test::sampleReport(2, {"step 0", "step 1"});
  report.runs[0].loss = std::numeric_limits<double>::quiet_NaN();
  report.runs[1].loss = std::numeric_limits<double>::quiet_NaN();
  const auto ofStudy = parseReport(toJson(report), "r.json");
  ASSERT_TRUE(ofStudy.has_value()) << ofStudy.error().message();
  EXPECT_TRUE(ofStudy->runs[1].hasLoss) << "that run broke";
  report.dumps =
      DumpOrigin{.baseline = {.path = "/dumps/golden"}, .candidate = {.path = "/dumps/run"}};
  const auto ofDumps = parseReport(toJson(report), "r.json");
  ASSERT_TRUE(ofDumps.has_value()) << ofDumps.error().message();
  EXPECT_FALSE(ofDumps->runs[0].hasLoss);
  EXPECT_FALSE(ofDumps->runs[1].hasLoss);
  EXPECT_TRUE(ofDumps->runs[2].hasLoss) << "somebody took it";
  EXPECT_EQ(ofDumps->runs[2].loss, report.runs[2].loss);
}

}  // namespace
}  // namespace ulp::report
