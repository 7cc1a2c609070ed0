#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kTree =
    R"({"name": "root", "type": "Lm", "children": [
        {"name": "root.mlp", "type": "Mlp", "children": [
          {"name": "root.mlp.up", "type": "Linear", "children": []}]},
        {"name": "root.norm", "type": "Norm", "children": []}]})";
constexpr std::string_view kTable =
    "NodeName,NodeType,InputOutput,Index,DataType,Shape,Max,Min,Mean,L2Norm\n";

std::vector<std::string> torchNamesOf(const DumpUnit& unit) {
  std::vector<std::string> names;
  for (const DumpEntry& entry : unit.entries) {
    names.push_back(entry.name);
  }
  return names;
}

TEST(MsitTorchImporterTest, ARealDumpGivesAUnitForEachTokenAndItsTensors) {
  const auto dump = openDump(test::msprobeCase("msit_logits") / "golden");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "msit_torch");
  ASSERT_EQ((*dump)->units.size(), 3U);
  EXPECT_EQ(describe((*dump)->units[2].axes), "token 2");
  const auto unit = (*dump)->openUnit(2);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(textsOf((*unit)->notes), IsEmpty());
  ASSERT_EQ((*unit)->entries.size(), 1U);
  const DumpEntry& entry = (*unit)->entries.front();
  EXPECT_EQ(entry.name, "root.lm_head");
  EXPECT_EQ(entry.module, "lm_head");
  EXPECT_EQ(entry.operation, "Linear");
  EXPECT_EQ(entry.kind, EntryKind::Module);
  const DumpRow& row = (*unit)->rows[entry.firstRow];
  EXPECT_EQ(row.role, Role::Output);
  EXPECT_EQ(row.index, "");
  EXPECT_EQ(row.dtype, "torch.float32");
  EXPECT_THAT(row.shape, ElementsAre(1, 1, 64));
  const auto tensor = (*unit)->read(entry.firstRow);
  ASSERT_TRUE(tensor) << tensor.error().message();
  double max = -1;
  for (std::size_t i = 0; i < 64; ++i) {
    max = std::max(max, numerics::elementAt(tensor->view, i));
  }
  EXPECT_EQ(max, 0.28720706701278687);
}

TEST(MsitTorchImporterTest, ModulesStandBehindWhatTheyHoldAndCallsWithinTheirModule) {
  const test::TempDir dir;
  const std::string process = "msit_dump_1/torch_tensors/cuda0_7/";
  dir.write(process + "model_tree.json", kTree);
  const std::string token = process + "0/";
  dir.write(token + "root.mlp/statistics.csv",
            std::string(kTable) +
                "root.mlp,Mlp,Input,0,torch.float16,\"(2, 3)\",4,1,2.5,6\n"
                "root.mlp,Mlp,Output,0,torch.float16,\"(2,)\",1,1,1,1\n"
                "root.mlp,Mlp,Output,1,torch.float16,\"(2,)\",2,2,2,2\n");
  dir.write(token + "root.mlp.up/statistics.csv",
            std::string(kTable) + "root.mlp.up,Linear,Output,0,torch.float16,\"(2,)\",1,1,1,1\n");
  dir.write(token + "root.mlp.softmax.1/statistics.csv", kTable);
  dir.write(token + "root.norm/statistics.csv", kTable);
  dir.write(token + "elsewhere/statistics.csv", kTable);
  const auto dump = openDump(dir / (process + "0"));
  ASSERT_TRUE(dump) << dump.error().message();
  ASSERT_EQ((*dump)->units.size(), 1U);
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(
      torchNamesOf(**unit),
      ElementsAre("root.mlp.up", "root.mlp.softmax.1", "root.mlp", "root.norm", "elsewhere"));
  const std::vector<DumpEntry>& entries = (*unit)->entries;
  EXPECT_EQ(entries[0].parent, 2U);
  EXPECT_EQ(entries[1].parent, 2U);
  EXPECT_EQ(entries[1].kind, EntryKind::Api);
  EXPECT_EQ(entries[1].operation, "softmax");
  EXPECT_EQ(entries[1].call, 1U);
  EXPECT_EQ(entries[1].module, "mlp");
  EXPECT_EQ(entries[3].parent, kNone);
  ASSERT_EQ(entries[2].rowCount, 3U);
  const DumpRow& input = (*unit)->rows[entries[2].firstRow];
  EXPECT_EQ(input.role, Role::Input);
  EXPECT_EQ(input.index, "0");
  EXPECT_EQ(input.statistics.mean, 2.5);
  EXPECT_THAT(input.shape, ElementsAre(2, 3));
  EXPECT_FALSE(input.hasElements);
  EXPECT_EQ((*unit)->rows[entries[2].firstRow + 2].index, "1");
  EXPECT_EQ((*unit)->rows[entries[0].firstRow].index, "");
}

