#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

Report fromDevice() {
  Report report = test::sampleReport(1, {"bf16"});
  report.provenance.deviceFacts = {{"compute_capability", "9.0"}, {"cudnn", "9.19.0"}};
  report.runs[1].attentionKernels = {{"model.layers.0.self_attn", "flash"}};
  return report;
}

TEST(MachineJson, NamesWhatTheDeviceIsAndWhichAttentionKernelsRan) {
  const auto json = nlohmann::ordered_json::parse(toJson(fromDevice()));
  EXPECT_EQ(json.at("provenance").at("device_facts").dump(),
            R"({"compute_capability":"9.0","cudnn":"9.19.0"})");
  EXPECT_EQ(json.at("runs").at("bf16").at("attention").dump(),
            R"({"model.layers.0.self_attn":"flash"})");
  EXPECT_FALSE(json.at("runs").at("reference").contains("attention"));
}

TEST(MachineJson, ReadsBackWhatWasWritten) {
  const auto report = parseReport(toJson(fromDevice()), "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->provenance.deviceFacts, fromDevice().provenance.deviceFacts);
  EXPECT_EQ(report->runs[1].attentionKernels, fromDevice().runs[1].attentionKernels);
}

TEST(MachineJson, SaysNothingOfAProcessor) {
  const Report report = test::sampleReport(1, {"bf16"});
  EXPECT_EQ(toJson(report).find("device_facts"), std::string::npos);
}

}  // namespace
}  // namespace ulp::report
