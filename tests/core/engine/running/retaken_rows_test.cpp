#include "core/engine/running/retaken_rows.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace ulp::engine {
namespace {

/// A step with three rows, which are the number of the row and how often it was taken.
struct CountedStep {
  int taken = 0;
  std::vector<at::Tensor> last{};

  RetakenRows::Take take() {
    return [this] {
      ++taken;
      last.clear();
      for (const int row : {0, 1, 2}) {
        last.push_back(at::full({2}, 10 * row + taken));
      }
      return last;
    };
  }
};

TEST(RetakenRows, TakeAStepOnceForAllOfItsRows) {
  CountedStep step;
  RetakenRows rows(step.take(), {0, 1, 2});
  for (int run = 1; run <= 2; ++run) {
    for (const int row : {0, 1, 2}) {
      EXPECT_EQ(rows.row(static_cast<std::size_t>(row))[0].item<int>(), 10 * row + run);
    }
    EXPECT_EQ(step.taken, run);
  }
}

TEST(RetakenRows, TakeItAgainForARowThatWasHandedOut) {
  CountedStep step;
  RetakenRows rows(step.take(), {0, 1, 2});
  EXPECT_EQ(rows.row(1)[0].item<int>(), 11);
  EXPECT_EQ(rows.row(1)[0].item<int>(), 12);
  EXPECT_EQ(rows.row(2)[0].item<int>(), 22);
  EXPECT_EQ(step.taken, 2);
}

TEST(RetakenRows, HoldNoRowThatWasHandedOutOrThatNobodyAsksFor) {
  CountedStep step;
  RetakenRows rows(step.take(), {0, 2});
  static_cast<void>(rows.row(0));
  EXPECT_EQ(step.last[0].use_count(), 1U);
  EXPECT_EQ(step.last[1].use_count(), 1U);
  EXPECT_EQ(step.last[2].use_count(), 2U);
  static_cast<void>(rows.row(2));
  EXPECT_EQ(step.last[2].use_count(), 1U);
  EXPECT_EQ(step.taken, 1);
}

TEST(RetakenRows, LetGoOfWhatIsLeftBeforeTheStepIsTakenAgain) {
  std::vector<at::Tensor> last;
  std::vector<std::size_t> holders;
  RetakenRows rows(
      [&] {
        holders.push_back(last.empty() ? 0 : last[1].use_count());
        last = {at::zeros({1}), at::ones({1})};
        return last;
      },
      {0, 1});
  static_cast<void>(rows.row(0));
  static_cast<void>(rows.row(0));
  EXPECT_EQ(holders, (std::vector<std::size_t>{0, 1}));
}

}  // namespace
}  // namespace ulp::engine