/// A dump whose folders were finished at these seconds; mlp.up is the first child of mlp.
std::vector<std::string> orderOf(const std::vector<std::pair<std::string, int>>& ends,
                                 std::vector<std::string>& notes) {
  const test::TempDir dir;
  dir.write("cpu_1/model_tree.json", kTree);
  const fs::file_time_type start = fs::file_time_type::clock::now();
  for (const auto& [folder, seconds] : ends) {
    const fs::path file = dir.write("cpu_1/0/" + folder + "/statistics.csv", kTable);
    fs::last_write_time(file, start + std::chrono::seconds(seconds));
  }
  const auto dump = openDump(dir / "cpu_1");
  EXPECT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  EXPECT_TRUE(unit) << unit.error().message();
  notes = textsOf((*unit)->notes);
  return torchNamesOf(**unit);
}

TEST(MsitTorchImporterTest, CallsStandInTheOrderInWhichTheyEnded) {
  std::vector<std::string> notes;
  EXPECT_THAT(orderOf({{"root", 5},
                       {"root.mlp", 4},
                       {"root.mlp.up", 3},
                       {"root.mlp.softmax", 4},
                       {"root.norm", 1}},
                      notes),
              ElementsAre("root.norm", "root.mlp.up", "root.mlp.softmax", "root.mlp", "root"));
  EXPECT_THAT(notes, IsEmpty());
}

TEST(MsitTorchImporterTest, TimesOfACopyAreNotBelieved) {
  std::vector<std::string> notes;
  EXPECT_THAT(orderOf({{"root.mlp", 2}, {"root.mlp.up", 3}, {"root.norm", 1}}, notes),
              ElementsAre("root.mlp.up", "root.mlp", "root.norm"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("in the order of model_tree.json")));
}

/// As `tar --mtime` leaves them; of a single call there is nothing to tell.
TEST(MsitTorchImporterTest, OneTimeOfAllCallsTellsNoOrder) {
  std::vector<std::string> notes;
  EXPECT_THAT(orderOf({{"root.mlp", 2}, {"root.mlp.up", 2}, {"root.norm", 2}}, notes),
              ElementsAre("root.mlp.up", "root.mlp", "root.norm"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("in the order of model_tree.json")));
  EXPECT_THAT(orderOf({{"root.norm", 2}}, notes), ElementsAre("root.norm"));
  EXPECT_THAT(notes, IsEmpty());
}

/// rotary_emb is registered last and runs first; the archive keeps whole seconds.
TEST(MsitTorchImporterTest, ARealDumpTellsMoreThanItsStructure) {
  const auto dump = openDump(test::msprobeCase("msit_full") / "golden");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  const std::vector<std::string> names = torchNamesOf(**unit);
  const auto placeOf = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  EXPECT_THAT(names, Contains("root.model.rotary_emb"));
  EXPECT_LT(placeOf("root.model.rotary_emb"), placeOf("root.model.layers.4.mlp"));
  EXPECT_EQ(names.back(), "root");
}

TEST(MsitTorchImporterTest, ProcessesSideBySideAreRanksAndWeightsAUnitOfTheirOwn) {
  const test::TempDir dir;
  for (const std::string process : {"npu1_12", "npu0_11"}) {
    dir.write("torch_tensors/" + process + "/model_tree.json", kTree);
    dir.write("torch_tensors/" + process + "/10/root.norm/x", "");
    dir.write("torch_tensors/" + process + "/2/root.norm/x", "");
  }
  dir.write("torch_tensors/npu1_12/weights/root.norm.weight.pth", "");
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  std::vector<std::string> units;
  for (const UnitInfo& unit : (*dump)->units) {
    units.push_back(describe(unit.axes));
  }
  EXPECT_THAT(units,
              ElementsAre("rank 0, token 2",
                          "rank 0, token 10",
                          "rank 1, token 2",
                          "rank 1, token 10",
                          "run weights, rank 1"));
  const auto weights = (*dump)->openUnit(4);
  ASSERT_TRUE(weights);
  ASSERT_EQ((*weights)->rows.size(), 1U);
  EXPECT_EQ((*weights)->rows[0].role, Role::Parameter);
  EXPECT_EQ((*weights)->rows[0].index, "weight");
  EXPECT_EQ((*weights)->entries[0].module, "norm");
}

TEST(MsitTorchImporterTest, FilesThatCannotBeReadAreNotedAndTheRestStays) {
  const test::TempDir dir;
  dir.write("cpu_1/model_tree.json", kTree);
  dir.write("cpu_1/0/root.norm/output.pth", "PK\x03\x04 cut off");
  dir.write("cpu_1/0/root.mlp/statistics.csv", "other,columns\n");
  const auto dump = openDump(dir / "cpu_1");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit);
  EXPECT_THAT(textsOf((*unit)->notes), Contains(HasSubstr("output.pth")));
  EXPECT_THAT(textsOf((*unit)->notes), Contains(HasSubstr("no column 'InputOutput'")));
  ASSERT_EQ((*unit)->rows.size(), 1U);
  const auto tensor = (*unit)->read(0);
  ASSERT_FALSE(tensor);
  EXPECT_THAT(tensor.error().message(), HasSubstr("output.pth"));
}

