#include "core/analysis/depth/execution_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/list_of.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;

void addRow(report::Run& run, const std::string& module, int layer, Pass pass) {
  const std::string name = pass == Pass::ParameterGradient ? module + ".weight" : module;
  run.comparisons.push_back({.site = {name, module, layer, Level::Module, pass}});
}

std::vector<std::string> gradientsOf(const report::Run& run) {
  return listOf(executionOrder(run, Pass::ParameterGradient),
                [&](std::size_t row) { return run.comparisons[row].site.module; });
}

TEST(ExecutionOrder, GradientsOfParametersAreMadeFromTheLastModuleToTheFirst) {
  report::Run run;
  for (const char* module : {"embed", "l.0.norm", "l.0.up", "l.0.down", "l.1.up", "head"}) {
    addRow(run, module, module[2] == '0' || module[2] == '1' ? module[2] - '0' : -1, Pass::Forward);
  }
  // As a model lists its parameters.
  for (const char* module : {"embed", "l.0.up", "l.0.down", "l.0.norm", "l.1.up", "head"}) {
    addRow(run, module, -1, Pass::ParameterGradient);
  }
  EXPECT_THAT(gradientsOf(run),
              ElementsAre("head", "l.1.up", "l.0.down", "l.0.up", "l.0.norm", "embed"));
  EXPECT_THAT(executionOrder(run, Pass::Forward), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(ExecutionOrder, GradientsOfOneModuleAreMadeAtOnce) {
  report::Run run;
  addRow(run, "q", 0, Pass::Forward);
  addRow(run, "k", 0, Pass::Forward);
  for (const char* module : {"q", "q", "k", "k"}) {
    addRow(run, module, 0, Pass::ParameterGradient);
  }
  EXPECT_THAT(executionOrder(run, Pass::ParameterGradient), ElementsAre(4, 5, 2, 3));
}

TEST(ExecutionOrder, WithoutRowsOfModulesTheirLayersTell) {
  report::Run run;
  addRow(run, "embed", -1, Pass::Forward);
  addRow(run, "l.0", 0, Pass::Forward);
  addRow(run, "l.1", 1, Pass::Forward);
  addRow(run, "embed", -1, Pass::ParameterGradient);
  addRow(run, "l.0.up", 0, Pass::ParameterGradient);
  addRow(run, "l.0.down", 0, Pass::ParameterGradient);
  addRow(run, "l.1.up", 1, Pass::ParameterGradient);
  addRow(run, "head", -1, Pass::ParameterGradient);
  EXPECT_THAT(gradientsOf(run), ElementsAre("head", "l.1.up", "l.0.down", "l.0.up", "embed"))
      << "head has no row of any kind, and stands behind l.1.up";
}

}  // namespace
}  // namespace ulp::analysis
