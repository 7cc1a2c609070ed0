#include "core/compat/msprobe/pairs/statistic_difference.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/support/data/special_numbers.h"

namespace ulp::compat::msprobe {
namespace {

using test::kInfinity;

TEST(MsprobeNumbers, ReadAsPythonReadsThem) {
  EXPECT_EQ(pythonNumber(" +1.5 "), 1.5);
  EXPECT_EQ(pythonNumber("1,5"), std::nullopt);
  EXPECT_EQ(pythonNumber("1.5x"), std::nullopt);
}

TEST(MsprobeNumbers, BeyondDoubleAreInfiniteOrZero) {
  EXPECT_EQ(pythonNumber("1.5e400"), kInfinity);
  EXPECT_EQ(pythonNumber("-1.5e400"), -kInfinity);
  EXPECT_EQ(pythonNumber("1.5e-400"), 0);
}

TEST(MsprobeNumbers, BlanksAndSignsStandWherePythonHasThem) {
  EXPECT_EQ(pythonNumber("\t1.5\r\n"), 1.5);
  EXPECT_EQ(pythonNumber("\x0B\x0C-2"), -2);
  EXPECT_EQ(pythonNumber("\x08"
                         "1"),
            std::nullopt);
  EXPECT_EQ(pythonNumber("\x0E"
                         "1"),
            std::nullopt);
  EXPECT_EQ(pythonNumber("+-1"), std::nullopt);
  EXPECT_EQ(pythonNumber(""), std::nullopt);
  EXPECT_EQ(pythonNumber("  "), std::nullopt);
  EXPECT_EQ(pythonNumber("nan(1)"), std::nullopt);
  EXPECT_EQ(pythonNumber("inf"), kInfinity);
}

TEST(MsprobeNumbers, SharesArePercents) {
  EXPECT_EQ(shareOf("5%"), 0.05);
  EXPECT_EQ(shareOf("200"), 2);
  EXPECT_EQ(shareOf("N/A"), 0);
  EXPECT_EQ(numberOf(textCell("1.5")), 1.5);
  EXPECT_EQ(numberOf(numberCell(2.5)), 2.5);
  EXPECT_EQ(numberOf(textCell("N/A")), std::nullopt);
}

/// What pandas.to_numeric() gives for them (pandas 2.2).
TEST(MsprobeNumbers, AreReadAsPandasReadsThem) {
  const auto read = [](double number) { return pandasNumber(numberCell(number)); };
  EXPECT_EQ(read(0.5), 0.5);
  EXPECT_EQ(read(-1234.5), -1234.5);
  EXPECT_EQ(read(1e22), 1e22);
  EXPECT_EQ(read(-2.5e-10), -2.5e-10);
  EXPECT_EQ(read(2.5e-10), 2.5e-10);
  EXPECT_EQ(read(1e300), 1e300);
  EXPECT_EQ(read(kInfinity), kInfinity);
  EXPECT_EQ(pandasNumber(textCell("12")), 12);
  EXPECT_EQ(pandasNumber(textCell("1e2")), 100);
  EXPECT_EQ(pandasNumber(textCell("00000000000000000012")), 0) << "zeros count as digits";
  EXPECT_EQ(pandasNumber(textCell("1234567890123456789")), 1234567890123456800.0);
  EXPECT_EQ(pandasNumber(textCell("N/A")), std::nullopt);
}

TEST(MsprobeDifference, OfNumbersWordsAndDevices) {
  const auto difference = [](const Cell& target, const Cell& golden) {
    const DifferenceText text = statisticDifference26(target, golden);
    return text.difference + " " + text.relative;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(difference(numberCell(3), numberCell(2)), "1.0 50.0%");
  EXPECT_EQ(difference(numberCell(1), numberCell(-2)), "3.0 150.0%");
  EXPECT_EQ(difference(numberCell(3), numberCell(0)), "3.0 inf");
  EXPECT_EQ(difference(numberCell(2), numberCell(2)), "0 0");
  EXPECT_EQ(difference(textCell("2.0"), numberCell(2)), "0 0") << "the same text";
  EXPECT_EQ(difference(numberCell(nan), numberCell(nan)), "0 0");
  EXPECT_EQ(difference(numberCell(nan), numberCell(2)), "Nan Nan");
  EXPECT_EQ(difference(numberCell(2), textCell("nan")), "Nan Nan");
  EXPECT_EQ(difference(numberCell(kInfinity), numberCell(2)), "inf inf");
  EXPECT_EQ(difference(numberCell(2), numberCell(-kInfinity)), "inf inf");
  EXPECT_EQ(difference(numberCell(2), numberCell(kInfinity)), "-inf -inf");
  EXPECT_EQ(difference(numberCell(-kInfinity), numberCell(2)), "-inf -inf");
  EXPECT_EQ(difference(numberCell(kInfinity), numberCell(-kInfinity)), "inf inf");
  EXPECT_EQ(difference(textCell("N/A"), numberCell(2)), "N/A N/A");
  EXPECT_EQ(difference(numberCell(2), textCell("N/A")), "N/A N/A");
  EXPECT_EQ(difference(textCell("npu:0"), textCell("cuda:1")), "N/A N/A");
  EXPECT_EQ(difference(textCell("npu:0"), numberCell(1)), "Diff Diff");
  EXPECT_EQ(difference(textCell("True"), textCell("False")), "Diff Diff");
  EXPECT_EQ(difference(textCell("3"), textCell("2")), "1.0 50.0%");
}

}  // namespace
}  // namespace ulp::compat::msprobe
