#include "core/dumps/msit/statistics_table.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps::msit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(StatisticsTableTest, RowsOfAModuleAreReadWithTheirShapes) {
  const test::TempDir dir;
  const auto tensors = readModuleStatistics(
      dir.write("statistics.csv",
                "NodeName,NodeType,InputOutput,Index,DataType,Shape,Max,Min,Mean,L2Norm\r\n"
                "root.a,Linear,Input,0,torch.float32,\"(1, 6)\",1.5,-1,nan,2e-3\r\n"
                "root.a,Linear,Output,1,torch.float16,\"(3,)\",inf,0,0,0\r\n"));
  ASSERT_TRUE(tensors) << tensors.error().message();
  ASSERT_EQ(tensors->size(), 2U);
  const TensorStatistics& input = tensors->front();
  EXPECT_EQ(input.role, Role::Input);
  EXPECT_EQ(input.dtype, "torch.float32");
  EXPECT_THAT(input.shape, ElementsAre(1, 6));
  EXPECT_EQ(input.statistics.max, 1.5);
  ASSERT_TRUE(input.statistics.mean);
  EXPECT_TRUE(std::isnan(*input.statistics.mean));
  EXPECT_EQ(input.statistics.norm, 0.002);
  EXPECT_EQ(tensors->back().role, Role::Output);
  EXPECT_EQ(tensors->back().index, "1");
  EXPECT_EQ(tensors->back().statistics.max, INFINITY);
}

TEST(StatisticsTableTest, ATableThatWasCutOffIsRefusedWithTheRecord) {
  const test::TempDir dir;
  const auto table = readModuleStatistics(dir.write("x.csv", "a,b\n1,2\n3\n"));
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(table.error().message(),
              HasSubstr("x.csv: line 3: 1 fields where the headings are 2"));
}

TEST(StatisticsTableTest, LinesAreThoseOfTheFileAlsoWhereAFieldFillsSeveral) {
  const test::TempDir dir;
  const auto table = readModuleStatistics(
      dir.write("x.csv",
                "InputOutput,Index,DataType,Shape,Max,Min,Mean,L2Norm\n"
                "Input,0,\"float\n32\",(),1,1,1,1\n\nInput,1,float32,(),1x,1,1,1\n"));
  ASSERT_FALSE(table);
  EXPECT_THAT(table.error().message(), HasSubstr("x.csv: line 5: '1x' is no possible number"));
}

TEST(StatisticsTableTest, ALineOfCommasDoesNotFillTheMemory) {
  const test::TempDir dir;
  std::string commas;
  commas.resize(10'000'000, ',');
  const auto row = readModuleStatistics(dir.write("x.csv", "a,b\n" + commas));
  ASSERT_FALSE(row);
  EXPECT_THAT(row.error().message(),
              HasSubstr("x.csv: line 2: more than 1024 fields where the headings are 2"));
  const auto headings = readModuleStatistics(dir.write("x.csv", commas));
  ASSERT_FALSE(headings);
  EXPECT_THAT(headings.error().message(), HasSubstr("x.csv: line 1: more than 1024 headings"));
}

TEST(StatisticsTableTest, ATableWithANumberThatCannotBeIsRefusedAndWordsAreNot) {
  const test::TempDir dir;
  const std::string headings =
      "NodeName,NodeType,InputOutput,Index,DataType,Shape,Max,Min,Mean,L2Norm\n";
  const auto words = readModuleStatistics(dir.write(
      "words.csv", headings + "root.a,Rotary,Output,0,torch.complex64,\"()\",(1+2j),True,N/A,\n"));
  ASSERT_TRUE(words) << words.error().message();
  EXPECT_TRUE(words->front().statistics.isEmpty());
  EXPECT_THAT(words->front().shape, IsEmpty());
  const auto broken = readModuleStatistics(dir.write(
      "broken.csv", headings + "root.a,Linear,Output,0,torch.float32,\"(3,)\",1,-.5,2e,1\n"));
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message(),
              HasSubstr("broken.csv: line 2: '2e' is no possible number; dump again"));
}

TEST(StatisticsTableTest, WordsAreNoNumbersAndSizesStandBetweenOtherCharacters) {
  const test::TempDir dir;
  const auto table = readModuleStatistics(
      dir.write("x.csv",
                "InputOutput,Index,DataType,Shape,Max,Min,Mean,L2Norm\n"
                "Input,0,float32,2x3x4,N/A,,-2.5e1,1\nInput,1,float32,(),1,1,1,1\n"));
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(table->front().statistics.max, std::nullopt);
  EXPECT_EQ(table->front().statistics.min, std::nullopt);
  EXPECT_EQ(table->front().statistics.mean, -25.0);
  EXPECT_THAT(table->front().shape, ElementsAre(2, 3, 4));
  EXPECT_THAT(table->back().shape, IsEmpty());
}

constexpr const char* kModuleHeadings = "InputOutput,Index,DataType,Shape,Max,Min,Mean,L2Norm\n";

/// Shapes of a table with one row, or the error.
std::string shapeIn(const std::string& cell) {
  const test::TempDir dir;
  const auto table = readModuleStatistics(
      dir.write("x.csv", kModuleHeadings + ("Input,0,float32,\"" + cell + "\",1,1,1,1\n")));
  if (!table) {
    return table.error().message().substr(table.error().message().find("line"));
  }
  std::string text;
  for (const std::int64_t size : table->front().shape) {
    text += std::to_string(size) + " ";
  }
  return text;
}

