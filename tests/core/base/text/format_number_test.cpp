#include "core/base/text/format_number.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "core/base/text/parse_number.h"
#include "tests/support/data/special_numbers.h"

namespace ulp {
namespace {

using test::kInfinity;

TEST(FormatSignificant, RoundsToTheDigits) {
  EXPECT_EQ(formatSignificant(0.0012345), "0.00123");
  EXPECT_EQ(formatSignificant(12.34), "12.3");
  EXPECT_EQ(formatSignificant(-1.005, 2), "-1.0");
  EXPECT_EQ(formatSignificant(0), "0");
  EXPECT_EQ(formatSignificant(1, 1), "1");
}

TEST(FormatSignificant, UsesExponentsOutsideItsRange) {
  EXPECT_EQ(formatSignificant(1.234e-7), "1.23e-7");
  EXPECT_EQ(formatSignificant(1.234e9), "1.23e9");
  EXPECT_EQ(formatSignificant(1.234e-4), "0.000123");
  EXPECT_EQ(formatSignificant(123456), "123456");
}

TEST(FormatSignificant, CarriesIntoTheNextDecade) {
  EXPECT_EQ(formatSignificant(9.999), "10.0");
  EXPECT_EQ(formatSignificant(999999.9), "1.00e6");
  EXPECT_EQ(formatSignificant(9.9999e-5), "0.000100");
}

TEST(FormatSignificant, WritesNonFiniteNumbersAsWords) {
  EXPECT_EQ(formatSignificant(std::nan("")), "NaN");
  EXPECT_EQ(formatSignificant(kInfinity), "+Inf");
  EXPECT_EQ(formatSignificant(-kInfinity), "−Inf");
}

TEST(FormatPercent, KeepsTwoSignificantDigits) {
  EXPECT_EQ(formatPercent(0.00606), "0.61");
  EXPECT_EQ(formatPercent(0.0564), "5.64");
  EXPECT_EQ(formatPercent(0.1234), "12.3");
  EXPECT_EQ(formatPercent(1), "100");
  EXPECT_EQ(formatPercent(0.00012), "0.012");
  EXPECT_EQ(formatPercent(0.0000123), "0.0012");
  EXPECT_EQ(formatPercent(1.23e-9), "1.2e-7");
  EXPECT_EQ(formatPercent(9999.9), "999990");
  EXPECT_EQ(formatPercent(234047105011.32), "2.34e13");
  EXPECT_EQ(formatPercent(-2e6), "-2.00e8");
  EXPECT_EQ(formatPercent(0), "0");
  EXPECT_EQ(formatPercent(kInfinity), "+Inf");
}

TEST(FormatExact, ReadsBackToTheSameNumber) {
  for (const double value : {0.1, 1.0 / 3, 1e300, 5e-324, -2.5, 123456789.0}) {
    EXPECT_EQ(parseNumber<double>(formatExact(value)), value);
  }
  EXPECT_EQ(formatExact(0.1), "0.1");
  EXPECT_EQ(formatExact(std::nan("")), "NaN");
}

TEST(FormatBytes, ChoosesTheUnit) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1024), "1.0 KiB");
  EXPECT_EQ(formatBytes(1536), "1.5 KiB");
  EXPECT_EQ(formatBytes(std::uint64_t{5} << 30), "5.0 GiB");
  EXPECT_EQ(formatBytes(std::uint64_t{1} << 60), "1048576.0 TiB");
}

TEST(FormatBytes, NeverShowsAFullUnitOfTheSmallerKind) {
  EXPECT_EQ(formatBytes((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(formatBytes((1 << 20) - 100), "1023.9 KiB");
}

TEST(FormatDuration, ChoosesTheForm) {
  EXPECT_EQ(formatDuration(0.42), "0.42 s");
  EXPECT_EQ(formatDuration(12.34), "12.3 s");
  EXPECT_EQ(formatDuration(184), "3 min 04 s");
  EXPECT_EQ(formatDuration(7500), "2 h 05 min");
  EXPECT_EQ(formatDuration(7199), "1 h 59 min");
  EXPECT_EQ(formatDuration(std::nan("")), "NaN");
}

TEST(FormatDuration, RoundsIntoTheNextForm) {
  EXPECT_EQ(formatDuration(9.996), "10.0 s");
  EXPECT_EQ(formatDuration(59.96), "1 min 00 s");
  EXPECT_EQ(formatDuration(3599.7), "1 h 00 min");
}

/// Each border belongs to the form above it.
TEST(FormatNumber, BordersBetweenFormsAreWhereTheySay) {
  EXPECT_EQ(formatSignificant(1.234e-5), "1.23e-5");
  EXPECT_EQ(formatSignificant(1.234e-4, 1), "0.0001");
  EXPECT_EQ(formatSignificant(1.2e6, 2), "1.2e6");
  EXPECT_EQ(formatSignificant(1234.5, 2), "1234");
  EXPECT_EQ(formatPercent(0.1), "10.0");
  EXPECT_EQ(formatPercent(0.0999), "9.99");
  EXPECT_EQ(formatPercent(10), "1000");
  EXPECT_EQ(formatPercent(-0.1234), "-12.3");
  EXPECT_EQ(formatPercent(1.5e-6), "0.00015");
  EXPECT_EQ(formatPercent(0.95e-6), "9.5e-5");
  EXPECT_EQ(formatDuration(9.995), "10.0 s");
  EXPECT_EQ(formatDuration(59.95), "1 min 00 s");
  EXPECT_EQ(formatDuration(59.94), "59.9 s");
  EXPECT_EQ(formatDuration(3600), "1 h 00 min");
  EXPECT_EQ(formatDuration(3599.4), "59 min 59 s");
  EXPECT_EQ(formatDuration(3661), "1 h 01 min");
  EXPECT_EQ(formatDuration(-kInfinity), "−Inf");
  EXPECT_EQ(formatExact(-kInfinity), "−Inf");
  EXPECT_EQ(formatBytes(std::uint64_t{1} << 20), "1.0 MiB");
  EXPECT_EQ(formatBytes(std::uint64_t{3} << 40), "3.0 TiB");
}

}  // namespace
}  // namespace ulp
