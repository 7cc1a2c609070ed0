#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/ranks/merged_shards.h"
#include "core/comparing/ranks/renumbered_units.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltDump;
using test::BuiltUnit;
using testing::Contains;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kLayersOfAll = 4;

/// What a rank has in one chunk of the model list.
struct Chunk {
  int number = 0;             ///< in the model list
  std::vector<int> layers{};  ///< of the whole model
  bool countsItsOwn = true;   ///< its first layer is layer 0 to it
};

/// What flows into a layer, forward and backward.
std::vector<float> between(int layer, float scale) {
  return {scale * static_cast<float>(layer), scale * static_cast<float>(layer + 1)};
}

class ChunkWriter {
 public:
  void forward(const Chunk& chunk) {
    for (const int layer : chunk.layers) {
      const std::size_t module = m_unit->module(pathOf(chunk, layer), "MLP");
      m_unit->tensor(Role::Input, "0", between(layer, 1));
      m_unit->tensor(Role::Output, "0", between(layer + 1, 1));
      m_unit->api("Functional.silu", m_calls++, module);
      m_unit->tensor(Role::Output, "0", between(layer, 3));
    }
    m_unit->module(listOf(chunk), "Decoder");
    m_unit->tensor(Role::Input, "0", between(chunk.layers.front(), 1));
    m_unit->tensor(Role::Output, "0", between(chunk.layers.back() + 1, 1));
  }
  void backward(const Chunk& chunk) {
    for (auto layer = chunk.layers.rbegin(); layer != chunk.layers.rend(); ++layer) {
      begin(pathOf(chunk, *layer), "MLP");
      m_unit->tensor(Role::OutputGradient, "0", between(*layer + 1, -1));
      m_unit->tensor(Role::InputGradient, "0", between(*layer, -1));
    }
    begin(listOf(chunk), "Decoder");
    m_unit->tensor(Role::OutputGradient, "0", between(chunk.layers.back() + 1, -1));
    m_unit->tensor(Role::InputGradient, "0", between(chunk.layers.front(), -1));
  }
  [[nodiscard]] std::shared_ptr<BuiltUnit> unit() const { return m_unit; }

 private:
  [[nodiscard]] static std::string listOf(const Chunk& chunk) {
    return std::to_string(chunk.number) + ".module.decoder";
  }
  [[nodiscard]] static std::string pathOf(const Chunk& chunk, int layer) {
    const int number = chunk.countsItsOwn ? layer - chunk.layers.front() : layer;
    return listOf(chunk) + ".layers." + std::to_string(number) + ".mlp";
  }
  void begin(const std::string& path, const std::string& type) {
    m_unit->entry({.name = "Module." + path + "." + type + ".backward.0",
                   .kind = EntryKind::Module,
                   .pass = Pass::Backward,
                   .module = path,
                   .operation = type});
  }

  std::shared_ptr<BuiltUnit> m_unit = std::make_shared<BuiltUnit>();
  std::uint64_t m_calls = 0;
};

/// As the interleaved schedule runs one micro-batch: all chunks forward, then all backward.
std::shared_ptr<BuiltUnit> rankOf(const std::vector<Chunk>& chunks) {
  ChunkWriter writer;
  for (const Chunk& chunk : chunks) {
    writer.forward(chunk);
  }
  std::for_each(
      chunks.rbegin(), chunks.rend(), [&](const Chunk& chunk) { writer.backward(chunk); });
  return writer.unit();
}

std::shared_ptr<BuiltDump> dumpOfChunks(const std::vector<std::vector<Chunk>>& ranks) {
  auto dump = std::make_shared<BuiltDump>();
  dump->path = "dump";
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    dump->add(rankOf(ranks[rank]), {.rank = static_cast<std::int64_t>(rank)});
  }
  return dump;
}

std::shared_ptr<BuiltDump> wholeModel() {
  return dumpOfChunks({{{.number = 0, .layers = {0, 1, 2, 3}}}});
}

DumpRules rulesOf(const std::string& yaml) {
  const auto mapping = SiteMapping::parse(yaml, "m.yaml");
  EXPECT_TRUE(mapping) << mapping.error().message();
  return mapping->dumps();
}

std::vector<std::string> namesOf(const dumps::DumpUnit& unit) {
  std::vector<std::string> names;
  for (const dumps::DumpEntry& entry : unit.entries) {
    names.push_back(entry.name);
  }
  return names;
}

void expectWholeModel(const std::vector<std::vector<Chunk>>& ranks, const std::string& layout) {
  const auto whole = wholeModel();
  const auto merged = mergeShards(dumpOfChunks(ranks), rulesOf(layout), false);
  ASSERT_TRUE(merged) << merged.error().message();
  const auto unit = (*merged)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  const auto expected = whole->openUnit(0, {}, {});
  EXPECT_THAT(namesOf(**unit), ElementsAreArray(namesOf(**expected)));
  const auto comparison = compareDumps(*whole, **merged, {});
  ASSERT_TRUE(comparison) << comparison.error().message();
  const UnitOutcome& outcome = comparison->units.front();
  EXPECT_THAT(outcome.onlyBaseline, IsEmpty());
  EXPECT_THAT(outcome.onlyCandidate, IsEmpty());
  EXPECT_THAT(textsOf(outcome.notes), IsEmpty());
  // Of each layer three tensors forward and two backward, of the list of layers two and two.
  EXPECT_EQ(outcome.pairedRows, 5U * kLayersOfAll + 4U);
  EXPECT_EQ(outcome.equalRows, outcome.pairedRows);
}

