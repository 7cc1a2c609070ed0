#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Report withRouters() {
  Report report = test::sampleReport(1, {"bf16"});
  report.runs[1].routers = {
      {.router = "model.layers.0.mlp.gate",
       .block = "model.layers.0.mlp",
       .layer = 0,
       .experts = 8,
       .chosen = 2,
       .tokens = 5,
       .flipped = 2,
       .changed = 3,
       .same = {.tokens = 3, .rmsDiff = 0.25, .refScale = 2},
       .margins = {{.exponent = -9, .tokens = 4, .flipped = 2}, {.exponent = -2, .tokens = 1}},
       .flips = {0, 1, 0, 0, 1}}};
  report.runs[1].comparisons[0].onlyReference = 7;
  return report;
}

TEST(ExpertJson, NamesWhatARouterChose) {
  const auto json = nlohmann::ordered_json::parse(toJson(withRouters()));
  EXPECT_EQ(json.at("runs").at("bf16").at("routers").dump(),
            R"([{"router":"model.layers.0.mlp.gate","block":"model.layers.0.mlp","layer":0,)"
            R"("experts":8,"chosen":2,"tokens":5,"flipped":2,"changed":3,)"
            R"("same":{"tokens":3,"rms_diff":0.25,"ref_scale":2},)"
            R"("other":{"tokens":0,"rms_diff":"NaN","ref_scale":"NaN"},)"
            R"("margins":[{"exponent":-9,"tokens":4,"flipped":2},)"
            R"({"exponent":-2,"tokens":1,"flipped":0}],"flips":"48"}])");
  EXPECT_FALSE(json.at("runs").at("reference").contains("routers"));
  const auto& rows = json.at("comparisons").at("bf16");
  EXPECT_EQ(rows.at(0).at("reference_only_rows"), 7);
  EXPECT_FALSE(rows.at(0).contains("variant_only_rows"));
  EXPECT_FALSE(rows.at(1).contains("reference_only_rows"));
}

TEST(ExpertJson, ReadsBackWhatWasWritten) {
  const std::string text = toJson(withRouters());
  const auto report = parseReport(text, "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(toJson(*report), text);
  ASSERT_EQ(report->runs[1].routers.size(), 1U);
  EXPECT_THAT(report->runs[1].routers[0].flips, ElementsAre(0, 1, 0, 0, 1));
  EXPECT_EQ(report->runs[1].routers[0].same.relative(), 0.125);
  EXPECT_TRUE(std::isnan(report->runs[1].routers[0].other.relative()));
  EXPECT_EQ(report->runs[1].comparisons[0].onlyReference, 7U);
}

TEST(ExpertJson, RefusesWhatNoRouterSays) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = toJson(withRouters());
    text.replace(text.find(from), from.size(), to);
    const auto report = parseReport(text, "r.json");
    return report ? std::string() : report.error().message();
  };
  EXPECT_THAT(changed(R"("flips":"48")", R"("flips":"4x")"), HasSubstr("hexadecimal digits"));
  EXPECT_THAT(changed(R"("flips":"48")", R"("flips":"4800")"), HasSubstr("do not belong together"));
  EXPECT_THAT(changed(R"("flipped":2)", R"("flipped":6)"), HasSubstr("do not belong together"));
  EXPECT_THAT(changed(R"("exponent":-9)", R"("exponent":-900)"), HasSubstr("exponent"));
}

}  // namespace
}  // namespace ulp::report
