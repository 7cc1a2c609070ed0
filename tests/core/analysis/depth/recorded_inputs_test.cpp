#include "core/analysis/depth/recorded_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/depth/divergence.h"
#include "tests/core/analysis/findings/rule_report.h"

namespace ulp::analysis {
namespace {

using test::quietReport;
using test::rowOf;
using test::setError;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(RecordedInputs, LeadThroughRowsThatWereNotCompared) {
  report::Report report = quietReport({"bf16"}, 3);
  report::Run& run = report.runs[1];
  run.graph.of(Pass::Forward)["decoder.1"].forward = {"hidden"};
  run.graph.of(Pass::Forward)["hidden"].forward = {"decoder.0", "hidden", "nowhere"};
  run.graph.of(Pass::Backward)["decoder.1"] = {.forward = {"hidden"}, .backward = {"decoder.2"}};
  const RecordedInputs inputs(run);
  const Site decoder{"decoder.1", "model.layers.1", 1, Level::Layer, Pass::Forward};
  EXPECT_THAT(inputs.readBy(decoder), ElementsAre(Pair("decoder.0", Pass::Forward)));
  Site gradient = decoder;
  gradient.pass = Pass::Backward;
  EXPECT_THAT(
      inputs.readBy(gradient),
      UnorderedElementsAre(Pair("decoder.0", Pass::Forward), Pair("decoder.2", Pass::Backward)));
  EXPECT_TRUE(inputs.knows(decoder));
  EXPECT_FALSE(inputs.knows({.name = "decoder.0"}));
  EXPECT_THAT(inputs.readBy({.name = "decoder.0"}), IsEmpty());
}

TEST(RecordedInputs, TellOperationsThatTheOtherRunDoesNotMake) {
  report::Report report = quietReport({"bf16"}, 3);
  report::Run& run = report.runs[1];
  run.graph.of(Pass::Forward)["decoder.2"].forward = {"gelu", "decoder.1"};
  run.graph.of(Pass::Forward)["gelu"].forward = {"decoder.0"};
  OperationGraph other;
  other.of(Pass::Forward)["decoder.2"].forward = {"silu", "decoder.1"};
  other.of(Pass::Forward)["silu"].forward = {"decoder.0"};
  const Site site{"decoder.2", "model.layers.2", 2, Level::Layer, Pass::Forward};
  const auto reading = RecordedInputs(run).readBeside(site, other);
  EXPECT_THAT(reading.rows, ElementsAre(Pair("decoder.1", Pass::Forward)));
  EXPECT_THAT(reading.alone, ElementsAre(Pair("gelu", Pass::Forward)));
  EXPECT_THAT(RecordedInputs(run, other).readBeside(site, run.graph).alone,
              ElementsAre(Pair("silu", Pass::Forward)));
  EXPECT_THAT(
      RecordedInputs(run).readBy(site),
      UnorderedElementsAre(Pair("decoder.0", Pass::Forward), Pair("decoder.1", Pass::Forward)));
  EXPECT_EQ(countLoneOperations(run.graph, other), 2U);
  EXPECT_EQ(countLoneOperations(run.graph, run.graph), 0U);
  EXPECT_EQ(countLoneOperations(run.graph, {}), 0U) << "nobody knows";
}

/// An error that came another way than through the row before.
TEST(RecordedInputs, SayWhatIsCarriedIntoATensor) {
  report::Report report = quietReport({"bf16"}, 3);
  setError(rowOf(report, "bf16", "decoder.0"), 0.3);
  setError(rowOf(report, "bf16", "decoder.2"), 0.3);
  report::Run& run = report.runs[1];
  run.graph.of(Pass::Forward)["decoder.1"].forward = {"decoder.0"};
  run.graph.of(Pass::Forward)["decoder.2"].forward = {"decoder.0"};
  run.graph.of(Pass::Forward)["norm"].forward = {"decoder.1"};
  const Divergence trace = traceDivergence(report, run, {.excess = 2, .roundOff = 0x1p-8});
  ASSERT_EQ(trace.first, 1U);
  EXPECT_EQ(trace.steps[3].carried, 0.3);
  EXPECT_FALSE(trace.steps[3].isMade);
  EXPECT_EQ(trace.steps[4].carried, trace.steps[2].error);
}

}  // namespace
}  // namespace ulp::analysis
