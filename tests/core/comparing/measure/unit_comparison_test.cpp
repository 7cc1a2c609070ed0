#include "core/comparing/measure/unit_comparison.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/numerics/metrics/metric.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/shrinking_unit.h"
#include "tests/support/data/tensor_unit.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::HasSubstr;

double metricOf(const report::Comparison& row, std::string_view id) {
  return row.metrics.at(*numerics::builtinMetrics().indexOf(id));
}

std::shared_ptr<BuiltUnit> twoTensors(float second) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("model.layers.0");
  unit->tensor(Role::Output, "0", {3, second});
  unit->module("model.norm");
  unit->recorded(Role::Output, "0", {1, second});
  return unit;
}

TEST(CompareUnitsTest, ElementsAreComparedWhereThereAreAnyAndStatisticsElsewhere) {
  const auto compared = compareUnits(twoTensors(4), twoTensors(5), {});
  ASSERT_TRUE(compared) << compared.error().message();
  ASSERT_EQ(compared->comparisons.size(), 2U);
  EXPECT_EQ(compared->rows[0].basis, Basis::Elements);
  EXPECT_DOUBLE_EQ(metricOf(compared->comparisons[0], "rms_rel"), 0.2);
  EXPECT_EQ(compared->comparisons[0].site.name, "decoder.0");
  EXPECT_EQ(compared->rows[1].basis, Basis::Statistics);
  EXPECT_TRUE(std::isnan(metricOf(compared->comparisons[1], "rms_rel")));
  EXPECT_DOUBLE_EQ(metricOf(compared->comparisons[1], "stat.max_diff"), 1);
  EXPECT_EQ(compared->comparisons[1].referenceDType, "float32");
}

/// One output of elements of any type.
template <class Element>
std::shared_ptr<test::TensorUnit> unitOf(DType dtype, std::vector<Element> values) {
  auto unit = std::make_shared<test::TensorUnit>();
  unit->entry({.name = "m"});
  const auto count = static_cast<std::int64_t>(values.size());
  unit->tensor(Role::Output, "m", "0", dtype, {count}, std::move(values));
  return unit;
}

TEST(CompareUnitsTest, SquaresBeyondFloat64HideNoDifference) {
  for (const double unit : {1e200, 1e-200}) {
    const auto compared = compareUnits(unitOf<double>(DType::Float64, {3 * unit, 4 * unit}),
                                       unitOf<double>(DType::Float64, {3 * unit, 5 * unit}),
                                       {});
    ASSERT_TRUE(compared);
    EXPECT_FALSE(compared->rows[0].isEqual);
    EXPECT_NEAR(compared->rows[0].error, 0.2, 1e-12) << unit;
    EXPECT_NEAR(metricOf(compared->comparisons[0], "rms_rel"), 0.2, 1e-12) << unit;
    EXPECT_NEAR(metricOf(compared->comparisons[0], "cosine"), 29 / (5 * std::sqrt(34)), 1e-12);
    EXPECT_NEAR(metricOf(compared->comparisons[0], "max_diff"), unit, unit * 1e-12)
        << "in the tensor's own unit";
  }
}

TEST(CompareUnitsTest, IntegersThatFloat64RoundsAlikeAreNotEqual) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 53;
  const auto compared = compareUnits(unitOf<std::int64_t>(DType::Int64, {kLarge + 1, 5}),
                                     unitOf<std::int64_t>(DType::Int64, {kLarge, 5}),
                                     {});
  ASSERT_TRUE(compared);
  EXPECT_FALSE(compared->rows[0].isEqual);
  EXPECT_FALSE(compared->rows[0].isBroken());
  EXPECT_EQ(compared->rows[0].error, 0);
  EXPECT_DOUBLE_EQ(metricOf(compared->comparisons[0], "equal_fraction"), 0.5);
}

TEST(CompareUnitsTest, WithoutElementsNothingIsRead) {
  const auto compared = compareUnits(twoTensors(4), twoTensors(4), {.readsElements = false});
  ASSERT_TRUE(compared);
  EXPECT_EQ(compared->rows[0].basis, Basis::Nothing) << "this row has no statistics";
  EXPECT_EQ(compared->comparisons.size(), 1U);
}

