#include "runner/queue/state_mailbox.h"

#include <gtest/gtest.h>

namespace ulp::queue {
namespace {

JobStatePtr stateOf(JobId id, double fraction) {
  JobState state;
  state.id = id;
  state.fraction = fraction;
  return std::make_shared<const JobState>(std::move(state));
}

TEST(StateMailbox, WakesTheReaderOnceUntilItTookEverything) {
  StateMailbox mailbox;
  EXPECT_TRUE(mailbox.post(stateOf(1, 0.1)));
  EXPECT_FALSE(mailbox.post(stateOf(1, 0.2)));
  EXPECT_FALSE(mailbox.post(stateOf(2, 0.0)));
  EXPECT_EQ(mailbox.take().size(), 2U);
  EXPECT_TRUE(mailbox.post(stateOf(1, 0.3)));
}

TEST(StateMailbox, KeepsTheNewestStateOfEachJobOldestJobFirst) {
  StateMailbox mailbox;
  static_cast<void>(mailbox.post(stateOf(2, 0.5)));
  static_cast<void>(mailbox.post(stateOf(1, 0.1)));
  static_cast<void>(mailbox.post(stateOf(1, 0.9)));
  const auto taken = mailbox.take();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0]->id, 1U);
  EXPECT_DOUBLE_EQ(taken[0]->fraction, 0.9);
  EXPECT_EQ(taken[1]->id, 2U);
  EXPECT_TRUE(mailbox.take().empty());
}

}  // namespace
}  // namespace ulp::queue
