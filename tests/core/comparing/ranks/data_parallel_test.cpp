#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/ranks/merged_shards.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/small_matrices.h"

/// Ranks that train on shares of a batch beside one that has all of it.
namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using test::columnsOf;
using test::counted;
using test::Matrix;
using test::product;
using test::rowsOf;
using test::transposed;
using testing::IsEmpty;

constexpr std::size_t kSamples = 4;

/// y = x W, and the mean of y as the loss, whose gradient at W is that of all samples: what
/// DistributedDataParallel leaves. Ranks have losses of their own, and gradients of these.
class ShareMaker {
 public:
  explicit ShareMaker(bool isStatistics) : m_isStatistics(isStatistics) {}

  std::shared_ptr<BuiltUnit> make(std::size_t first, std::size_t count) {
    const Matrix x = rowsOf(counted(kSamples, 2, 5), first, count);
    const Matrix weight = counted(8, 2, 3);
    const Matrix y = product(x, weight, true);
    double sum = 0;
    for (const auto& row : y) {
      for (const float value : row) {
        sum += value;
      }
    }
    const auto elements = static_cast<float>(count * 8);
    const Matrix arrives(count, std::vector<float>(8, 1 / elements));
    m_unit->api("Functional.linear", 0);
    m_unit->matrix(Role::Input, "0", x, m_isStatistics);
    m_unit->matrix(Role::Input, "1", weight, m_isStatistics);
    m_unit->matrix(Role::Output, "0", y, m_isStatistics);
    m_unit->api("Functional.cross_entropy", 0);
    m_unit->matrix(Role::Input, "0", y, m_isStatistics);
    number(Role::Output, static_cast<float>(sum) / elements);
    backward("Functional.cross_entropy");
    number(Role::OutputGradient, 1);
    m_unit->matrix(Role::InputGradient, "0", arrives, m_isStatistics);
    backward("Functional.linear");
    m_unit->matrix(Role::OutputGradient, "0", arrives, m_isStatistics);
    m_unit->matrix(
        Role::InputGradient, "0", product(arrives, transposed(weight), true), m_isStatistics);
    m_unit->matrix(Role::InputGradient,
                   "1",
                   product(transposed(arrives), transposed(x), true),
                   m_isStatistics);
    return m_unit;
  }

 private:
  void backward(const std::string& operation) {
    m_unit->entry({.name = operation + ".0.backward",
                   .kind = dumps::EntryKind::Api,
                   .pass = Pass::Backward,
                   .operation = operation});
  }
  void number(Role role, float value) {
    m_unit->matrix(role, "0", {{value}}, m_isStatistics);
    m_unit->shape({});
  }

  bool m_isStatistics;
  std::shared_ptr<BuiltUnit> m_unit = std::make_shared<BuiltUnit>();
};

Result<UnitOutcome> comparedShares(double divisor, bool isStatistics = false) {
  BuiltDump whole;
  whole.path = "one";
  whole.add(ShareMaker(isStatistics).make(0, kSamples), {.step = 0});
  auto parts = std::make_shared<BuiltDump>();
  parts->path = "two";
  for (const int rank : {0, 1}) {
    parts->add(ShareMaker(isStatistics).make(static_cast<std::size_t>(rank) * 2, 2),
               {.step = 0, .rank = rank});
  }
  DumpRules rules;
  rules.candidateRanks = RankLayout{.data = {{0, 1}}, .gradientDivisor = divisor};
  const auto merged = ULP_TRY(mergeShards(parts, rules, false));
  auto comparison = ULP_TRY(compareDumps(whole, *merged, {}));
  return std::move(comparison.units.front());
}

TEST(DataParallel, SharesOfABatchAreTheWholeWhereGradientsAreMeans) {
  const auto outcome = comparedShares(2);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->shapesDiffer, IsEmpty());
  EXPECT_THAT(outcome->problems, IsEmpty());
  EXPECT_EQ(outcome->equalRows, 10U) << "of " << outcome->pairedRows;
  EXPECT_EQ(outcome->pairedRows, 10U);
  EXPECT_TRUE(outcome->isIdentical());
}

TEST(DataParallel, StatisticsFollowAndTheGradientOfAParameterHasNone) {
  const auto outcome = comparedShares(2, true);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->shapesDiffer, IsEmpty());
  EXPECT_EQ(outcome->rowsByStatistics, 9U);
  EXPECT_LT(outcome->verdict.largestError, 1e-12);
}

