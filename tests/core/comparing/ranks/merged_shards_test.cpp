#include "core/comparing/ranks/merged_shards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/mapping/site_mapping.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/data/small_matrices.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/sanitizers.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using test::columnsOf;
using test::counted;
using test::Matrix;
using test::product;
using test::rowsOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

/// What a rank runs: which layers, which of the hidden features, which tokens.
struct ShardPart {
  std::size_t firstLayer = 0;
  std::size_t layers = 2;
  std::size_t firstFeature = 0;
  std::size_t features = 4;
  std::size_t firstToken = 0;
  std::size_t tokens = 4;
};

constexpr std::size_t kColumns = 3;

Matrix shardedUpOf(std::size_t layer) {
  return counted(4, kColumns, static_cast<int>(layer) + 1);
}
Matrix shardedDownOf(std::size_t layer) {
  return counted(kColumns, 4, static_cast<int>(layer) + 3);
}
Matrix runLayer(const Matrix& x, std::size_t layer) {
  return product(product(x, shardedUpOf(layer), true), shardedDownOf(layer), true);
}

class RankMaker {
 public:
  RankMaker(ShardPart part, bool isStatistics) : m_part(part), m_isStatistics(isStatistics) {}

  /// Two linear layers as Megatron divides them: the first by rows, the second by columns of its
  /// weight, whose partial products are summed up.
  std::shared_ptr<BuiltUnit> make() {
    Matrix x = rowsOf(counted(4, kColumns, 7), m_part.firstToken, m_part.tokens);
    m_unit->module("norm.before", "Norm");
    row(Role::Output, "0", x);
    for (std::size_t layer = 0; layer < m_part.firstLayer; ++layer) {
      x = runLayer(x, layer);
    }
    const Matrix first = x;
    for (std::size_t i = 0; i < m_part.layers; ++i) {
      const std::size_t layer = m_part.firstLayer + i;
      const std::string path = "decoder.layers." + std::to_string(i) + ".mlp.";
      const Matrix up = rowsOf(shardedUpOf(layer), m_part.firstFeature, m_part.features);
      const Matrix down = columnsOf(shardedDownOf(layer), m_part.firstFeature, m_part.features);
      const Matrix hidden = product(x, up, true);
      m_unit->module(path + "up_proj", "ColumnParallelLinear");
      row(Role::Input, "0", x);
      row(Role::Parameter, "weight", up);
      row(Role::Output, "0", hidden);
      m_unit->module(path + "partial", "Partial");
      row(Role::Output, "0", product(hidden, down, true));
      m_unit->module(path + "down_proj", "RowParallelLinear");
      row(Role::Input, "0", hidden);
      row(Role::Parameter, "weight", down);
      x = runLayer(x, layer);
      row(Role::Output, "0", x);
      m_unit->api("Functional.relu", i);
      row(Role::Output, "0", x);
    }
    m_unit->module("decoder", "Decoder");
    row(Role::Input, "0", first);
    row(Role::Output, "0", x);
    return m_unit;
  }

 private:
  void row(Role role, const std::string& index, const Matrix& values) {
    m_unit->matrix(role, index, values, m_isStatistics);
  }

  ShardPart m_part;
  bool m_isStatistics;
  std::shared_ptr<BuiltUnit> m_unit = std::make_shared<BuiltUnit>();
};

std::shared_ptr<BuiltDump> dumpOf(const std::vector<ShardPart>& ranks, bool isStatistics = false) {
  auto dump = std::make_shared<BuiltDump>();
  dump->path = "dump";
  dump->format = "built";
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    dump->add(RankMaker(ranks[rank], isStatistics).make(),
              {.step = 0, .rank = static_cast<std::int64_t>(rank)});
  }
  return dump;
}

const std::string kShards =
    "shards:\n"
    "  - megatron\n"
    "  - {match: 'partial$', as: sum}\n";

DumpRules mergingRulesOf(const std::string& yaml) {
  const auto mapping = SiteMapping::parse(yaml, "m.yaml");
  EXPECT_TRUE(mapping) << mapping.error().message();
  return mapping->dumps();
}

