#include "views/plugins/study/form/number_box.h"

#include <gtest/gtest.h>

namespace ulp::views {
namespace {

std::string stepped(const char* key, const char* text, int steps) {
  return steppedNumber(*study::findKey(key), QLatin1String(text), steps).toStdString();
}

TEST(NumberBox, WholeNumbersStepByOneWithinTheirRange) {
  EXPECT_EQ(stepped("input.sequence_length", "64", 1), "65");
  EXPECT_EQ(stepped("input.sequence_length", "64", -10), "54");
  EXPECT_EQ(stepped("input.sequence_length", "1", -1), "1");
  EXPECT_EQ(stepped("model.seed", "9007199254740991", 1), "9007199254740992");
  EXPECT_EQ(stepped("model.seed", "9007199254740992", 1), "9007199254740992");
  EXPECT_EQ(stepped("model.seed", "9223372036854775807", 1), "9007199254740992");
}

TEST(NumberBox, RealNumbersStepByATenthOfTheirFirstDigitsPlace) {
  EXPECT_EQ(stepped("optimizer.epsilon", "1e-9", 1), "1.1e-9");
  EXPECT_EQ(stepped("optimizer.epsilon", "1e-9", -1), "9.9e-10");
  EXPECT_EQ(stepped("optimizer.epsilon", "1e-9", 10), "2e-9");
  EXPECT_EQ(stepped("optimizer.learning_rate", "0.001", 1), "0.0011");
  EXPECT_EQ(stepped("optimizer.learning_rate", "0.12345", 1), "0.13345");
  EXPECT_EQ(stepped("optimizer.learning_rate", "0", 1), "0.1");
  EXPECT_EQ(stepped("optimizer.learning_rate", "0", -1), "0");
  EXPECT_EQ(stepped("optimizer.beta2", "0.999", 1), "1");
}

TEST(NumberBox, WritesExponentsWithoutPadding) {
  EXPECT_EQ(stepped("optimizer.epsilon", "1e-08", 0), "1e-8");
  EXPECT_EQ(stepped("loss.epsilon_low", "1e+30", 0), "1e30");
}

TEST(NumberBox, DoesNotStepFromWhatIsNoNumber) {
  EXPECT_EQ(stepped("optimizer.epsilon", "", 1), "");
  EXPECT_EQ(stepped("optimizer.epsilon", "3e-", 1), "");
  EXPECT_EQ(stepped("optimizer.epsilon", "inf", 1), "");
  EXPECT_EQ(stepped("input.sequence_length", "1.5", 1), "");
}

}  // namespace
}  // namespace ulp::views
