#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/machine/temp_dir.h"

/// Forms of msprobe's files that only some versions, frameworks or settings write, each as the
/// smallest dump that has it.
namespace ulp::dumps {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A dump.json with these entries.
std::string dumpOf(const std::string& entries,
                   std::string_view task = "statistics",
                   std::string_view framework = "pytorch") {
  return fmt::format(R"({{"task": "{}", "level": "mix", "framework": "{}", "dump_data_dir": null, )"
                     R"("data": {{{}}}}})",
                     task,
                     framework,
                     entries);
}

/// The first unit of a dump; fails the test where there is none.
DumpUnitPtr openFirst(const test::TempDir& dir) {
  const auto dump = openDump(dir.path());
  if (!dump) {
    ADD_FAILURE() << dump.error().message();
    return nullptr;
  }
  EXPECT_EQ((*dump)->importer, "msprobe");
  auto unit = (*dump)->openUnit(0);
  if (!unit) {
    ADD_FAILURE() << unit.error().message();
    return nullptr;
  }
  return *unit;
}

TEST(MsprobeFormsTest, OldStacksStandUnderTheNameOfTheirEntry) {
  const test::TempDir dir;
  dir.write("rank/dump.json", dumpOf(R"("Torch.a.0.forward": {}, "Torch.b.0.forward": {},
                                        "Torch.b.0.backward": {})"));
  dir.write("rank/stack.json",
            R"x({"Torch.a.0.forward": ["File a.py, line 1, in inner, \n a()",
                                       "File b.py, line 2, in outer, \n inner()"],
                 "Torch.b.0.forward": ["The stack could not be read."]})x");
  const DumpUnitPtr unit = openFirst(dir);
  ASSERT_NE(unit, nullptr);
  EXPECT_THAT(textsOf(unit->notes), IsEmpty());
  ASSERT_EQ(unit->entries.size(), 3U);
  ASSERT_NE(unit->entries[0].stack, kNone);
  EXPECT_THAT(unit->stacks[unit->entries[0].stack],
              ElementsAre("File a.py, line 1, in inner, \n a()",
                          "File b.py, line 2, in outer, \n inner()"));
  ASSERT_NE(unit->entries[1].stack, kNone);
  EXPECT_THAT(unit->stacks[unit->entries[1].stack], ElementsAre("The stack could not be read."));
  EXPECT_EQ(unit->entries[2].stack, kNone);
}

TEST(MsprobeFormsTest, MegatronsParentsComeWithTheNumberOfTheMicroStep) {
  const test::TempDir dir;
  dir.write("rank0/dump.json", dumpOf(R"("Functional.linear.0.forward": {},
                                         "Module.0.layers.3.mlp.MLP.forward.1": {},
                                         "Module.0.layers.3.Layer.forward.1": {},
                                         "Tensor.add_.0.forward": {})"));
  dir.write("rank0/construct.json",
            R"({"Functional.linear.0.forward": ["Module.0.layers.3.mlp.MLP.forward.1", 1],
                "Module.0.layers.3.mlp.MLP.forward.1": ["Module.0.layers.3.Layer.forward.1", 1],
                "Module.0.layers.3.Layer.forward.1": [null, 1],
                "Tensor.add_.0.forward": ["optimizer", 1],
                "optimizer": null,
                "megatron_micro_step_number": 1})");
  const DumpUnitPtr unit = openFirst(dir);
  ASSERT_NE(unit, nullptr);
  EXPECT_THAT(textsOf(unit->notes), IsEmpty());
  ASSERT_EQ(unit->entries.size(), 4U);
  EXPECT_EQ(unit->entries[0].parent, 1U);
  EXPECT_EQ(unit->entries[0].module, "0.layers.3.mlp");
  EXPECT_EQ(unit->entries[1].parent, 2U);
  EXPECT_EQ(unit->entries[1].call, 1U);
  EXPECT_EQ(unit->entries[2].parent, kNone);
  EXPECT_EQ(unit->entries[3].parent, kNone);
  EXPECT_EQ(unit->entries[3].module, "");
}

TEST(MsprobeFormsTest, StepsOfMindSporesTwoModesAreUnitsOfOneDump) {
  const test::TempDir dir;
  for (const std::string step :
       {"pynative/step1/rank2", "pynative/step0/rank2", "graph/step0/rank2"}) {
    dir.write(step + "/dump.json",
              dumpOf(R"("Mint.add.0.forward": {})", "statistics", "mindspore"));
  }
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  std::vector<std::string> units;
  for (const UnitInfo& unit : (*dump)->units) {
    units.push_back(unit.path.lexically_relative(dir.path()).generic_string() + ": " +
                    describe(unit.axes));
  }
  EXPECT_THAT(units,
              ElementsAre("graph/step0/rank2: step 0, rank 2",
                          "pynative/step0/rank2: step 0, rank 2",
                          "pynative/step1/rank2: step 1, rank 2"));
  const auto one = openDump(dir / "pynative");
  ASSERT_TRUE(one) << one.error().message();
  EXPECT_EQ((*one)->units.size(), 2U);
}