UnitOutcome compareMerged(const std::vector<ShardPart>& ranks,
                          const std::string& yaml,
                          bool isStatistics = false) {
  const auto whole = dumpOf({ShardPart{}}, isStatistics);
  const auto merged = mergeShards(dumpOf(ranks, isStatistics), mergingRulesOf(yaml), false);
  EXPECT_TRUE(merged) << merged.error().message();
  auto comparison = compareDumps(*whole, **merged, {});
  EXPECT_TRUE(comparison) << comparison.error().message();
  EXPECT_EQ(comparison->units.size(), 1U);
  return std::move(comparison->units.front());
}

void expectWhole(const UnitOutcome& outcome) {
  EXPECT_THAT(outcome.onlyBaseline, IsEmpty());
  EXPECT_THAT(outcome.onlyCandidate, IsEmpty());
  EXPECT_THAT(outcome.shapesDiffer, IsEmpty());
  EXPECT_THAT(outcome.problems, IsEmpty());
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
  EXPECT_EQ(outcome.pairedRows, 19U);
  EXPECT_EQ(outcome.equalRows, 19U);
}

TEST(MergeShardsTest, TensorParallelRanksAreTheUndividedModel) {
  expectWhole(compareMerged(
      {{.firstFeature = 0, .features = 2}, {.firstFeature = 2, .features = 2}}, kShards));
}

TEST(MergeShardsTest, StagesOfAPipelineFollowOneAnother) {
  expectWhole(compareMerged({{.firstLayer = 0, .layers = 1}, {.firstLayer = 1, .layers = 1}},
                            "ranks: {pipeline: [[0], [1]], layers: [0, 1]}\n"));
}

TEST(MergeShardsTest, DataParallelRanksPutTheirTokensTogether) {
  expectWhole(compareMerged({{.firstToken = 0, .tokens = 2}, {.firstToken = 2, .tokens = 2}},
                            "ranks: {data: 2}\n"));
}

TEST(MergeShardsTest, AllThreeAtOnceByTheirSizes) {
  std::vector<ShardPart> ranks;
  for (const std::size_t stage : {0U, 1U}) {
    for (const std::size_t copy : {0U, 1U}) {
      for (const std::size_t shard : {0U, 1U}) {
        ranks.push_back({.firstLayer = stage,
                         .layers = 1,
                         .firstFeature = 2 * shard,
                         .features = 2,
                         .firstToken = 2 * copy,
                         .tokens = 2});
      }
    }
  }
  expectWhole(
      compareMerged(ranks, kShards + "ranks: {tensor: 2, data: 2, pipeline: 2, layers: [0, 1]}\n"));
}

TEST(MergeShardsTest, StatisticsOfShardsAreThoseOfTheWhole) {
  const UnitOutcome outcome = compareMerged(
      {{.firstFeature = 0, .features = 2}, {.firstFeature = 2, .features = 2}}, kShards, true);
  EXPECT_THAT(outcome.onlyBaseline, IsEmpty());
  EXPECT_EQ(outcome.rowsByStatistics, 17U) << "sums have none";
  EXPECT_LT(outcome.verdict.largestError, 1e-12);
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
}

TEST(MergeShardsTest, WhatShouldBeEqualOnAllRanksAndIsNotIsNamed) {
  auto broken = std::make_shared<BuiltUnit>();
  broken->module("norm.before", "Norm");
  broken->recorded(Role::Output, "0", {1, 2});
  auto other = std::make_shared<BuiltUnit>();
  other->module("norm.before", "Norm");
  other->recorded(Role::Output, "0", {1, 3});
  auto pair = std::make_shared<BuiltDump>();
  pair->add(broken, {.rank = 0});
  pair->add(other, {.rank = 1});
  const auto merged = mergeShards(pair, mergingRulesOf("shards: megatron"), false);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto unit = (*merged)->openUnit(0);
  ASSERT_TRUE(unit);
  ASSERT_TRUE((*unit)->rows[0].replicas);
  EXPECT_THAT((*unit)->rows[0].replicas->difference().text(),
              testing::StartsWith("rank 1: norm 3.16"));
  EXPECT_THAT(textsOf((*unit)->notes), IsEmpty()) << "it is a finding";
}