TEST(ModelChunksTest, ChunksOfTheInterleavedScheduleAreTheWholeModel) {
  expectWholeModel({{{0, {0}}, {1, {2}}}, {{0, {1}}, {1, {3}}}},
                   "ranks: {pipeline: 2, layers: [[0, 2], [1, 3]]}");
}

TEST(ModelChunksTest, LayersThatCountForTheWholeModelNeedNoNumbers) {
  expectWholeModel({{{0, {0}, false}, {1, {2}, false}}, {{0, {1}, false}, {1, {3}, false}}},
                   "ranks: {pipeline: 2, chunks: 2}");
}

TEST(ModelChunksTest, StagesThatArePassedThereAndBackFollowTheirLayers) {
  expectWholeModel({{{0, {0}}, {1, {3}}}, {{0, {1}}, {1, {2}}}},
                   "ranks: {pipeline: 2, layers: [[0, 3], [1, 2]]}");
}

TEST(ModelChunksTest, ChunksMayHoldSeveralLayers) {
  expectWholeModel({{{0, {0, 1}}, {1, {3}}}, {{0, {2}}}},
                   "ranks: {pipeline: 2, layers: [[0, 3], [2, 4]]}");
}

TEST(ModelChunksTest, CallsOutsideOfModulesGoWithTheCallBeforeThem) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->api("Torch.first", 0);
  unit->tensor(Role::Output, "0", {1});
  unit->module("0.a");
  unit->tensor(Role::Output, "0", {2});
  unit->api("Torch.add", 0);
  unit->tensor(Role::Output, "0", {3});
  unit->module("1.b");
  unit->tensor(Role::Output, "0", {4});
  unit->api("Torch.add", 1);
  unit->tensor(Role::Output, "0", {5});
  const auto chunks = chunksOf(unit, 2);
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_THAT(namesOf(*chunks[0]),
              testing::ElementsAre(
                  "Torch.first.0.forward", "Module.0.a.Module.forward.0", "Torch.add.0.forward"));
  // Its name is that of chunk 0, and its calls are counted from 0.
  EXPECT_THAT(namesOf(*chunks[1]),
              testing::ElementsAre("Module.0.b.Module.forward.0", "Torch.add.0.forward"));
  EXPECT_EQ(chunks[1]->entries[0].module, "0.b");
  EXPECT_EQ(chunks[1]->rows[1].name, "Torch.add.0.forward.output.0");
  EXPECT_EQ(numerics::elementAt(chunks[1]->read(1)->view, 0), 5);
}

TEST(JoinStagesTest, CallsGoOnBehindAStageThatHasNone) {
  const auto stageOf = [](const std::vector<std::string>& operations) {
    auto unit = std::make_shared<BuiltUnit>();
    for (const std::string& operation : operations) {
      unit->api(operation, 0);
      unit->tensor(Role::Output, "0", {1});
    }
    return StageUnit{.unit = unit};
  };
  const auto joined = joinStages(
      {stageOf({"Torch.add", "Torch.mul"}), stageOf({"Torch.mul"}), stageOf({"Torch.add"})}, {});
  EXPECT_THAT(namesOf(*joined),
              testing::ElementsAre("Torch.add.0.forward",
                                   "Torch.mul.0.forward",
                                   "Torch.mul.1.forward",
                                   "Torch.add.1.forward"));
}

TEST(JoinStagesTest, WhatAStageRunsBehindItsBackwardPassStaysBehindAllOfThem) {
  const auto stageOf = [](const std::string& operation) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->api(operation, 0);
    unit->entry({.name = operation + ".0.backward",
                 .kind = EntryKind::Api,
                 .pass = Pass::Backward,
                 .operation = operation});
    unit->api("Tensor.lerp_", 0);
    return StageUnit{.unit = unit};
  };
  const auto joined = joinStages({stageOf("Torch.add"), stageOf("Torch.mul")}, {});
  EXPECT_THAT(namesOf(*joined),
              testing::ElementsAre("Torch.add.0.forward",
                                   "Torch.mul.0.forward",
                                   "Torch.mul.0.backward",
                                   "Torch.add.0.backward",
                                   "Tensor.lerp_.0.forward",
                                   "Tensor.lerp_.1.forward"));
}

TEST(ModelChunksTest, AModelWithoutChunksSaysSo) {
  auto unit = std::make_shared<BuiltUnit>();
  unit->axes = {.rank = 3};
  unit->module("decoder.layers.0");
  const auto chunks = chunksOf(unit, 2);
  ASSERT_EQ(chunks.size(), 2U);
  EXPECT_EQ(chunks[0]->entries.size(), 1U);
  EXPECT_TRUE(chunks[1]->entries.empty());
  EXPECT_THAT(textsOf(chunks[0]->notes), Contains(HasSubstr("rank 3: no module says its chunk")));
}

}  // namespace
}  // namespace ulp::analysis
