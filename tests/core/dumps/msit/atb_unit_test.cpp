#include <cstring>
#include <filesystem>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "core/dumps/msit/topology.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string tensorOf(float value) {
  std::string text =
      "$Version=1.0\n$Object.Count=1\n$Object.Length=4\nformat=2\ndtype=0\ndims=1\n"
      "$Object.data=0,4\n$End=1\n";
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
  return text;
}

std::string model(const std::string& first) {
  return R"({"modelName": "M", "nodes": [{"opName": ")" + first + R"(", "opType": "A"}]})";
}

std::vector<std::string> atbNamesOf(const DumpUnit& unit) {
  std::vector<std::string> names;
  for (const DumpEntry& entry : unit.entries) {
    names.push_back(entry.name);
  }
  return names;
}

TEST(MsitAtbImporterTest, ADumpOfTheProbeIsReadInTheOrderOfItsOperations) {
  const auto dump = openDump(test::msprobeCase("msit_logits") / "my");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "msit_atb");
  ASSERT_EQ((*dump)->units.size(), 3U);
  const auto unit = (*dump)->openUnit(2);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(textsOf((*unit)->notes), IsEmpty());
  EXPECT_THAT(atbNamesOf(**unit), ElementsAre("14_LmHead/0_LinearOperation", "14_LmHead"));
  const DumpEntry& inner = (*unit)->entries[0];
  EXPECT_EQ(inner.kind, EntryKind::Api);
  EXPECT_EQ(inner.module, "14_LmHead");
  EXPECT_EQ(inner.operation, "LinearOperation");
  EXPECT_EQ(inner.parent, 1U);
  const DumpEntry& head = (*unit)->entries[1];
  EXPECT_EQ(head.kind, EntryKind::Module);
  const DumpRow& row = (*unit)->rows[head.firstRow];
  EXPECT_EQ(row.name, "14_LmHead/after/outtensor0");
  EXPECT_EQ(row.role, Role::Output);
  EXPECT_EQ(row.index, "0");
  EXPECT_EQ(row.dtype, "bfloat16");
  EXPECT_THAT(row.shape, ElementsAre(1, 64));
  const auto tensor = (*unit)->read(head.firstRow);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_EQ(tensor->view.dtype, DType::BFloat16);
}

TEST(MsitAtbImporterTest, NumbersOrderOperationsAndTimesTellWhatChangedInPlace) {
  const test::TempDir dir;
  dir.write("msit_dump_1/model/7/m.json", model("A_0"));
  const std::string token = "msit_dump_1/tensors/0_7/0/";
  dir.write(token + "10_B/after/outtensor0.bin", tensorOf(3));
  dir.write(token + "2_A/before/intensor10.bin", tensorOf(10));
  dir.write(token + "2_A/before/intensor2.bin", tensorOf(2));
  dir.write(token + "2_A/after/intensor2.bin", tensorOf(4));
  dir.write(token + "2_A/after/outtensor0.bin", tensorOf(5));
  dir.write(token + "notes/after/outtensor0.bin", tensorOf(5));
  const auto dump = openDump(dir / "msit_dump_1");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(atbNamesOf(**unit), ElementsAre("2_A", "10_B"));
  std::vector<std::string> rows;
  for (const DumpRow& row : (*unit)->rows) {
    rows.push_back(std::string(toString(row.role)) + " " + row.index);
  }
  EXPECT_THAT(rows,
              ElementsAre("input 2", "value after/intensor2", "input 10", "output 0", "output 0"));
  const auto changed = (*unit)->read(1);
  ASSERT_TRUE(changed);
  EXPECT_EQ(numerics::elementAt(changed->view, 0), 4);
}

TEST(MsitAtbImporterTest, PrefillAndDecodeShareAFolderAndTheWarmUpIsLeftOut) {
  const test::TempDir dir;
  dir.write("d/model/7/prefill.json", model("A_0"));
  dir.write("d/model/7/decode.json", model("A_5"));
  for (const std::string id : {"0", "1", "2"}) {
    dir.write("d/tensors/0_7/" + id + "/0_A/after/outtensor0.bin", tensorOf(1));
    dir.write("d/tensors/0_7/" + id + "/5_A/after/outtensor0.bin", tensorOf(2));
  }
  const auto dump = openDump(dir / "d");
  ASSERT_TRUE(dump) << dump.error().message();
  ASSERT_EQ((*dump)->units.size(), 3U);
  EXPECT_THAT(textsOf((*dump)->notes), ElementsAre(HasSubstr("warm-up")));
  const std::vector<std::vector<std::string>> expected{{"0_A"}, {"5_A"}, {"0_A", "5_A"}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*dump)->units[i].axes.token, static_cast<std::int64_t>(i));
    const auto unit = (*dump)->openUnit(i);
    ASSERT_TRUE(unit);
    EXPECT_EQ(atbNamesOf(**unit), expected[i]);
  }
}

TEST(MsitAtbImporterTest, ATensorThatWasCutOffIsNotedAndTheRestStays) {
  const test::TempDir dir;
  dir.write("d/model/7/m.json", model("A_0"));
  dir.write("d/tensors/0_7/0/0_A/after/outtensor0.bin", tensorOf(1).substr(0, 60));
  dir.write("d/tensors/0_7/0/0_A/after/outtensor1.bin", tensorOf(1));
  const auto dump = openDump(dir / "d/tensors/0_7/0");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit);
  EXPECT_THAT(textsOf((*unit)->notes), ElementsAre(HasSubstr("outtensor0.bin")));
  ASSERT_EQ((*unit)->rows.size(), 2U);
  EXPECT_FALSE((*unit)->read(0));
  EXPECT_TRUE((*unit)->read(1));
}