TEST(MergeShardsTest, WhatRanksSayOfThemAndIsNotKnownIsLeftOut) {
  auto pair = std::make_shared<BuiltDump>();
  for (const std::int64_t rank : {0, 1}) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->api("Functional.embedding", 0);
    unit->recorded(Role::Output, "0", {1, static_cast<double>(rank)});
    unit->rows.back().placement = std::make_shared<dumps::Placement>(dumps::Placement{
        .axes = {{.kind = dumps::Placement::Kind::Unknown, .size = 2, .coordinate = rank}},
        .shape = {2}});
    unit->recorded(Role::Output, "1", {1, 2});
    pair->add(unit, {.rank = rank});
  }
  const auto merged = mergeShards(pair, mergingRulesOf("shards: megatron"), false);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto unit = (*merged)->openUnit(0);
  ASSERT_TRUE(unit);
  ASSERT_EQ((*unit)->rows.size(), 1U);
  EXPECT_EQ((*unit)->rows[0].index, "1");
  EXPECT_THAT(textsOf((*unit)->notes),
              Contains(HasSubstr("1 tensors cannot be put together by what their ranks say of "
                                 "them, and are left out: ")));
}

TEST(MergeShardsTest, ElementsOfReplicasAreCheckedWhenTheyAreRead) {
  // Without rules every tensor counts as replicated that has the shape of the whole, which the
  // partial sums are not.
  const UnitOutcome outcome =
      compareMerged({{.firstFeature = 0, .features = 2}, {.firstFeature = 2, .features = 2}},
                    "ranks: {tensor: [0, 1]}\n");
  EXPECT_THAT(outcome.problems, Contains(HasSubstr("partial.Partial.forward.0.output.0")));
  EXPECT_THAT(outcome.problems, Contains(HasSubstr("rank 1: ")));
  EXPECT_THAT(outcome.problems, Contains(HasSubstr("a rule of 'shards' says if they hold parts")));
}

TEST(MergeShardsTest, PiecesOfSeveralPartsAreSortedByPart) {
  const auto rank = [](std::vector<float> values) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("mlp.linear_fc1", "Linear");
    unit->tensor(Role::Parameter, "weight", std::move(values));
    unit->shape({4, 1});
    return unit;
  };
  auto pair = std::make_shared<BuiltDump>();
  pair->add(rank({0, 1, 10, 11}), {.rank = 0});
  pair->add(rank({2, 3, 12, 13}), {.rank = 1});
  const auto merged = mergeShards(pair, mergingRulesOf("shards: [megatron_gated, megatron]"), true);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto unit = (*merged)->openUnit(0);
  ASSERT_TRUE(unit);
  EXPECT_THAT((*unit)->rows[0].shape, testing::ElementsAre(8, 1));
  const auto tensor = (*unit)->read(0);
  ASSERT_TRUE(tensor) << tensor.error().message();
  std::vector<double> elements;
  for (std::size_t i = 0; i < 8; ++i) {
    elements.push_back(numerics::elementAt(tensor->view, i));
  }
  EXPECT_THAT(elements, testing::ElementsAre(0, 1, 2, 3, 10, 11, 12, 13));
}

/// A module call as tools write it that keep a file a tensor: an entry for each.
std::shared_ptr<BuiltUnit> filesOf(const std::string& module) {
  auto unit = std::make_shared<BuiltUnit>();
  const auto file = [&](const std::string& name, Role role, const std::string& index, float value) {
    unit->entry({.name = "non_intrusive__" + module + name,
                 .kind = EntryKind::Module,
                 .module = module,
                 .operation = "RMSNorm"});
    unit->tensor(role, index, {value});
  };
  file(".inputs.0", Role::Input, "0", 1);
  file(".inputs.1", Role::Input, "1", 2);
  file(".weight", Role::Parameter, "weight", 3);
  file(".output", Role::Output, "0", 4);
  return unit;
}

std::vector<std::string> entriesOf(const dumps::DumpUnit& unit) {
  std::vector<std::string> names;
  for (const dumps::DumpEntry& entry : unit.entries) {
    names.push_back(entry.name);
    EXPECT_EQ(entry.rowCount, 1U) << entry.name;
  }
  return names;
}

TEST(MergeShardsTest, EntriesOfOneTensorEachStayAsManyAsTheyAre) {
  const auto pair = std::make_shared<BuiltDump>();
  pair->add(filesOf("model.norm"), {.rank = 0});
  pair->add(filesOf("model.norm"), {.rank = 1});
  const auto merged = mergeShards(pair, mergingRulesOf("shards: megatron"), false);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto unit = (*merged)->openUnit(0);
  ASSERT_TRUE(unit);
  EXPECT_THAT(entriesOf(**unit),
              testing::ElementsAre("non_intrusive__model.norm.inputs.0",
                                   "non_intrusive__model.norm.inputs.1",
                                   "non_intrusive__model.norm.weight",
                                   "non_intrusive__model.norm.output"));
}

