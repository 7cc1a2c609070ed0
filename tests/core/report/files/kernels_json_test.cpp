#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

Report withKernels() {
  Report report = test::sampleReport(1, {"bf16"});
  KernelRecord& kernels = report.runs[1].kernels;
  kernels.names = {"gemm<8>", "add"};
  kernels.of(Pass::Forward) = {{"decoder.0", {0, 1}}, {"logits", {0}}};
  kernels.of(Pass::Backward) = {{"decoder.0", {1}}};
  return report;
}

TEST(KernelsJson, NamesStandOnceAndRowsNumberThem) {
  const auto json = nlohmann::ordered_json::parse(toJson(withKernels()));
  EXPECT_EQ(json.at("runs").at("bf16").at("kernels").dump(),
            R"({"names":["gemm<8>","add"],)"
            R"("forward":{"decoder.0":[0,1],"logits":[0]},"backward":{"decoder.0":[1]}})");
  EXPECT_FALSE(json.at("runs").at("reference").contains("kernels"));
}

TEST(KernelsJson, ReadsBackWhatWasWritten) {
  const auto report = parseReport(toJson(withKernels()), "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->runs[1].kernels, withKernels().runs[1].kernels);
  EXPECT_EQ(report->runs[1].kernels.of(Pass::Forward, "decoder.0"),
            (std::vector<std::string_view>{"gemm<8>", "add"}));
  EXPECT_TRUE(report->runs[1].kernels.of(Pass::Backward, "logits").empty());
  EXPECT_TRUE(report->runs[0].kernels.isEmpty());
}

TEST(KernelsJson, ReadsFieldsInAnyOrder) {
  auto json = nlohmann::ordered_json::parse(toJson(withKernels()));
  json["runs"]["bf16"]["kernels"] = nlohmann::ordered_json::parse(
      R"({"forward":{"logits":[1]},"names":["a","b"],"newer":{"x":1}})");
  const auto report = parseReport(json.dump(), "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->runs[1].kernels.of(Pass::Forward, "logits"),
            std::vector<std::string_view>{"b"});
}

TEST(KernelsJson, ARowThatNamesAKernelBeyondTheListIsRefused) {
  auto json = nlohmann::ordered_json::parse(toJson(withKernels()));
  json["runs"]["bf16"]["kernels"]["forward"]["logits"] = {2};
  const auto report = parseReport(json.dump(), "r.json");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), ErrorCode::CorruptData);
  EXPECT_NE(report.error().message().find("kernel"), std::string::npos) << report.error().message();
}

}  // namespace
}  // namespace ulp::report