TEST(CompareUnitsTest, AFileThatCannotBeReadIsAProblemAndTheRestIsCompared) {
  const auto candidate = twoTensors(4);
  candidate->loseFile(0);
  const auto compared = compareUnits(twoTensors(4), candidate, {});
  ASSERT_TRUE(compared);
  EXPECT_THAT(compared->problems, ElementsAre(HasSubstr("file.pt: no such file")));
  EXPECT_TRUE(compared->rows[1].isEqual);
}

TEST(CompareUnitsTest, AFileThatBecomesShorterIsAProblemRatherThanNan) {
  const auto candidate = std::make_shared<test::ShrinkingUnit>();
  const auto count = static_cast<std::size_t>(candidate->rows[0].shape[0]);
  const auto baseline = std::make_shared<BuiltUnit>();
  baseline->module("m");
  baseline->tensor(Role::Output, "0", std::vector<float>(count, 0.5F));
  const auto compared = compareUnits(baseline, candidate, {});
  ASSERT_TRUE(compared);
  EXPECT_THAT(compared->problems, ElementsAre(HasSubstr("the file became shorter")));
  ASSERT_EQ(compared->rows.size(), 1U);
  EXPECT_EQ(compared->rows[0].basis, Basis::Nothing);
  EXPECT_FALSE(compared->rows[0].isBroken());
  EXPECT_TRUE(compared->comparisons.empty());
}

TEST(CompareUnitsTest, EqualChecksumsProveEqualityWithoutReadingAFile) {
  const auto left = twoTensors(4);
  const auto right = twoTensors(4);
  left->rows[0].checksum = right->rows[0].checksum = "abc";
  right->loseFile(0);
  const auto compared = compareUnits(left, right, {.checksums = {"crc32", "crc32"}});
  ASSERT_TRUE(compared);
  EXPECT_TRUE(compared->problems.empty());
  EXPECT_TRUE(compared->rows[0].isEqual);
  EXPECT_DOUBLE_EQ(metricOf(compared->comparisons[0], "checksum_equal"), 1);
}

/// The baseline holds a checksum, the candidate the elements {1, 2}.
struct OneSided {
  std::shared_ptr<BuiltUnit> sums = std::make_shared<BuiltUnit>();
  std::shared_ptr<BuiltUnit> elements = std::make_shared<BuiltUnit>();

  explicit OneSided(const std::string& sum) {
    sums->module("m");
    sums->checksum(Role::Output, "0", sum);
    sums->rows[0].shape = {2};
    elements->module("m");
    elements->tensor(Role::Output, "0", {1, 2});
  }
};
constexpr const char* kSumOfOneTwo = "2e3fa576";  // zlib.crc32(struct.pack('<2f', 1, 2))

TEST(CompareUnitsTest, AChecksumOfOneSideIsMadeOfTheElementsOfTheOther) {
  const OneSided equal(kSumOfOneTwo);
  const std::string crc = "crc32 of the bytes";
  const auto same = compareUnits(equal.sums, equal.elements, {.checksums = {crc, ""}});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->rows[0].basis, Basis::Checksums);
  EXPECT_TRUE(same->rows[0].isEqual);
  EXPECT_DOUBLE_EQ(metricOf(same->comparisons[0], "checksum_equal"), 1);
  const auto turned = compareUnits(equal.elements, equal.sums, {.checksums = {"", crc}});
  ASSERT_TRUE(turned);
  EXPECT_TRUE(turned->rows[0].isEqual);
  const OneSided other("2e3fa577");
  const auto different = compareUnits(other.sums, other.elements, {.checksums = {crc, ""}});
  ASSERT_TRUE(different);
  EXPECT_EQ(different->rows[0].basis, Basis::Checksums);
  EXPECT_FALSE(different->rows[0].isEqual);
  EXPECT_DOUBLE_EQ(metricOf(different->comparisons[0], "checksum_equal"), 0);
}