/// Rows that stand elsewhere in the call of another rank were looked for among all of it.
TEST(MergeShardsTest, OneCallOfManyRowsTakesATimeThatGrowsWithTheirNumber) {
  constexpr int kRows = 100'000;
  auto dump = std::make_shared<BuiltDump>();
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    const auto unit = std::make_shared<BuiltUnit>();
    unit->module("layer", "Layer");
    for (int i = 0; i < kRows; ++i) {
      unit->recorded(Role::Output, std::to_string(rank == 0 ? i : kRows - 1 - i), {1, 2});
    }
    dump->add(unit, {.step = 0, .rank = rank});
  }
  const double before = test::processSeconds();
  const auto merged = mergeShards(dump, mergingRulesOf("ranks: {tensor: 2}"), false);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto unit = (*merged)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_EQ((*unit)->rows.size(), kRows);
  EXPECT_THAT(textsOf((*unit)->notes), IsEmpty());
  EXPECT_LT(test::processSeconds() - before, 8 * test::sanitizerFactor())
      << "minutes where it grows with the square";
}

/// One module call whose outputs have these shapes.
std::shared_ptr<BuiltUnit> outputsOf(const std::vector<std::vector<std::int64_t>>& shapes) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->module("up", "Linear");
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    unit->recorded(Role::Output, std::to_string(i), {1, 2});
    unit->shape(shapes[i]);
  }
  return unit;
}

std::vector<std::string> notesOfMerged(const std::vector<std::shared_ptr<BuiltUnit>>& ranks,
                                       const std::string& yaml) {
  auto dump = std::make_shared<BuiltDump>();
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    dump->add(ranks[rank], {.rank = static_cast<std::int64_t>(rank)});
  }
  const auto merged = mergeShards(dump, mergingRulesOf(yaml), true);
  EXPECT_TRUE(merged) << merged.error().message();
  const auto unit = (*merged)->openUnit(0);
  EXPECT_TRUE(unit) << unit.error().message();
  return unit ? textsOf((*unit)->notes) : std::vector<std::string>();
}

TEST(MergeShardsTest, WhatIsNotOnEveryRankIsNotedByTheFirstEight) {
  const std::string start = "Module.up.Linear.forward.0.output.";
  const std::string rules = "ranks: {tensor: [0, 1]}\n";
  const std::string what =
      " tensors are not there on every rank, and stay as the first rank has them: ";
  EXPECT_THAT(notesOfMerged({outputsOf({{2}, {2}}), outputsOf({{2}})}, rules),
              testing::ElementsAre("1" + what + start + "1 (rank 1)"));
  const auto eight = notesOfMerged(
      {outputsOf(std::vector(9, std::vector<std::int64_t>{2})), outputsOf({{2}})}, rules);
  ASSERT_EQ(eight.size(), 1U);
  EXPECT_THAT(eight.front(), testing::StartsWith("8" + what + start + "1 (rank 1); "));
  EXPECT_THAT(eight.front(), testing::EndsWith("; " + start + "8 (rank 1)"));
  const auto nine = notesOfMerged(
      {outputsOf(std::vector(10, std::vector<std::int64_t>{2})), outputsOf({{2}})}, rules);
  ASSERT_EQ(nine.size(), 1U);
  EXPECT_THAT(nine.front(), testing::StartsWith("9" + what));
  EXPECT_THAT(nine.front(), testing::EndsWith(start + "8 (rank 1) and 1 more"));
  auto other = std::make_shared<BuiltUnit>();
  other->module("own", "Linear");
  other->recorded(Role::Output, "0", {1, 2});
  EXPECT_THAT(notesOfMerged({std::make_shared<BuiltUnit>(), other}, rules),
              testing::ElementsAre("1" + what +
                                   "Module.own.Linear.forward.0.output.0 (rank 1 alone has it)"));
}

