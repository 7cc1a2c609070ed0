#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/report/model/report.h"
#include "tests/support/data/report_builder.h"

namespace ulp::report {
namespace {

Report withGraph() {
  Report report = test::sampleReport(1, {"bf16"});
  OperationGraph& graph = report.runs[1].graph;
  graph.of(Pass::Forward)["mlp.mul"] = {.forward = {"silu", "up.mm"}, .line = "llama.py:155"};
  graph.of(Pass::Backward)["mlp.mul.mul"] = {.forward = {"silu"}, .backward = {"down.mm:2"}};
  return report;
}

TEST(GraphJson, SaysOfEachRowWhatItWasMadeFrom) {
  const auto json = nlohmann::ordered_json::parse(toJson(withGraph()));
  EXPECT_EQ(json.at("runs").at("bf16").at("graph").dump(),
            R"({"forward":{"mlp.mul":{"forward":["silu","up.mm"],"line":"llama.py:155"}},)"
            R"("backward":{"mlp.mul.mul":{"forward":["silu"],"backward":["down.mm:2"]}}})");
  EXPECT_FALSE(json.at("runs").at("reference").contains("graph"));
}

TEST(GraphJson, ReadsBackWhatWasWritten) {
  const auto report = parseReport(toJson(withGraph()), "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->runs[1].graph, withGraph().runs[1].graph);
  EXPECT_TRUE(report->runs[0].graph.isEmpty());
}

TEST(GraphJson, PassesOverWhatANewerWriterAdds) {
  auto json = nlohmann::ordered_json::parse(toJson(withGraph()));
  json["runs"]["bf16"]["graph"]["sideways"] = {{"x", 1}};
  json["runs"]["bf16"]["graph"]["forward"]["mlp.mul"]["cost"] = 3;
  const auto report = parseReport(json.dump(), "r.json");
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->runs[1].graph, withGraph().runs[1].graph);
}

}  // namespace
}  // namespace ulp::report
