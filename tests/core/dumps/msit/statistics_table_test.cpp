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
  const ModuleStatistics& input = tensors->front();
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
  const auto table = parseCsvTable("a,b\n1,2\n3\n", "x.csv");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(table.error().message(),
              HasSubstr("x.csv: line 3: 1 fields where the headings are 2"));
}

TEST(StatisticsTableTest, LinesAreThoseOfTheFileAlsoWhereAFieldFillsSeveral) {
  const auto table = parseCsvTable("a,b\n\"1\n1\",2\n\n3,4\n", "x.csv");
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(table->rows[0][0], "1\n1");
  EXPECT_THAT(table->lines, ElementsAre(2, 5));
}

TEST(StatisticsTableTest, ALineOfCommasDoesNotFillTheMemory) {
  std::string commas;
  commas.resize(10'000'000, ',');
  const auto row = parseCsvTable("a,b\n" + commas, "x.csv");
  ASSERT_FALSE(row);
  EXPECT_THAT(row.error().message(),
              HasSubstr("x.csv: line 2: more than 1024 fields where the headings are 2"));
  const auto headings = parseCsvTable(commas, "x.csv");
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

TEST(StatisticsTableTest, WordsAreNoNumbers) {
  EXPECT_EQ(asStatistic("N/A"), std::nullopt);
  EXPECT_EQ(asStatistic(""), std::nullopt);
  EXPECT_EQ(asStatistic("-2.5e1"), -25.0);
  EXPECT_THAT(asShape("2x3x4"), ElementsAre(2, 3, 4));
  EXPECT_THAT(asShape("()"), IsEmpty());
}

}  // namespace
}  // namespace ulp::dumps::msit