TEST(CompareUnitsTest, NoChecksumIsMadeOfOtherFormatsOrKindsOrWithoutReading) {
  const std::string crc = "crc32 of the bytes";
  OneSided half(kSumOfOneTwo);
  half.sums->rows[0].dtype = "torch.float16";
  const auto formats = compareUnits(half.sums, half.elements, {.checksums = {crc, ""}});
  ASSERT_TRUE(formats);
  EXPECT_EQ(formats->rows[0].basis, Basis::Nothing);
  const OneSided equal(kSumOfOneTwo);
  const auto kinds = compareUnits(equal.sums, equal.elements, {.checksums = {"sha256", ""}});
  ASSERT_TRUE(kinds);
  EXPECT_EQ(kinds->rows[0].basis, Basis::Nothing);
  const auto unread =
      compareUnits(equal.sums, equal.elements, {.readsElements = false, .checksums = {crc, ""}});
  ASSERT_TRUE(unread);
  EXPECT_EQ(unread->rows[0].basis, Basis::Nothing);
}

TEST(CompareUnitsTest, AFileThatIsLostCannotBeSummed) {
  const OneSided lost(kSumOfOneTwo);
  lost.elements->loseFile(0);
  const auto compared = compareUnits(
      lost.sums, lost.elements, {.checksums = {"crc32 of the bytes", "crc32 of the bytes"}});
  ASSERT_TRUE(compared);
  EXPECT_THAT(compared->problems, ElementsAre(HasSubstr("candidate: file.pt: no such file")));
  EXPECT_FALSE(compared->rows[0].isEqual);
}

/// The baseline holds statistics, the candidate the elements {1, 2}.
struct StatisticsOfOne {
  std::shared_ptr<BuiltUnit> numbers = std::make_shared<BuiltUnit>();
  std::shared_ptr<BuiltUnit> elements = std::make_shared<BuiltUnit>();

  explicit StatisticsOfOne(const dumps::Statistics& statistics,
                           std::vector<float> values = {1, 2}) {
    numbers->module("m");
    numbers->recorded(Role::Output, "0", {1, 2});
    numbers->rows[0].statistics = statistics;
    elements->module("m");
    elements->tensor(Role::Output, "0", std::move(values));
  }
};

TEST(CompareUnitsTest, StatisticsOfOneSideAreMadeOfTheElementsOfTheOther) {
  // Written in float32, as torch writes them.
  const StatisticsOfOne equal({2, 1, 1.5, static_cast<double>(std::sqrt(5.0F))});
  for (const bool isTurned : {false, true}) {
    const auto same = isTurned ? compareUnits(equal.elements, equal.numbers, {})
                               : compareUnits(equal.numbers, equal.elements, {});
    ASSERT_TRUE(same);
    EXPECT_TRUE(same->problems.empty());
    EXPECT_EQ(same->rows[0].basis, Basis::Statistics);
    EXPECT_TRUE(same->rows[0].isEqual);
    EXPECT_EQ(metricOf(same->comparisons[0], "stat.norm_rel"), 0);
  }
  const StatisticsOfOne other({2, 1, 1.5, 2 * std::sqrt(5.0)});
  const auto different = compareUnits(other.numbers, other.elements, {});
  ASSERT_TRUE(different);
  EXPECT_FALSE(different->rows[0].isEqual);
  EXPECT_DOUBLE_EQ(different->rows[0].error, 0.5);
  const StatisticsOfOne lost({2, 1, 1.5, 2}, {1, std::nanf("")});
  const auto broken = compareUnits(lost.numbers, lost.elements, {});
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->rows[0].nonFinite, NonFiniteChange::Lost);
}

