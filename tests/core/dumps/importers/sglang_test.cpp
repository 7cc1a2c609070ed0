#include <fmt/format.h>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using tensors::archiveOf;
using tensors::numbers;
using tensors::PickleBytes;
using testing::ElementsAre;

std::string tensorFile(float value) {
  return archiveOf(PickleBytes().tensor("0", 1, 0, {1}, {1}).end(), numbers({value}));
}

/// As today's dumper writes it: the tensor and what is known of it.
std::string valueFile(float value) {
  PickleBytes pickle;
  pickle.op("}(").unicode("value").tensor("0", 1, 0, {1}, {1});
  pickle.unicode("meta").op("}").unicode("step").integer(3).op("su");
  return archiveOf(pickle.end(), numbers({value}));
}

TEST(SglangImporterTest, FilesOfTheDumperBecomeUnitsByStepAndRankInTheirOrder) {
  const test::TempDir dir;
  const auto write = [&](const std::string& name, float value) {
    dir.write("dump_1/" + name + ".pt", valueFile(value));
  };
  write("step=0___rank=0___dump_index=10___name=logits___recompute_status=disabled", 10);
  write("step=0___rank=0___dump_index=2___name=hidden___recompute_status=disabled___layer_id=3", 2);
  write("step=0___rank=0___dump_index=3___name=grad__hidden___layer_id=3", 3);
  write("step=0___rank=0___dump_index=4___name=param__model.norm.weight", 4);
  write("step=0___rank=0___dump_index=5___name=non_intrusive__model.norm.inputs.0", 5);
  write("step=0___rank=0___dump_index=6___name=non_intrusive__model.norm.output", 6);
  write("step=1___rank=0___dump_index=11___name=logits", 11);
  write("step=0___rank=1___dump_index=2___name=logits", 12);
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "sglang");
  ASSERT_EQ((*dump)->units.size(), 3U);
  EXPECT_EQ(describe((*dump)->units[1].axes), "step 0, rank 1");
  EXPECT_EQ(describe((*dump)->units[2].axes), "step 1, rank 0");
  const auto opened = (*dump)->openUnit(0);
  ASSERT_TRUE(opened) << opened.error().message();
  const DumpUnit& unit = **opened;
  std::vector<std::string> names;
  std::vector<Role> roles;
  std::vector<double> values;
  for (std::size_t i = 0; i < unit.rows.size(); ++i) {
    names.push_back(unit.rows[i].name);
    roles.push_back(unit.rows[i].role);
    values.push_back(numerics::elementAt(unit.read(i)->view, 0));
  }
  EXPECT_THAT(names,
              ElementsAre("hidden [layer_id=3]",
                          "grad__hidden [layer_id=3]",
                          "param__model.norm.weight",
                          "non_intrusive__model.norm.inputs.0",
                          "non_intrusive__model.norm.output",
                          "logits"));
  EXPECT_THAT(roles,
              ElementsAre(Role::Value,
                          Role::OutputGradient,
                          Role::Parameter,
                          Role::Input,
                          Role::Output,
                          Role::Value));
  EXPECT_THAT(values, ElementsAre(2, 3, 4, 5, 6, 10));
  ASSERT_EQ(unit.entries.size(), 4U);
  EXPECT_EQ(unit.entries[2].module, "model.norm");
  EXPECT_EQ(unit.entries[2].rowCount, 3U) << "one call";
  EXPECT_EQ(unit.rows[3].index, "0");
}

TEST(SglangImporterTest, TensorsOfOneCallAreInOneEntryAndARepeatedOneBeginsTheNext) {
  const test::TempDir dir;
  int index = 0;
  const auto write = [&](const std::string& name) {
    dir.write(fmt::format("step=0___rank=0___dump_index={}___name={}.pt", index++, name),
              valueFile(1));
  };
  write("non_intrusive__m.act.inputs.0");
  write("non_intrusive__m.inner.output");
  write("non_intrusive__m.act.output");
  write("non_intrusive__m.act.output");
  write("non_intrusive__m.act.inputs.0");
  write("grad__non_intrusive__m.act.output");
  write("param__m.act.weight");
  write("grad__param__m.act.weight");
  write("grad__param__m.act.bias");
  write("hidden");
  write("hidden");
  const auto unit = openDump(dir.path()).value()->openUnit(0).value();
  std::vector<std::string> calls;
  for (const DumpEntry& entry : unit->entries) {
    std::string call = fmt::format("{}#{}:", entry.name, entry.call);
    for (const std::size_t row : entry.rows()) {
      call += fmt::format(" {} {}", toString(unit->rows[row].role), unit->rows[row].index);
    }
    calls.push_back(call);
  }
  EXPECT_THAT(calls,
              ElementsAre("non_intrusive__m.inner#0: output ",
                          "non_intrusive__m.act#0: input 0 output  parameter weight",
                          "non_intrusive__m.act#1: output  input 0",
                          "grad__non_intrusive__m.act#0: output_gradient ",
                          "grad__param__m.act#0: parameter_gradient weight parameter_gradient bias",
                          "hidden#0: value ",
                          "hidden#1: value "));
}