TEST(MsitAtbImporterTest, AProcessWithoutAStructureIsRefusedWithTheRemedy) {
  const test::TempDir dir;
  dir.write("d/model/7/m.json", model("A_0"));
  dir.write("d/tensors/0_8/0/0_A/after/outtensor0.bin", tensorOf(1));
  const auto dump = openDump(dir / "d");
  ASSERT_FALSE(dump);
  EXPECT_THAT(dump.error().message(), HasSubstr("no structure of the model of process 8"));
}

TEST(MsitAtbImporterTest, AProcessThatCannotBeReadIsANoteAndTheOthersKeepTheirRank) {
  const test::TempDir dir;
  dir.write("d/model/7/m.json", "");
  dir.write("d/model/8/m.json", model("A_0"));
  for (const std::string process : {"0_7", "1_8"}) {
    dir.write("d/tensors/" + process + "/0/0_A/after/outtensor0.bin", tensorOf(1));
  }
  const auto dump = openDump(dir / "d");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "msit_atb");
  EXPECT_THAT(textsOf((*dump)->notes),
              ElementsAre(testing::AllOf(HasSubstr("model/7/m.json: byte "),
                                         HasSubstr(": not valid JSON; dump the model again"))));
  ASSERT_EQ((*dump)->units.size(), 1U);
  EXPECT_EQ(describe((*dump)->units[0].axes), "rank 1, token 0");
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(atbNamesOf(**unit), ElementsAre("0_A"));
}

TEST(MsitAtbImporterTest, WhereNoProcessCanBeReadTheFirstOneIsNamed) {
  const test::TempDir dir;
  for (const std::string pid : {"7", "8"}) {
    dir.write("d/model/" + pid + "/m.json", "");
    dir.write("d/tensors/0_" + pid + "/0/0_A/after/outtensor0.bin", tensorOf(1));
  }
  const auto dump = openDump(dir / "d");
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(dump.error().message(), HasSubstr("model/7/m.json: byte "));
}

TEST(MsitAtbImporterTest, FoldersAreReadToADepthOf64) {
  const test::TempDir dir;
  dir.write("d/model/7/m.json", model("A_0"));
  std::string path = "d/tensors/0_7/0";
  for (int level = 1; level <= 66; ++level) {
    path += "/0_A";
    if (level > 63) {
      dir.write(path + "/after/outtensor0.bin", tensorOf(static_cast<float>(level)));
    }
  }
  const auto dump = openDump(dir / "d");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_EQ((*unit)->entries.size(), 2U);
  EXPECT_EQ(numerics::elementAt((*unit)->read(0)->view, 0), 65);
  EXPECT_EQ((*unit)->entries[0].parent, 1U);
  EXPECT_THAT(textsOf((*unit)->notes),
              ElementsAre(HasSubstr("folders nested more than 64 deep are left out")));
}

TEST(MsitAtbImporterTest, CallsBelongToTheNextOperationAboveThatHasTensors) {
  const test::TempDir dir;
  dir.write("d/model/7/m.json", model("A_0"));
  const std::string token = "d/tensors/0_7/3/";
  dir.write(token + "0_A/after/outtensor0.bin", tensorOf(1));
  dir.write(token + "0_A/0_B/1_C/before/intensor0.bin", tensorOf(2));
  dir.write(token + "0_A/0_B/1_C/after/other0.bin", tensorOf(2));
  dir.write(token + "0_A/0_B/1_C/after/outtensor0.txt", "");
  dir.write(token + "0_A/_D/after/outtensor0.bin", tensorOf(3));
  dir.write(token + "0_A/5_/after/outtensor0.bin", tensorOf(3));
  dir.write(token + "0_A/5D/after/outtensor0.bin", tensorOf(3));
  const auto dump = openDump(dir / "d");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->units[0].axes.token, 3);
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(atbNamesOf(**unit), ElementsAre("0_A/0_B/1_C", "0_A"));
  EXPECT_EQ((*unit)->entries[0].parent, 1U);
  EXPECT_EQ((*unit)->entries[0].kind, EntryKind::Api);
  EXPECT_EQ((*unit)->entries[0].module, "0_A/0_B");
  EXPECT_EQ((*unit)->entries[0].operation, "C");
  EXPECT_EQ((*unit)->entries[0].rowCount, 1U);
  EXPECT_EQ((*unit)->rows[0].name, "0_A/0_B/1_C/before/intensor0");
  EXPECT_EQ((*unit)->entries[1].kind, EntryKind::Module);
  EXPECT_EQ((*unit)->entries[1].module, "0_A");
}

TEST(MsitAtbImporterTest, AConversionOfTheInputShiftsTheNumbersOfOperations) {
  const test::TempDir dir;
  dir.write("d/model/7/m.json", model("A_4"));
  dir.write("d/layer/7/TransdataOperation_0.json", "{}");
  dir.write("d/tensors/0_7/0/5_A/after/outtensor0.bin", tensorOf(1));
  const auto dump = openDump(dir / "d");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  ASSERT_NE((*unit)->structure, nullptr);
  EXPECT_TRUE((*unit)->structure->isAtb);
  EXPECT_EQ((*unit)->structure->models.front().nodes[1].folder, "5_A");
}

}  // namespace
}  // namespace ulp::dumps
