#include "core/comparing/origin/execution_order.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/list_of.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::EntryKind;
using testing::ElementsAre;

std::vector<std::string> inOrder(const std::vector<DumpEntry>& recorded) {
  test::BuiltUnit unit;
  for (const DumpEntry& entry : recorded) {
    unit.entry(entry);
  }
  return listOf(executionOrder(unit), [&](std::size_t entry) { return unit.entries[entry].name; });
}

DumpEntry call(const std::string& name, Pass pass = Pass::Forward) {
  return {.name = name, .kind = EntryKind::Api, .pass = pass};
}
DumpEntry gradients(const std::string& name) {
  return {.name = name, .kind = EntryKind::Gradient, .pass = Pass::ParameterGradient};
}

TEST(ExecutionOrderTest, AnOptimizerStandsBehindTheBackwardPass) {
  EXPECT_THAT(
      inOrder({call("linear"), call("linear'", Pass::Backward), gradients("norm"), call("lerp")}),
      ElementsAre("linear", "linear'", "norm", "lerp"));
}

TEST(ExecutionOrderTest, MicroBatchesAndOptimizersRunInTurn) {
  EXPECT_THAT(inOrder({call("d"),
                       call("d'", Pass::Backward),
                       call("d.lerp"),
                       call("g"),
                       call("g'", Pass::Backward),
                       call("g.lerp")}),
              ElementsAre("d", "d'", "d.lerp", "g", "g'", "g.lerp"));
}

TEST(ExecutionOrderTest, GradientsListedBesideTheirModuleStandBehindTheBackwardPass) {
  EXPECT_THAT(
      inOrder({call("norm"),
               gradients("norm.weight"),
               call("head"),
               call("head'", Pass::Backward),
               gradients("head.weight"),
               call("norm'", Pass::Backward),
               call("all_reduce")}),
      ElementsAre("norm", "head", "head'", "norm'", "norm.weight", "head.weight", "all_reduce"));
}

TEST(ExecutionOrderTest, WithoutABackwardPassTheyStandBehindTheModules) {
  const DumpEntry module{.name = "b", .kind = EntryKind::Module};
  EXPECT_THAT(inOrder({gradients("a"), module, call("lerp")}), ElementsAre("b", "a", "lerp"));
}

}  // namespace
}  // namespace ulp::analysis