TEST(SglangImporterTest, PartsOfATupleAreOutputsOfOneCall) {
  const test::TempDir dir;
  PickleBytes pickle;
  pickle.op("}(").unicode("value").op("](").tensor("0", 1, 0, {1}, {1}).tensor("0", 1, 0, {1}, {1});
  pickle.op("e").unicode("meta").op("}u");
  dir.write("step=0___rank=0___dump_index=1___name=non_intrusive__m.output.pt",
            archiveOf(pickle.end(), numbers({1})));
  const auto unit = openDump(dir.path()).value()->openUnit(0).value();
  ASSERT_EQ(unit->entries.size(), 1U);
  ASSERT_EQ(unit->rows.size(), 2U);
  EXPECT_EQ(unit->rows[1].name, "non_intrusive__m.output.1");
  EXPECT_EQ(unit->rows[1].index, "1");
}

TEST(SglangImporterTest, EarlierNamesAreKnown) {
  const test::TempDir dir;
  dir.write("sglang_dump_17.5/forward_pass_id=1___rank=0___name=x___dump_index=1.pt",
            tensorFile(1));
  dir.write("sglang_dump_17.5_2/forward_pass_id=1___name=x.pt", tensorFile(2));
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "sglang");
  ASSERT_EQ((*dump)->units.size(), 2U);
  EXPECT_EQ(describe((*dump)->units[0].axes), "step 1, rank 0");
  EXPECT_EQ(describe((*dump)->units[1].axes), "step 1, rank 2");
}

TEST(SglangImporterTest, ForwardPassesOfTheTensorDumpAreUnits) {
  const test::TempDir dir;
  PickleBytes pickle;
  pickle.op("}(").unicode("model.layers.0.mlp").tensor("0", 1, 0, {1}, {1});
  pickle.unicode("model.embed")
      .op("](")
      .tensor("0", 1, 0, {1}, {1})
      .tensor("0", 1, 0, {1}, {1})
      .op("eu");
  dir.write("TP1_PP0_Rank1_pid77/Pass00002.pt", archiveOf(pickle.end(), numbers({5})));
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "sglang");
  ASSERT_EQ((*dump)->units.size(), 1U);
  EXPECT_EQ(describe((*dump)->units[0].axes), "step 2, rank 1");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit);
  ASSERT_EQ((*unit)->rows.size(), 3U);
  EXPECT_EQ((*unit)->rows[0].name, "model.layers.0.mlp");
  EXPECT_EQ((*unit)->entries[0].module, "model.layers.0.mlp");
  EXPECT_EQ((*unit)->rows[0].role, Role::Output);
  EXPECT_EQ((*unit)->rows[2].name, "model.embed.1");
}

TEST(SglangImporterTest, AFileThatCannotBeReadIsANoteOfItsUnitAndTheOthersAreOpened) {
  const test::TempDir dir;
  dir.write("step=0___rank=0___dump_index=1___name=logits.pt", "");
  dir.write("step=0___rank=1___dump_index=1___name=logits.pt", valueFile(7));
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "sglang");
  ASSERT_EQ((*dump)->units.size(), 2U);
  const auto broken = (*dump)->openUnit(0);
  ASSERT_TRUE(broken) << broken.error().message();
  EXPECT_THAT(textsOf((*broken)->notes),
              ElementsAre(testing::HasSubstr("rank=0___dump_index=1___name")));
  ASSERT_EQ((*broken)->rows.size(), 1U);
  EXPECT_FALSE((*broken)->read(0));
  const auto whole = (*dump)->openUnit(1);
  ASSERT_TRUE(whole) << whole.error().message();
  const auto tensor = (*whole)->read(0);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(numerics::elementAt(tensor->view, 0), 7);
}

}  // namespace
}  // namespace ulp::dumps