TEST(MsitTorchImporterTest, WhatIsMissingIsNamed) {
  const test::TempDir dir;
  dir.write("empty/model_tree.json", kTree);
  const auto empty = openDump(dir / "empty");
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message(), HasSubstr("no folder of a token"));
  fs::create_directories(dir / "without/0/root.norm");
  const auto without = openDump(dir / "without");
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code(), ErrorCode::Unsupported);
}

TEST(MsitTorchImporterTest, AStopIsObeyed) {
  const test::TempDir dir;
  dir.write("cpu_1/model_tree.json", kTree);
  dir.write("cpu_1/0/root.norm/x", "");
  const auto dump = openDump(dir / "cpu_1");
  ASSERT_TRUE(dump);
  std::stop_source stop;
  stop.request_stop();
  const auto unit = (*dump)->openUnit(0, stop.get_token());
  ASSERT_FALSE(unit);
  EXPECT_EQ(unit.error().code(), ErrorCode::Cancelled);
}

TEST(MsitTorchImporterTest, AProcessThatCannotBeReadIsANoteAndTheOthersKeepTheirRank) {
  const test::TempDir dir;
  dir.write("torch_tensors/npu0_11/model_tree.json", "");
  dir.write("torch_tensors/npu0_11/2/root.norm/x", "");
  dir.write("torch_tensors/npu1_12/model_tree.json", kTree);
  dir.write("torch_tensors/npu1_12/2/root.norm/statistics.csv",
            std::string(kTable) + "root.norm,Norm,Output,0,torch.float16,\"(2,)\",1,1,1,1\n");
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "msit_torch");
  EXPECT_THAT(textsOf((*dump)->notes),
              ElementsAre(testing::AllOf(HasSubstr("npu0_11/model_tree.json: byte "),
                                         HasSubstr(": not valid JSON; dump the model again"))));
  ASSERT_EQ((*dump)->units.size(), 1U);
  EXPECT_EQ(describe((*dump)->units[0].axes), "rank 1, token 2");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_EQ((*unit)->rows.size(), 1U);
}

TEST(MsitTorchImporterTest, WhereNoProcessCanBeReadTheFirstOneIsNamedAndNoTensorsAreShown) {
  const test::TempDir dir;
  dir.write("torch_tensors/npu0_11/model_tree.json", "");
  dir.write("torch_tensors/npu1_12/model_tree.json", kTree.substr(0, 20));
  test::writeNpy(dir / "torch_tensors/npu0_11/2/root.norm/x.npy", {1}, {1});
  const auto dump = openDump(dir.path());
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(dump.error().message(), HasSubstr("npu0_11/model_tree.json: byte "));
}

/// The rows of a module with these files, which are empty, and this table.
std::vector<std::string> rowsOfFiles(const std::vector<std::string>& files,
                                     const std::string& table) {
  const test::TempDir dir;
  dir.write("cpu_1/model_tree.json", kTree);
  for (const std::string& file : files) {
    dir.write("cpu_1/0/root.norm/" + file, "");
  }
  dir.write("cpu_1/0/root.norm/statistics.csv", std::string(kTable) + table);
  const auto unit = openDump(dir / "cpu_1").value()->openUnit(0);
  EXPECT_TRUE(unit) << unit.error().message();
  std::vector<std::string> rows;
  for (const DumpRow& row : (*unit)->rows) {
    rows.push_back(fmt::format(
        "{} {} {} {}", row.name, toString(row.role), row.index, row.statistics.max.value_or(-1)));
  }
  return rows;
}

TEST(MsitTorchImporterTest, FilesStandByRoleAndNumberWithTheirRowsOfTheTable) {
  const auto line = [](const std::string& direction, int index, int max) {
    return fmt::format(
        "root.norm,Norm,{},{},torch.float32,\"(2,)\",{},0,0,0\n", direction, index, max);
  };
  EXPECT_THAT(
      rowsOfFiles(
          {"output.pth", "input_10.pth", "input_2_1.pth", "input_2.pth", "else.pth"},
          line("Input", 2, 5) + line("Input", 1, 6) + line("Output", 0, 7) + line("Input", 9, 8)),
      ElementsAre("root.norm/input_2 input 2 5",
                  "root.norm/input_2_1 input 2.1 6",
                  "root.norm/input_10 input 10 -1",
                  "root.norm/output output  7",
                  "root.norm/else value  -1",
                  "root.norm/input_9 input 9 8"));
  EXPECT_THAT(rowsOfFiles({"output_0.pth", "output_x.pth"}, line("Output", 1, 7)),
              ElementsAre("root.norm/output_x output  -1",
                          "root.norm/output_0 output 0 -1",
                          "root.norm/output_1 output 1 7"));
}

}  // namespace
}  // namespace ulp::dumps
