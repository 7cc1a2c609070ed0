#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kHeader =
    "Device and PID,Execution Count,Op Name,Op Type,Op Id,Input/Output,Index,Dtype,Format,Shape,"
    "Max,Min,Mean,Norm,Tensor Path\n";

std::string atbTensorOf(float value) {
  std::string text =
      "$Version=1.0\n$Object.Count=1\n$Object.Length=4\nformat=2\ndtype=0\ndims=1\n"
      "$Object.data=0,4\n$End=1\n";
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
  return text;
}

TEST(MsprobeAtbImporterTest, TensorsAreReadWithTheNumbersOfTheTable) {
  const test::TempDir dir;
  const std::string round = "out/atb_dump_data/data/0_7/3/";
  dir.write(round + "0_Layer/1_Mlp/after/outtensor0.bin", atbTensorOf(2));
  dir.write(round + "0_Layer/before/intensor0.bin", atbTensorOf(1));
  dir.write(round + "statistic.csv",
            std::string(kHeader) +
                "0_7,3,Layer/Mlp,LayerOperation/MlpOperation,0_1,output,0,float,nd,1,2,2,2,2,"
                "/x/atb_dump_data/data/0_7/3/0_Layer/1_Mlp/after/outtensor0.bin\n"
                "0_7,3,Gone,Gone,9,output,0,float,nd,1,2,2,2,2,N/A\n");
  const auto dump = openDump(dir / "out");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "msprobe_atb");
  ASSERT_EQ((*dump)->units.size(), 1U);
  EXPECT_EQ((*dump)->units[0].axes.token, 3);
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  ASSERT_EQ((*unit)->rows.size(), 2U);
  EXPECT_EQ((*unit)->entries[0].name, "0_Layer/1_Mlp");
  EXPECT_EQ((*unit)->entries[0].parent, 1U);
  EXPECT_EQ((*unit)->rows[0].statistics.max, 2.0);
  EXPECT_TRUE((*unit)->rows[1].statistics.isEmpty());
  EXPECT_TRUE((*unit)->read(0));
  EXPECT_THAT(textsOf((*unit)->notes),
              ElementsAre(HasSubstr("1 tensors of the table have no file")));
}

TEST(MsprobeAtbImporterTest, WithoutTensorsTheTableGivesTheRows) {
  const test::TempDir dir;
  dir.write("atb_dump_data/data/1_9/0/statistic.csv",
            std::string(kHeader) +
                "1_9,0,Layer/Mlp,A/B,0_1,input,0,float16,nd,2x3,5,-1,N/A,7,N/A\n"
                "1_9,0,Layer/Mlp,A/B,0_1,output,0,float16,nd,2x3,nan,N/A,N/A,N/A,N/A\n"
                "1_9,1,Layer/Mlp,A/B,0_1,output,0,float16,nd,2x3,1,1,1,1,N/A\n");
  const auto dump = openDump(dir / "atb_dump_data/data/1_9/0");
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  ASSERT_EQ((*unit)->entries.size(), 1U);
  EXPECT_EQ((*unit)->entries[0].name, "0_Layer/1_Mlp");
  EXPECT_EQ((*unit)->entries[0].module, "0_Layer");
  EXPECT_EQ((*unit)->entries[0].operation, "Mlp");
  ASSERT_EQ((*unit)->rows.size(), 2U);
  EXPECT_EQ((*unit)->rows[0].role, Role::Input);
  EXPECT_EQ((*unit)->rows[0].statistics.min, -1.0);
  EXPECT_EQ((*unit)->rows[0].statistics.mean, std::nullopt);
  EXPECT_THAT((*unit)->rows[0].shape, ElementsAre(2, 3));
  EXPECT_FALSE((*unit)->read(0));
}

TEST(MsprobeAtbImporterTest, AnEmptyDumpIsNotClaimed) {
  const test::TempDir dir;
  std::filesystem::create_directories(dir / "atb_dump_data/data/0_1/0");
  const auto dump = openDump(dir.path());
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code(), ErrorCode::Unsupported);
}

constexpr std::string_view kRow = "0_8,0,Layer/Mlp,A/B,0_1,output,0,float16,nd,2x3,5,-1,2,7,N/A\n";

/// What is said of a round that has this table alone.
std::string complaintOf(const std::string& table) {
  const test::TempDir dir;
  dir.write("atb_dump_data/data/0_8/0/statistic.csv", table);
  const auto dump = openDump(dir.path());
  if (!dump) {
    return dump.error().message();
  }
  const auto unit = (*dump)->openUnit(0);
  return unit ? "none" : unit.error().message();
}