TEST(StatisticsTableTest, ShapesHaveFewerThan64DimensionsAndNumbersThatFit) {
  std::string many = "1";
  for (int i = 1; i < 63; ++i) {
    many += ",1";
  }
  EXPECT_EQ(shapeIn(many).size(), 2U * 63U);
  EXPECT_EQ(shapeIn(many + ",1"),
            "line 2: '" + many.substr(0, 40) + "…' is no possible shape; dump again");
  EXPECT_EQ(shapeIn("9223372036854775807"), "9223372036854775807 ");
  EXPECT_EQ(shapeIn("9223372036854775808"),
            "line 2: '9223372036854775808' is no possible shape; dump again");
  EXPECT_EQ(shapeIn("torch.Size([])"), "");
}

TEST(StatisticsTableTest, AsManyFieldsAsThereMayBeAreRead) {
  const test::TempDir dir;
  std::string headings = "InputOutput,Index,DataType,Shape,Max,Min,Mean,L2Norm";
  std::string row = "Output,3,float32,2,1,1,1,1";
  for (int i = 8; i < 1024; ++i) {
    headings += ",x";
    row += ",";
  }
  const auto table = readModuleStatistics(dir.write("x.csv", headings + "\n" + row + "\n"));
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(table->front().index, "3");
  const auto wider = readModuleStatistics(dir.write("y.csv", headings + ",x\n" + row + ",\n"));
  ASSERT_FALSE(wider);
  EXPECT_THAT(wider.error().message(), HasSubstr("more than 1024 headings"));
}

TEST(StatisticsTableTest, QuotesHoldCommasLinesAndThemselves) {
  const test::TempDir dir;
  const auto table = readModuleStatistics(
      dir.write("x.csv",
                kModuleHeadings + std::string("Input,\"a,\"\"b\"\"\r\nc\",\"f\r\",2,1,1,1,\r\n"
                                              "Output,\"\",g\r,\"3\",1,1,1,2")));
  ASSERT_TRUE(table) << table.error().message();
  ASSERT_EQ(table->size(), 2U);
  EXPECT_EQ(table->front().index, "a,\"b\"\r\nc");
  EXPECT_EQ(table->front().dtype, "f\r");
  EXPECT_EQ(table->front().statistics.norm, std::nullopt);
  EXPECT_EQ(table->back().index, "");
  EXPECT_EQ(table->back().dtype, "g");
  EXPECT_EQ(table->back().statistics.norm, 2);
  const auto lacking = readModuleStatistics(dir.write("y.csv", "InputOutput,Index\nInput,0\n"));
  ASSERT_FALSE(lacking);
  EXPECT_THAT(lacking.error().message(), HasSubstr("line 1: no column 'DataType'"));
}

std::string operationTable(const std::string& rows) {
  return "Execution Count,Op Name,Op Id,Input/Output,Index,Dtype,Shape,Max,Min,Mean,Norm,"
         "Tensor Path\n" +
         rows;
}

TEST(StatisticsTableTest, OperationsAreNamedByNumbersAndTypesOfTheirLevels) {
  const test::TempDir dir;
  const auto table = readOperationStatistics(dir.write(
      "x.csv",
      operationTable("3,Layer/Attention,0_1,intensor,0,float16,2,1,1,1,1,"
                     "/d/atb_dump_data/data/0_42/7/0_Layer/1_Attention/before/intensor0.bin\n"
                     "3,Layer/Attention,0,outtensor,1,float16,2,1,1,1,1,\n"
                     "4,Layer,2,Output,1,float16,2,1,1,1,1,/d/atb_dump_data/data/0_42\n")));
  ASSERT_TRUE(table) << table.error().message();
  ASSERT_EQ(table->size(), 2U) << "levels differ in number";
  EXPECT_EQ(table->front().operation, "0_Layer/1_Attention");
  EXPECT_EQ(table->front().role, Role::Input);
  EXPECT_EQ(table->front().execution, "3");
  EXPECT_EQ(table->front().file, "0_Layer/1_Attention/before/intensor0.bin");
  EXPECT_EQ(table->back().operation, "2_Layer");
  EXPECT_EQ(table->back().role, Role::Output);
  EXPECT_EQ(table->back().file, "");
  RecordedUnit unit;
  addStatistics(unit, *table, "x.csv");
  ASSERT_EQ(unit.entries.size(), 2U);
  EXPECT_EQ(unit.entries[0].name, "0_Layer/1_Attention");
  EXPECT_EQ(unit.entries[0].module, "0_Layer");
  EXPECT_EQ(unit.entries[0].operation, "Attention");
  EXPECT_EQ(unit.entries[1].module, "");
  EXPECT_EQ(unit.entries[1].operation, "Layer");
  ASSERT_EQ(unit.rows.size(), 2U);
  EXPECT_EQ(unit.rows[0].name, "0_Layer/1_Attention/before/intensor0");
  EXPECT_EQ(unit.rows[1].name, "2_Layer/after/outtensor1");
  // What a unit has already gets its statistics by name.
  unit.rows[1].statistics = {};
  std::vector<TensorStatistics> more = *table;
  more.back().statistics.max = 9;
  more.front().statistics.max = 8;
  more.push_back(more.back());
  more.back().index = "5";
  addStatistics(unit, more, "x.csv");
  EXPECT_EQ(unit.rows[0].statistics.max, 1) << "is kept";
  EXPECT_EQ(unit.rows[1].statistics.max, 9);
  EXPECT_THAT(textsOf(unit.notes),
              ElementsAre("x.csv: 1 tensors of the table have no file in the dump"));
}

}  // namespace
}  // namespace ulp::dumps::msit