TEST(MergeShardsTest, WhatCannotBePutTogetherSaysWhy) {
  const auto reason = [](const std::vector<std::int64_t>& first,
                         const std::vector<std::int64_t>& second,
                         const std::string& rule) {
    const auto notes =
        notesOfMerged({outputsOf({first}), outputsOf({second})},
                      "ranks: {tensor: [0, 1]}\nshards:\n  - {match: up, " + rule + "}\n");
    return notes.size() == 1 ? notes.front().substr(notes.front().find('(')) : "no note";
  };
  EXPECT_EQ(reason({2, 1}, {2, 1}, "dim: 1"), "no note");
  EXPECT_EQ(reason({2, 1}, {2, 1}, "dim: 2"), "(no dimension 2 in [2, 1])");
  EXPECT_EQ(reason({2, 1}, {2, 1}, "dim: -3"), "(no dimension -3 in [2, 1])");
  EXPECT_EQ(reason({2, 1}, {2, 3}, "dim: 1"), "no note") << "shards of unequal size";
  EXPECT_EQ(reason({2, 1}, {3, 1}, "dim: 1"), "(rank 1: [3, 1] beside [2, 1])");
  EXPECT_EQ(reason({2, 1}, {2}, "dim: 0"), "(rank 1: [2] beside [2, 1])");
  EXPECT_EQ(reason({4, 1}, {4, 1}, "dim: 0, parts: [1, 1]"), "no note");
  EXPECT_EQ(reason({4, 1}, {3, 1}, "dim: 0, parts: [1, 1]"),
            "(3 is no multiple of the 2 of its parts)");
}

TEST(MergeShardsTest, AMissingRankLeavesItsStepOut) {
  auto dump = dumpOf({{.features = 2}, {.firstFeature = 2, .features = 2}});
  dump->add(RankMaker({}, false).make(), {.step = 1, .rank = 0});
  const auto merged = mergeShards(dump, mergingRulesOf(kShards), false);
  ASSERT_TRUE(merged) << merged.error().message();
  EXPECT_EQ((*merged)->units.size(), 1U);
  EXPECT_EQ((*merged)->format, "built, 2 ranks as one");
  EXPECT_THAT(textsOf((*merged)->notes), Contains(HasSubstr("dump: step 1: rank 1 is missing")));
}

TEST(MergeShardsTest, ARankThatIsThereTwiceIsNoted) {
  const auto dump = dumpOf({{.features = 2}, {.firstFeature = 2, .features = 2}});
  dump->add(RankMaker({}, false).make(), {.step = 0, .rank = 1});
  const auto merged = mergeShards(dump, mergingRulesOf(kShards), false);
  ASSERT_TRUE(merged) << merged.error().message();
  EXPECT_EQ((*merged)->units.size(), 1U);
  EXPECT_THAT(textsOf((*merged)->notes),
              testing::ElementsAre("dump: step 0, rank 1 is there twice; the first one is taken"));
}

TEST(MergeShardsTest, RanksWithoutAPlaceAreRefused) {
  const auto dump = dumpOf({{.features = 2}, {.firstFeature = 2, .features = 2}});
  const auto merged = mergeShards(dump, mergingRulesOf("ranks: {pipeline: [[0], [2]]}"), false);
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().message(),
            "dump: rank 1 is in no group of an axis that 'ranks' names; correct 'ranks' of the "
            "mapping");
  const auto lacking = mergeShards(dump, mergingRulesOf("ranks: {tensor: [0, 1, 2]}"), false);
  ASSERT_FALSE(lacking);
  EXPECT_THAT(lacking.error().message(), HasSubstr("step 0: rank 2 is missing"));
}

TEST(MergeShardsTest, DumpsThatAreNotDividedComeBackAsTheyAre) {
  const dumps::DumpPtr one = dumpOf({ShardPart{}});
  EXPECT_EQ(*mergeShards(one, mergingRulesOf(kShards), true), one);
  const dumps::DumpPtr two = dumpOf({ShardPart{}, ShardPart{}});
  EXPECT_EQ(*mergeShards(two, {}, true), two);
  EXPECT_EQ(*mergeShards(two, mergingRulesOf("ranks: {baseline: {tensor: 2}}"), false), two);
}

TEST(MergedShardsTest, ARuleThatTakesTooManyStepsIsAnError) {
  auto pair = std::make_shared<BuiltDump>();
  for (const std::int64_t rank : {0, 1}) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module(std::string(60, 'a') + "!");
    unit->matrix(Role::Output, "0", counted(2, 2, 1), false);
    pair->add(unit, {.step = 0, .rank = rank});
  }
  const auto merged =
      mergeShards(pair, mergingRulesOf("shards:\n  - {match: '^(a+)+$', as: sum}\n"), true);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto opened = (*merged)->openUnit(0);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ulp::analysis
