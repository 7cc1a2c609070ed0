#include "runner/worker/session/operation_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Site operation(const char* name, Pass pass = Pass::Forward, int layer = -1) {
  return {.name = name, .layer = layer, .level = Level::Op, .pass = pass};
}

TEST(OperationNotes, NameSomeOfEachKind) {
  engine::RunOutcome outcome;
  EXPECT_THAT(operationNotes("bf16", outcome, {}), IsEmpty());
  outcome.missing = {operation("a"),
                     operation("b", Pass::Backward),
                     operation("c"),
                     operation("d"),
                     operation("e")};
  outcome.unlisted = {operation("f")};
  outcome.unplaced = {operation("i", Pass::Backward)};
  EXPECT_THAT(
      operationNotes("bf16", outcome, {operation("g"), operation("h")}),
      ElementsAre(
          "bf16: 5 operations of the reference are not made in every micro-batch, and have no row: "
          "a (forward), b (backward), c (forward), d (forward), …",
          "bf16: 1 operation has no row, since which part of it is of the compared sequences is "
          "not known: i (backward)",
          "bf16: 1 operation is made that a plain pass of the reference does not make, and has no "
          "row: f (forward)",
          "bf16: 2 operations have another shape than in the reference, and are not compared: g "
          "(forward), h (forward)"));
}

TEST(OperationNotes, SayWhatWasCompiledAway) {
  engine::RunOutcome outcome;
  outcome.missing = {operation("a", Pass::Forward, 0)};
  EXPECT_THAT(operationNotes("bf16", outcome, {}, {.compile = "layers"}),
              ElementsAre("bf16: 1 operation of the reference was compiled away, and has no row "
                          "(layer 0: 1); the kernels that torch.compile made of them stand at the "
                          "row of their layer"));
  for (const int layer : {-1, 0, 1, 1, 2, 2, 4}) {
    outcome.missing.push_back(operation("b", Pass::Backward, layer));
  }
  EXPECT_THAT(operationNotes("bf16", outcome, {}, {.compile = "layers"}),
              ElementsAre("bf16: 8 operations of the reference were compiled away, and have no row "
                          "(layers 0 to 2: 2 each, layer 4: 1, outside of layers: 1); the kernels "
                          "that torch.compile made of them stand at the row of their layer"));
}

TEST(OperationNotes, SayWhichRanksDivideInAWayThatIsNotKnown) {
  engine::RunOutcome outcome;
  outcome.unplaced = {operation("a"), operation("b", Pass::Backward)};
  EXPECT_THAT(operationNotes("two", outcome, {}, {.ranks = 2}),
              ElementsAre("two: 2 operations have no row, since how ranks or batches divide them "
                          "is not known: a (forward), b (backward)"));
}

TEST(OperationNotes, RowsOfSomeMicroBatchesAloneAreDropped) {
  Differences differences;
  for (const Pass pass : {Pass::Forward, Pass::Backward}) {
    for (const char* name : {"a", "b"}) {
      differences.rows.push_back({.site = operation(name, pass)});
    }
  }
  dropIncomplete(differences, {operation("b")});
  ASSERT_EQ(differences.rows.size(), 3U);
  EXPECT_EQ(differences.rows[1].site, operation("a", Pass::Backward));
}

}  // namespace
}  // namespace ulp::worker