TEST(CompareUnitsTest, NoStatisticsAreMadeWithoutReadingOrOfAFileThatIsLost) {
  const StatisticsOfOne sides({2, 1, 1.5, 2});
  const auto unread = compareUnits(sides.numbers, sides.elements, {.readsElements = false});
  ASSERT_TRUE(unread);
  EXPECT_EQ(unread->rows[0].basis, Basis::Nothing);
  sides.elements->loseFile(0);
  const auto lost = compareUnits(sides.numbers, sides.elements, {});
  ASSERT_TRUE(lost);
  EXPECT_THAT(lost->problems, ElementsAre(HasSubstr("candidate: file.pt: no such file")));
  EXPECT_EQ(lost->rows[0].basis, Basis::Nothing);
}

TEST(CompareUnitsTest, DimensionsOfSizeOneDoNotMatterUnlessShapesAreToBeExact) {
  const auto left = std::make_shared<BuiltUnit>();
  left->module("m");
  left->tensor(Role::Output, "0", {1, 2});
  const auto right = std::make_shared<BuiltUnit>();
  right->module("m");
  right->tensor(Role::Output, "0", {1, 2});
  right->rows[0].shape = {1, 2, 1};
  const auto compared = compareUnits(left, right, {});
  ASSERT_TRUE(compared);
  EXPECT_TRUE(compared->rows[0].isEqual);
  EXPECT_FALSE(compared->rows[0].isShapeDifferent);
  const auto exact =
      compareUnits(left, right, {.mapping = *SiteMapping::make({}, {}, {.areShapesExact = true})});
  ASSERT_TRUE(exact);
  EXPECT_TRUE(exact->rows[0].isShapeDifferent);
  EXPECT_EQ(exact->rows[0].basis, Basis::Nothing);
  EXPECT_FALSE(exact->rows[0].isEqual);
  EXPECT_THAT(exact->comparisons, testing::IsEmpty());
  const auto same =
      compareUnits(left, left, {.mapping = *SiteMapping::make({}, {}, {.areShapesExact = true})});
  EXPECT_TRUE(same->rows[0].isEqual);
}

TEST(CompareUnitsTest, ManyRowsGiveTheSameWithAnyNumberOfThreads) {
  const auto build = [](float offset) {
    auto unit = std::make_shared<BuiltUnit>();
    for (int i = 0; i < 500; ++i) {
      unit->module("model.layers." + std::to_string(i));
      unit->tensor(Role::Output, "0", {1.0F + static_cast<float>(i) * offset, 2, 3});
    }
    return unit;
  };
  const auto one = compareUnits(build(0), build(0.01F), {.threads = 1});
  const auto four = compareUnits(build(0), build(0.01F), {.threads = 4});
  ASSERT_TRUE(one && four);
  ASSERT_EQ(one->comparisons.size(), 500U);
  for (std::size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(one->comparisons[i].site, four->comparisons[i].site);
    EXPECT_EQ(metricOf(one->comparisons[i], "rms_rel"), metricOf(four->comparisons[i], "rms_rel"));
  }
}

TEST(CompareUnitsTest, SharesWithinThousandthsLeaveOutWhatIsNotFiniteAlsoInEqualTensors) {
  const auto build = [](std::vector<float> values) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("m");
    unit->tensor(Role::Output, "0", {1, 2, 3, 4});
    unit->tensor(Role::Output, "1", std::move(values));
    return unit;
  };
  const auto compared = compareUnits(build({1, NAN, 100, 0}), build({1, NAN, 100.2F, 0}), {});
  ASSERT_TRUE(compared);
  ASSERT_EQ(compared->comparisons.size(), 2U);
  EXPECT_EQ(metricOf(compared->comparisons[0], "within.thousandth"), 1);
  EXPECT_DOUBLE_EQ(metricOf(compared->comparisons[1], "within.thousandth"), 2.0 / 3);
  EXPECT_EQ(metricOf(compared->comparisons[1], "within.five_thousandths"), 1);
}

TEST(CompareUnitsTest, AStopEndsIt) {
  std::stop_source source;
  source.request_stop();
  const auto compared = compareUnits(twoTensors(4), twoTensors(4), {}, source.get_token());
  ASSERT_FALSE(compared);
  EXPECT_EQ(compared.error().code(), ErrorCode::Cancelled);
}

}  // namespace
}  // namespace ulp::analysis