TEST(MsprobeFormsTest, ADistributedTensorIsTheShardThatThisRankHolds) {
  const test::TempDir dir;
  dir.write("rank1/dump.json", dumpOf(R"("Functional.linear.0.forward": {"input_args": [
      {"type": "torch.distributed.tensor.DTensor", "dtype": "torch.bfloat16", "shape": [4, 8],
       "Max": 1.5, "Min": -0.5, "Mean": 0.25, "Norm": 3.0, "requires_grad": true,
       "device_mesh": [[0, 1]], "placements": [{"Shard": {"dim": 0}}, {"Replicate": {}}]}],
      "input_kwargs": {}, "output": []})"));
  const DumpUnitPtr unit = openFirst(dir);
  ASSERT_NE(unit, nullptr);
  ASSERT_EQ(unit->rows.size(), 1U);
  const DumpRow& row = unit->rows[0];
  EXPECT_EQ(row.name, "Functional.linear.0.forward.input.0");
  EXPECT_EQ(row.role, Role::Input);
  EXPECT_EQ(row.dtype, "torch.bfloat16");
  EXPECT_THAT(row.shape, ElementsAre(4, 8));
  EXPECT_EQ(row.statistics.max, 1.5);
  EXPECT_EQ(row.statistics.min, -0.5);
  EXPECT_EQ(row.statistics.mean, 0.25);
  EXPECT_EQ(row.statistics.norm, 3.0);
  EXPECT_EQ(row.requiresGrad, true);
}

TEST(MsprobeFormsTest, CellsOfMindSporeAreModulesWhoseTensorsAreFilesOfNumPy) {
  const test::TempDir dir;
  const std::string tensor =
      R"({"type": "mindspore.Tensor", "dtype": "Float32", "shape": [2], "Max": 3.0, "Min": -4.0,
          "Mean": -0.5, "Norm": 5.0, "layout": "None", "hsdp_shard_size": 1)";
  dir.write("rank/dump.json",
            dumpOf(R"("Cell.net.dense.Dense.forward.0": {"input_args": [], "output": [)" + tensor +
                       R"(, "data_name": "Cell.net.dense.Dense.forward.0.output.0.npy"}]},
                      "Cell.net.dense.Dense.parameters_grad": {"weight": [)" +
                       tensor + R"(}]},
                      "Cell.net.dense.Dense.backward.0": {"input": [)" +
                       tensor + R"(}], "output": [null]})",
                   "tensor",
                   "mindspore"));
  test::writeNpy(
      dir / "rank/dump_tensor_data/Cell.net.dense.Dense.forward.0.output.0.npy", {2}, {3, -4});
  const DumpUnitPtr unit = openFirst(dir);
  ASSERT_NE(unit, nullptr);
  EXPECT_THAT(textsOf(unit->notes), IsEmpty());
  ASSERT_EQ(unit->entries.size(), 3U);
  EXPECT_EQ(unit->entries[0].kind, EntryKind::Module);
  EXPECT_EQ(unit->entries[0].module, "net.dense");
  EXPECT_EQ(unit->entries[0].operation, "Dense");
  EXPECT_EQ(unit->entries[1].kind, EntryKind::Gradient);
  EXPECT_EQ(unit->entries[1].module, "net.dense");
  EXPECT_EQ(unit->entries[2].pass, Pass::Backward);
  ASSERT_EQ(unit->rows.size(), 4U);
  EXPECT_EQ(unit->rows[0].role, Role::Output);
  EXPECT_EQ(unit->rows[0].dtype, "Float32");
  EXPECT_EQ(unit->rows[0].statistics.norm, 5.0);
  const auto elements = unit->read(0);
  ASSERT_TRUE(elements) << elements.error().message();
  EXPECT_EQ(numerics::elementAt(elements->view, 1), -4);
  EXPECT_EQ(unit->rows[1].role, Role::ParameterGradient);
  EXPECT_EQ(unit->rows[1].index, "weight");
  EXPECT_EQ(unit->rows[2].role, Role::OutputGradient);
  EXPECT_FALSE(isTensor(unit->rows[3]));
}

TEST(MsprobeFormsTest, OfAMessageBetweenTwoRanksTheTensorIsTheRow) {
  const test::TempDir dir;
  const auto message = [](const std::string& operation, double max) {
    return fmt::format(R"({{"class_type": "torch.distributed.P2POp", "tensor": {{
               "type": "torch.Tensor", "dtype": "torch.float32", "shape": [3], "Max": {:.1f},
               "Min": -1.0, "Mean": 0.5, "Norm": 2.0, "requires_grad": false}},
               "op": "{}", "peer": 1, "tag": 0, "group_id": "0a1b2c3d"}})",
                       max,
                       operation);
  };
  dir.write("rank0/dump.json",
            dumpOf(R"("Distributed.batch_isend_irecv.0.forward": {"input_args": [[)" +
                   message("isend", 2) + ", " + message("irecv", 4) +
                   R"(]], "input_kwargs": {}, "output": []})"));
  const DumpUnitPtr unit = openFirst(dir);
  ASSERT_NE(unit, nullptr);
  ASSERT_EQ(unit->rows.size(), 2U);
  EXPECT_EQ(unit->rows[0].name, "Distributed.batch_isend_irecv.0.forward.input.0.0");
  EXPECT_EQ(unit->rows[0].index, "0.0");
  EXPECT_EQ(unit->rows[0].statistics.max, 2.0);
  EXPECT_EQ(unit->rows[1].index, "0.1");
  EXPECT_EQ(unit->rows[1].statistics.max, 4.0);
  EXPECT_THAT(unit->rows[1].shape, ElementsAre(3));
  EXPECT_EQ(unit->rows[1].role, Role::Input);
}

}  // namespace
}  // namespace ulp::dumps
