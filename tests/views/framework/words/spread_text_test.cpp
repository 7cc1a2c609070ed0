#include <gtest/gtest.h>

#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

const MetricInfo kPercent{.id = QStringLiteral("rms_rel"),
                          .label = QStringLiteral("RMS rel"),
                          .formula = {},
                          .unit = numerics::MetricUnit::Percent};

TEST(SpreadText, SaysInHowManySamplesAMeanIsDefined) {
  const report::Spread spread{.sd = 0.01, .minimum = 0.02, .maximum = 0.05, .undefined = 2};
  EXPECT_EQ(finiteSamples(spread, 8), 6U);
  EXPECT_TRUE(intervalText(spread, 8, kPercent.unit).endsWith(QStringLiteral(" (n=6)")));
  const QString help = spreadHelp(spread, 8, kPercent);
  EXPECT_TRUE(help.contains(QStringLiteral("mean of the 6 of 8 samples"))) << help.toStdString();
  EXPECT_TRUE(help.contains(QStringLiteral("standard deviation: 1"))) << help.toStdString();
}

TEST(SpreadText, OneSampleAndUnknownSpreadsSayNothing) {
  const report::Spread unknown;
  EXPECT_FALSE(isKnown(unknown));
  EXPECT_TRUE(spreadHelp(unknown, 8, kPercent).isEmpty());
  EXPECT_TRUE(intervalText(unknown, 8, kPercent.unit).isEmpty());
  EXPECT_TRUE(spreadHelp({.sd = 0.1}, 1, kPercent).isEmpty());
}

TEST(FloorText, SaysWhatARunOfTheNoiseFloorMeasures) {
  EXPECT_EQ(runLabel(QStringLiteral("floor.float64")),
            QStringLiteral("floor.float64 (rounding of the reference itself)"));
  EXPECT_EQ(runLabel(QStringLiteral("bf16")), QStringLiteral("bf16"));
}

}  // namespace
}  // namespace ulp::views
