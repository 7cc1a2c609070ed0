#include "views/charts/plot/ticks.h"

#include <cmath>

#include <gtest/gtest.h>

namespace ulp::views::charts {
namespace {

QStringList labels(const std::vector<Tick>& ticks) {
  QStringList all;
  for (const Tick& tick : ticks) {
    if (!tick.label.isEmpty()) {
      all << tick.label;
    }
  }
  return all;
}

TEST(LogTicks, LabelsDecades) {
  EXPECT_EQ(labels(logTicks({-3.2, 0.5}, 5)),
            (QStringList{QStringLiteral("0.001"),
                         QStringLiteral("0.01"),
                         QStringLiteral("0.1"),
                         QStringLiteral("1")}));
}

TEST(LogTicks, LabelsOneTwoFiveWhereThereIsRoom) {
  EXPECT_EQ(labels(logTicks({-1.1, 0.1}, 10)),
            (QStringList{QStringLiteral("0.1"),
                         QStringLiteral("0.2"),
                         QStringLiteral("0.5"),
                         QStringLiteral("1")}));
}

TEST(LogTicks, ScalesPercentages) {
  EXPECT_EQ(labels(logTicks({-2.1, -0.9}, 3, 100)),
            (QStringList{QStringLiteral("1"), QStringLiteral("10")}));
}

TEST(LogTicks, SkipsDecadesWhenThereAreMany) {
  const std::vector<Tick> ticks = logTicks({-30, 0}, 6);
  EXPECT_LE(labels(ticks).size(), 7);
  EXPECT_TRUE(labels(ticks).contains(QStringLiteral("1e-10")));
}

TEST(LogTicks, NeverLeaveAnAxisWithOneNumber) {
  EXPECT_EQ(labels(logTicks({-3.6, -0.4}, 2, 100)),
            (QStringList{QStringLiteral("0.1"), QStringLiteral("1"), QStringLiteral("10")}));
  EXPECT_EQ(labels(logTicks({-1.8, -0.6}, 3)),
            (QStringList{QStringLiteral("0.02"), QStringLiteral("0.1"), QStringLiteral("0.2")}));
  EXPECT_EQ(labels(logTicks({std::log10(0.0649), std::log10(0.0716)}, 5)),
            (QStringList{QStringLiteral("0.065"), QStringLiteral("0.072")}));
  EXPECT_EQ(labels(logTicks({std::log10(3.1001), std::log10(3.1004)}, 5)),
            (QStringList{QStringLiteral("3.1001"), QStringLiteral("3.1004")}));
  for (double low = -9; low < 2; low += 0.37) {
    for (const double span : {0.001, 0.1, 0.4, 1.0, 2.6, 5.9, 17.0}) {
      for (const int most : {2, 3, 7}) {
        EXPECT_GE(labels(logTicks({low, low + span}, most)).size(), 2) << low << " " << span;
      }
    }
  }
}

TEST(LinearTicks, WriteExponentsAsAllNumbersDo) {
  EXPECT_EQ(labels(linearTicks({1.2e6, 3.1e6}, 2)),
            (QStringList{QStringLiteral("2e6"), QStringLiteral("3e6")}));
}

TEST(LinearTicks, UsesRoundSteps) {
  EXPECT_EQ(labels(linearTicks({0, 1}, 5)),
            (QStringList{QStringLiteral("0.0"),
                         QStringLiteral("0.2"),
                         QStringLiteral("0.4"),
                         QStringLiteral("0.6"),
                         QStringLiteral("0.8"),
                         QStringLiteral("1.0")}));
  EXPECT_EQ(labels(linearTicks({0.99, 1}, 2)).first(), QStringLiteral("0.990"));
  EXPECT_EQ(labels(linearTicks({-40, 90}, 3)),
            (QStringList{QStringLiteral("0"), QStringLiteral("50")}));
}

DepthAxis axisOf(int layers) {
  DepthAxis axis;
  axis.positions.push_back({.label = QStringLiteral("emb")});
  for (int layer = 0; layer < layers; ++layer) {
    axis.positions.push_back({.layer = layer, .label = QString::number(layer)});
  }
  axis.positions.push_back({.label = QStringLiteral("logits")});
  axis.fold = axis.size();
  return axis;
}

double widthOf(const QString& text) {
  return 7.0 * static_cast<double>(text.size());
}

TEST(SlotTicks, NeverTouchAndKeepTheWords) {
  const DepthAxis axis = axisOf(126);
  for (const double pixels : {1.0, 3.0, 9.0, 40.0}) {
    const std::vector<Tick> ticks = slotTicks(axis, {-0.5, 127.5}, pixels, widthOf);
    EXPECT_EQ(ticks.front().label, QStringLiteral("emb"));
    EXPECT_EQ(ticks.back().label, QStringLiteral("logits"));
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      const double distance = (ticks[i].position - ticks[i - 1].position) * pixels;
      EXPECT_GT(distance, (widthOf(ticks[i].label) + widthOf(ticks[i - 1].label)) / 2);
    }
  }
}

TEST(SlotTicks, CountInRoundSteps) {
  const std::vector<Tick> ticks = slotTicks(axisOf(126), {-0.5, 127.5}, 4, widthOf);
  EXPECT_TRUE(labels(ticks).contains(QStringLiteral("10")));
  EXPECT_TRUE(labels(ticks).contains(QStringLiteral("100")));
  EXPECT_FALSE(labels(ticks).contains(QStringLiteral("7")));
}

TEST(SlotTicks, OnlyWhatIsInView) {
  const std::vector<Tick> ticks = slotTicks(axisOf(30), {9.5, 12.5}, 200, widthOf);
  EXPECT_EQ(labels(ticks),
            (QStringList{QStringLiteral("9"), QStringLiteral("10"), QStringLiteral("11")}));
}

TEST(SlotTicks, AFewTextsAreMeasuredHoweverManySlotsThereAre) {
  constexpr int kSlots = 30000;
  constexpr double kPixels = 600;
  DepthAxis words;
  for (int slot = 0; slot < kSlots; ++slot) {
    words.positions.push_back({.label = QStringLiteral("module %1").arg(slot)});
  }
  words.fold = words.size();
  for (const DepthAxis& axis : {axisOf(kSlots), words}) {
    int measured = 0;
    const std::vector<Tick> ticks =
        slotTicks(axis, {-0.5, axis.size() - 0.5}, kPixels / axis.size(), [&](const QString& text) {
          ++measured;
          return widthOf(text);
        });
    EXPECT_GE(ticks.size(), 4U);
    EXPECT_LE(measured, 2 * kPixels);
  }
}

TEST(SpreadLabels, MovesOverlappingLabelsApartWithinTheBounds) {
  const std::vector<double> placed = spreadLabels({50, 52, 10, 99}, 10, {0, 100});
  EXPECT_DOUBLE_EQ(placed[2], 10);
  EXPECT_GE(placed[1] - placed[0], 10);
  EXPECT_LE(placed[3], 95);
  EXPECT_DOUBLE_EQ(placed[0], 50);
}

TEST(SpreadLabels, StacksAtTheEdge) {
  const std::vector<double> placed = spreadLabels({99, 99, 99}, 10, {0, 100});
  EXPECT_DOUBLE_EQ(placed[2], 95);
  EXPECT_DOUBLE_EQ(placed[1], 85);
  EXPECT_DOUBLE_EQ(placed[0], 75);
  EXPECT_TRUE(spreadLabels({}, 10, {0, 100}).empty());
}

}  // namespace
}  // namespace ulp::views::charts
