#include "core/dumps/hosts/unit_json.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/dumps/msit/topology.h"
#include "core/json/dump.h"
#include "core/json/parse.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::dumps {
namespace {

/// With something in every field.
test::BuiltUnit fullUnit() {
  test::BuiltUnit unit;
  unit.module("layers.0");
  unit.addEntry({.name = "linear.forward",
                 .kind = EntryKind::Api,
                 .pass = Pass::Backward,
                 .module = "layers.0",
                 .operation = "linear",
                 .call = 3,
                 .parent = 0,
                 .stack = 1,
                 .empties = {{.role = Role::Output, .index = "1", .isList = true}}});
  unit.addRow(
      {.name = "linear.input.0",
       .role = Role::Input,
       .index = "0",
       .dtype = "torch.bfloat16",
       .shape = {2, -1},
       .statistics = {.max = std::nan(""),
                      .min = -std::numeric_limits<double>::infinity(),
                      .mean = 0.1,
                      .norm = std::nullopt},
       .checksum = "1a",
       .hasElements = true,
       .requiresGrad = false,
       .placement = std::make_shared<Placement>(Placement{.axes = {{.kind = Placement::Kind::Shard,
                                                                    .dim = 1,
                                                                    .isInnermost = true,
                                                                    .size = 4,
                                                                    .coordinate = 3}},
                                                          .shape = {2, 8}})});
  unit.addRow({.name = "linear.input.1", .value = "8", .argument = R"({"type": "str"})"});
  unit.stacks = {{}, {"model.py:1", "train.py:2"}};
  unit.notes = {Sentence("%1: is cut off", {"stack.json"}), "as it is"};
  msit::ModelStructure structure{.models = {{.nodes = {{.name = "root", .children = {1}},
                                                       {.name = "root.a",
                                                        .type = "Linear",
                                                        .folder = "0_a",
                                                        .parent = 0,
                                                        .order = 2,
                                                        .hasBias = true,
                                                        .elewiseType = 8}}}},
                                 .isAtb = true};
  unit.structure = std::make_shared<msit::ModelStructure>(std::move(structure));
  return unit;
}

TEST(UnitJson, BringsEveryFieldThrough) {
  const test::BuiltUnit sent = fullUnit();
  test::BuiltUnit got;
  const auto read = readUnitText(unitText(sent), got);
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(got.entries.size(), 2U);
  EXPECT_EQ(got.entries[0].parent, kNone);
  EXPECT_EQ(got.entries[0].rowCount, 0U);
  const DumpEntry& entry = got.entries[1];
  EXPECT_EQ(entry.name, "linear.forward");
  EXPECT_EQ(entry.kind, EntryKind::Api);
  EXPECT_EQ(entry.pass, Pass::Backward);
  EXPECT_EQ(entry.call, 3U);
  EXPECT_EQ(entry.parent, 0U);
  EXPECT_EQ(entry.stack, 1U);
  EXPECT_EQ(entry.firstRow, 0U);
  EXPECT_EQ(entry.rowCount, 2U);
  ASSERT_EQ(entry.empties.size(), 1U);
  EXPECT_TRUE(entry.empties[0].isList);
  const DumpRow& row = got.rows[0];
  EXPECT_EQ(row.role, Role::Input);
  EXPECT_EQ(row.shape, (std::vector<std::int64_t>{2, -1}));
  EXPECT_TRUE(isSame(row.statistics, sent.rows[0].statistics));
  EXPECT_TRUE(row.hasElements);
  EXPECT_EQ(row.requiresGrad, false);
  ASSERT_NE(row.placement, nullptr);
  EXPECT_EQ(row.placement->axes.at(0).kind, Placement::Kind::Shard);
  EXPECT_EQ(row.placement->axes.at(0).coordinate, 3);
  EXPECT_EQ(got.rows[1].argument, R"({"type": "str"})");
  EXPECT_EQ(got.rows[1].placement, nullptr);
  EXPECT_EQ(got.stacks, sent.stacks);
  EXPECT_EQ(got.notes, sent.notes);
  ASSERT_NE(got.structure, nullptr);
  EXPECT_TRUE(got.structure->isAtb);
  EXPECT_EQ(got.structure->models.at(0).nodes.at(1).elewiseType, 8);
  EXPECT_EQ(unitText(got), unitText(sent));
}

TEST(UnitJson, RefusesWhatDoesNotFitTogether) {
  const auto isRefused = [](const auto& spoil) {
    test::BuiltUnit unit = fullUnit();
    spoil(unit);
    test::BuiltUnit got;
    const auto read = readUnitText(unitText(unit), got);
    return !read && read.error().code() == ErrorCode::CorruptData;
  };
  EXPECT_FALSE(isRefused([](test::BuiltUnit& /*as it is*/) {}));
  EXPECT_TRUE(isRefused([](test::BuiltUnit& unit) { unit.entries[1].parent = 2; }));
  EXPECT_TRUE(isRefused([](test::BuiltUnit& unit) { unit.entries[1].stack = 2; }));
  EXPECT_TRUE(isRefused([](test::BuiltUnit& unit) { unit.entries[1].rowCount = 3; }));
  EXPECT_TRUE(isRefused([](test::BuiltUnit& unit) { unit.entries[1].rowCount = 1; }));
  EXPECT_TRUE(isRefused([](test::BuiltUnit& unit) { unit.entries[0].rowCount = kNone; }));
  EXPECT_TRUE(isRefused([](test::BuiltUnit& unit) { unit.entries[0].kind = EntryKind{9}; }));
  EXPECT_TRUE(isRefused([](test::BuiltUnit& unit) {
    auto structure = *unit.structure;
    structure.models[0].nodes[0].children = {2};
    unit.structure = std::make_shared<msit::ModelStructure>(std::move(structure));
  }));
}

TEST(UnitJson, RefusesWhatAnotherVersionWrote) {
  test::BuiltUnit got;
  EXPECT_FALSE(readUnitText(R"({"entries": []})", got));
  EXPECT_FALSE(readUnitText("[[], [], [], [], null, 1]", got));
  EXPECT_TRUE(readUnitText("[[], [], [], [], null]", got));
  EXPECT_FALSE(
      readUnitText(R"([[["a", 0, "sideways", "", "", 0, 0, 0, 0, []]], [], [], [], null])", got));
}

TEST(UnitJson, BringsADumpThroughWithoutPlaces) {
  const Dump sent{.importer = "msprobe",
                  .format = "msprobe 26.x",
                  .path = "/there",
                  .checksumKind = "crc32",
                  .shares = RankShares::Data,
                  .gradientDivisor = 1.5,
                  .tensorGroups = {{0, 2}, {1, 3}},
                  .units = {{.axes = {.run = "bf16", .step = 2, .token = 5}, .path = "/there/a"}},
                  .notes = {"one"}};
  const auto got = dumpIn(*json::parse(json::dump(dumpJson(sent))));
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->importer, sent.importer);
  EXPECT_EQ(got->format, sent.format);
  EXPECT_EQ(got->path, "");
  EXPECT_EQ(got->checksumKind, sent.checksumKind);
  EXPECT_EQ(got->shares, RankShares::Data);
  EXPECT_EQ(got->gradientDivisor, 1.5);
  EXPECT_EQ(got->tensorGroups, sent.tensorGroups);
  ASSERT_EQ(got->units.size(), 1U);
  EXPECT_EQ(got->units[0].axes, sent.units[0].axes);
  EXPECT_EQ(got->units[0].path, sent.units[0].path);
  EXPECT_EQ(got->notes, sent.notes);
  EXPECT_FALSE(dumpIn("no dump"));
}

}  // namespace
}  // namespace ulp::dumps
