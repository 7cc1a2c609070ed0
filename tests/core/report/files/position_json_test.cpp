#include "core/report/files/position_json.h"

#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/data/position_report.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

Report withPositions() {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].positions = {
      .prompt = 3,
      .first = 2,
      .rows = {{.name = "decoder.0",
                .layer = 0,
                .errors = {{.tokens = {.tokens = 1, .rmsDiff = 0.25, .refScale = 2}},
                           {.nonFinite = 8}}},
               {.name = "logits",
                .errors = {{.tokens = {.tokens = 1, .rmsDiff = 0, .refScale = 1}},
                           {.tokens = {.tokens = 1, .rmsDiff = 0.5, .refScale = 4}}}}},
      .tops = {{.tokens = 1}, {.tokens = 1, .flipped = 1}}};
  return report;
}

TEST(PositionJson, HasAListANumber) {
  const auto json = nlohmann::ordered_json::parse(toJson(withPositions()));
  EXPECT_EQ(json.at("runs").at("bf16").at("positions").dump(),
            R"({"prompt":3,"first":2,"rows":[)"
            R"({"name":"decoder.0","layer":0,"tokens":[1,0],"rms_diff":[0.25,"NaN"],)"
            R"("ref_scale":[2,"NaN"],"nonfinite":[0,8]},)"
            R"({"name":"logits","layer":-1,"tokens":[1,1],"rms_diff":[0,0.5],"ref_scale":[1,4]}],)"
            R"("tops":{"tokens":[1,1],"flipped":[0,1]}})");
  EXPECT_FALSE(json.at("runs").at("reference").contains("positions"));
}

TEST(PositionJson, ReadsBackWhatWasWritten) {
  const std::string text = toJson(withPositions());
  const auto report = parseReport(text, "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(toJson(*report), text);
  const PositionErrors& positions = report->runs[1].positions;
  EXPECT_EQ(positions.prompt, 3U);
  EXPECT_EQ(positions.first, 2U);
  ASSERT_EQ(positions.rows.size(), 2U);
  EXPECT_EQ(positions.rows[0].errors[0].tokens.relative(), 0.125);
  EXPECT_TRUE(std::isnan(positions.rows[0].errors[1].tokens.relative()));
  EXPECT_EQ(positions.rows[0].errors[1].nonFinite, 8U);
  EXPECT_EQ(positions.tops[1].flipped, 1U);
}

/// Why a report with other words in it is refused.
std::string refusal(const std::string& from, const std::string& to) {
  std::string text = toJson(withPositions());
  const std::size_t place = text.find(from, text.find("\"positions\""));
  EXPECT_NE(place, std::string::npos);
  text.replace(place, from.size(), to);
  const auto report = parseReport(text, "r.json");
  return report ? std::string() : report.error().message();
}

TEST(PositionJson, RefusesWhatNoReportSays) {
  EXPECT_THAT(refusal(R"([0.25,"NaN"])", "[0.25]"), HasSubstr("as long as each other"));
  EXPECT_THAT(refusal(R"([0.25,"NaN"])", "[0.25,1,1]"), HasSubstr("as long as each other"));
  EXPECT_THAT(refusal(R"("flipped":[0,1])", R"("flipped":[2,1])"), HasSubstr("flipped"));
  EXPECT_THAT(refusal(R"("prompt":3)", R"("prompt":9000000000000000)"),
              HasSubstr("no sequence is as long"));
  EXPECT_THAT(refusal(R"("first":2)", R"("first":-1)"), HasSubstr("runs"));
  EXPECT_THAT(refusal(R"("layer":0)", R"("layer":9000)"), HasSubstr("layer 9000"));
  EXPECT_EQ(refusal(R"("prompt":3)", R"("prompt":3,"news":[1,{}])"), "");
  EXPECT_EQ(refusal(R"("layer":0)", R"("layer":0,"news":"later")"), "");
}

TEST(PositionJson, ListsAreBounded) {
  std::string many = "[";
  for (std::size_t i = 0; i <= kMostPositions; ++i) {
    many += i == 0 ? "1" : ",1";
  }
  EXPECT_THAT(refusal(R"("tokens":[1,0])", R"("tokens":)" + many + "]"),
              HasSubstr("as long as each other"));
}

}  // namespace
}  // namespace ulp::report