TEST(DataParallel, StatisticsOfTokensAreThoseOfTheWholeToTheLastBit) {
  const auto tokensOf = [](const std::vector<double>& ids) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->api("Functional.embedding", 0);
    unit->recorded(Role::Input, "0", ids);
    unit->rows.back().dtype = "torch.int64";
    return unit;
  };
  BuiltDump whole;
  whole.add(tokensOf({3, 1, 7, 29, 31, 5}));
  auto parts = std::make_shared<BuiltDump>();
  parts->add(tokensOf({3, 1, 7}), {.rank = 0});
  parts->add(tokensOf({29, 31, 5}), {.rank = 1});
  DumpRules rules;
  rules.candidateRanks = RankLayout{.data = {{0, 1}}};
  const auto merged = mergeShards(parts, rules, false);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto comparison = compareDumps(whole, **merged, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  EXPECT_EQ(comparison->units.front().equalRows, 1U);
}

TEST(DataParallel, GradientsThatAreSumsOnlyStandOneBehindTheOther) {
  const auto outcome = comparedShares(1);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->shapesDiffer, IsEmpty());
  EXPECT_EQ(outcome->equalRows, 5U) << "all before the loss, and what arrives at it";
}

using dumps::Placement;

/// A rank of two that divide tensors, of two that have data of their own: FSDP 2 over a
/// tensor-parallel model. `data` and `part` are its places.
std::shared_ptr<BuiltUnit> rankOfMesh(std::size_t data, std::size_t part) {
  const auto shardOf = [](std::int64_t dim, std::size_t coordinate, bool isInnermost = false) {
    return Placement::Axis{.kind = Placement::Kind::Shard,
                           .dim = dim,
                           .isInnermost = isInnermost,
                           .size = 2,
                           .coordinate = static_cast<std::int64_t>(coordinate)};
  };
  auto unit = std::make_shared<BuiltUnit>();
  const Matrix rows = rowsOf(counted(kSamples, 8, 5), 2 * data, 2);
  unit->module("up", "Linear");
  unit->matrix(Role::Parameter, "weight", rowsOf(counted(8, 2, 3), 4 * part + 2 * data, 2), false);
  unit->rows.back().placement = std::make_shared<Placement>(
      Placement{.axes = {shardOf(0, data, true), shardOf(0, part)}, .shape = {8, 2}});
  unit->matrix(Role::Output, "0", columnsOf(rows, 4 * part, 4), false);
  unit->rows.back().placement =
      std::make_shared<Placement>(Placement{.axes = {shardOf(1, part)}, .shape = {2, 8}});
  unit->module("silu", "SiLU");
  unit->matrix(Role::Output, "0", columnsOf(rows, 4 * part, 4), false);
  unit->value(Role::Output, "1", "2");
  return unit;
}

TEST(DataParallel, TensorParallelRanksAmongThemArePutTogetherLast) {
  BuiltDump whole;
  auto one = std::make_shared<BuiltUnit>();
  one->module("up", "Linear");
  one->matrix(Role::Parameter, "weight", counted(8, 2, 3), false);
  one->matrix(Role::Output, "0", counted(kSamples, 8, 5), false);
  one->module("silu", "SiLU");
  one->matrix(Role::Output, "0", counted(kSamples, 8, 5), false);
  one->value(Role::Output, "1", "4");
  whole.add(one, {.step = 0});
  auto parts = std::make_shared<BuiltDump>();
  for (std::size_t rank = 0; rank < 4; ++rank) {
    parts->add(rankOfMesh(rank / 2, rank % 2),
               {.step = 0, .rank = static_cast<std::int64_t>(rank)});
  }
  DumpRules rules;
  rules.candidateRanks =
      RankLayout{.tensor = {{0, 1}, {2, 3}}, .data = {{0, 2}, {1, 3}}, .gradientDivisor = 2};
  const auto merged = mergeShards(parts, rules, false);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto comparison = compareDumps(whole, **merged, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  const UnitOutcome& outcome = comparison->units.front();
  EXPECT_THAT(outcome.onlyBaseline, IsEmpty());
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_EQ(outcome.pairedRows, 3U);
  EXPECT_EQ(outcome.equalRows, 3U);
  EXPECT_THAT(textsOf(outcome.notes),
              testing::UnorderedElementsAre(
                  testing::StartsWith("1 tensors of several ranks are put together as the shapes"),
                  testing::StartsWith("1 numbers count what a rank has of the batch")));
}

}  // namespace
}  // namespace ulp::analysis