TEST(MsprobeAtbImporterTest, ATableThatCannotBeReadIsNamedWithTheLine) {
  const std::string whole = std::string(kHeader) + std::string(kRow);
  ASSERT_EQ(complaintOf(whole), "none");
  const auto with = [](std::string_view cell, std::string_view other) {
    std::string row(kRow);
    row.replace(row.find(cell), cell.size(), other);
    return std::string(kHeader) + std::string(kRow) + row;
  };
  EXPECT_THAT(complaintOf(""),
              HasSubstr("0_8/0/statistic.csv: line 1: no column 'Execution Count'"));
  EXPECT_THAT(complaintOf("Device and PID,Execution Count,Op Name,Op Id\n"),
              HasSubstr("statistic.csv: line 1: no column 'Input/Output'; dump again"));
  EXPECT_THAT(complaintOf(whole + "0_8,0,Layer/Mlp,A"),
              HasSubstr("statistic.csv: line 3: 4 fields where the headings are 15; the table was "
                        "cut off or changed, dump again"));
  EXPECT_THAT(complaintOf(whole + "\"0_8,0,Layer/Mlp\n0_8,1"),
              HasSubstr("statistic.csv: line 3: 1 fields where the headings are 15"));
  EXPECT_THAT(complaintOf(with(",5,", ",1e999,")),
              HasSubstr("statistic.csv: line 3: '1e999' is no possible number; dump again"));
  EXPECT_THAT(complaintOf(with(",7,", ",7x,")),
              HasSubstr("statistic.csv: line 3: '7x' is no possible number"));
  EXPECT_THAT(complaintOf(with("2x3", "99999999999999999999")),
              HasSubstr("statistic.csv: line 3: '99999999999999999999' is no possible shape"));
  EXPECT_THAT(complaintOf(with("2x3", "9223372036854775807x2")),
              HasSubstr("statistic.csv: line 3: '9223372036854775807x2' is no possible shape"));
}

std::string tenMegabytesOf(char each) {
  std::string text;
  text.resize(10'000'000, each);
  return text;
}

TEST(MsprobeAtbImporterTest, LinesOfTenMegabytesAreRefusedInAShortMessage) {
  const std::string whole = std::string(kHeader) + std::string(kRow);
  const std::string text = complaintOf(whole + tenMegabytesOf('x'));
  EXPECT_THAT(text, HasSubstr("statistic.csv: line 3: 1 fields where the headings are 15"));
  const std::string commas = complaintOf(whole + tenMegabytesOf(','));
  EXPECT_THAT(commas, HasSubstr("statistic.csv: line 3: more than 1024 fields"));
  std::string row(kRow);
  row.replace(row.find(",5,"), 3, "," + tenMegabytesOf('5') + ",");
  const std::string digits = complaintOf(std::string(kHeader) + row);
  EXPECT_THAT(digits, HasSubstr("statistic.csv: line 2: '5555555555"));
  EXPECT_THAT(digits, HasSubstr("' is no possible number"));
  for (const std::string& complaint : {text, commas, digits}) {
    EXPECT_LT(complaint.size(), 500U);
  }
}

TEST(MsprobeAtbImporterTest, BesideFilesOfTensorsABrokenTableIsANote) {
  const test::TempDir dir;
  const std::string round = "atb_dump_data/data/0_8/0/";
  dir.write(round + "0_Layer/after/outtensor0.bin", atbTensorOf(2));
  dir.write(round + "statistic.csv", "cut off");
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  const auto unit = (*dump)->openUnit(0);
  ASSERT_TRUE(unit) << unit.error().message();
  EXPECT_THAT(textsOf((*unit)->notes),
              ElementsAre(HasSubstr("0_8/0/statistic.csv: line 1: no column 'Execution Count'")));
  ASSERT_EQ((*unit)->rows.size(), 1U);
  EXPECT_TRUE((*unit)->read(0));
}

TEST(MsprobeAtbImporterTest, AProcessThatCannotBeReadIsAnErrorOfItsUnitAndTheOthersAreOpened) {
  const test::TempDir dir;
  dir.write("atb_dump_data/data/0_8/0/statistic.csv", "");
  dir.write(
      "atb_dump_data/data/1_9/0/statistic.csv",
      std::string(kHeader) + "1_9,0,Layer/Mlp,A/B,0_1,output,0,float16,nd,2x3,5,-1,2,7,N/A\n");
  const auto dump = openDump(dir.path());
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "msprobe_atb");
  ASSERT_EQ((*dump)->units.size(), 2U);
  const auto broken = (*dump)->openUnit(0);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(broken.error().message(),
              HasSubstr("0_8/0/statistic.csv: line 1: no column 'Execution Count'; dump again"));
  EXPECT_EQ((*dump)->units[1].axes.rank, 1);
  const auto whole = (*dump)->openUnit(1);
  ASSERT_TRUE(whole) << whole.error().message();
  ASSERT_EQ((*whole)->rows.size(), 1U);
  EXPECT_EQ((*whole)->rows[0].statistics.max, 5.0);
}

}  // namespace
}  // namespace ulp::dumps
