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

}  // namespace
}  // namespace ulp::dumps::msit
