#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "tests/core/compat/msit/msit_fixture.h"
#include "tests/core/compat/msit/msit_tables.h"

namespace ulp::compat {
namespace {

using testing::AllOf;
using testing::ElementsAreArray;
using testing::HasSubstr;

/// What the probe of ATB writes of a tensor with `--type tensor stats`.
std::string statisticsOf(std::string_view numbers) {
  return "$Version=1.0\n$Object.Count=1\n$Object.Length=0\nformat=2\ndtype=0\ndims=4\n" +
         std::string(numbers) + "$End=1\n";
}

/// A head that PyTorch recorded with an input and two outputs, and ATB with one output.
class MsitStatistics : public testing::Test {
 protected:
  void SetUp() override {
    m_dir.write("golden/msit_dump_1/torch_tensors/cpu_7/model_tree.json",
                R"({"name": "root", "type": "Lm", "children": [
                    {"name": "root.lm_head", "type": "Linear", "children": []}]})");
    writeTable(
        "root.lm_head,Linear,Input,0,torch.float32,\"(4,)\",90,91,92,93\n"
        "root.lm_head,Linear,Output,0,torch.float32,\"(4,)\",80,81,82,83\n"
        "root.lm_head,Linear,Output,1,torch.float32,\"(4,)\",2,-0.5,0,4\n");
    m_dir.write("my/msit_dump_1/model/7/M.json",
                R"({"modelName": "M", "nodes": [{"opName": "LmHead_0", "opType": "LmHead"}]})");
    writeOutput(0, "max=3\nmin=-0.5\nmean=2.384185791015625e-07\nl2norm=4.1\n");
  }
  void writeTable(const std::string& rows) {
    m_dir.write("golden/msit_dump_1/torch_tensors/cpu_7/0/root.lm_head/statistics.csv",
                "NodeName,NodeType,InputOutput,Index,DataType,Shape,Max,Min,Mean,L2Norm\n" + rows);
  }
  void writeOutput(int index, std::string_view numbers) {
    m_dir.write(output(index), statisticsOf(numbers));
  }
  static std::string output(int index) {
    return "my/msit_dump_1/tensors/0_7/0/0_LmHead/after/outtensor" + std::to_string(index) + ".bin";
  }
  [[nodiscard]] Result<CompareOutcome> compare() const {
    return builtinComparators().find("msit")->compare({.target = m_dir / "my",
                                                       .golden = m_dir / "golden",
                                                       .output = m_dir / "out",
                                                       .level = "statistics",
                                                       .timestamp = "20260101000000"},
                                                      {},
                                                      {});
  }

  test::TempDir m_dir;
};

TEST_F(MsitStatistics, ErrorsAreAbsoluteAndRelativeToTheLastOutputInFloat32) {
  const auto outcome = compare();
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_TRUE(outcome->failures.empty());
  ASSERT_EQ(outcome->files, std::vector{m_dir / "out/statstics_cmp_report_20260101000000.csv"});
  const test::Table table = test::readCsv(outcome->files.front());
  ASSERT_EQ(table.size(), 2U);
  EXPECT_THAT(table[0],
              ElementsAreArray({"token_id",
                                "data_id",
                                "golden_data_path",
                                "golden_op_type",
                                "my_data_path",
                                "my_op_type",
                                "max_stat_absolute_error",
                                "max_stat_relative_error",
                                "min_stat_absolute_error",
                                "min_stat_relative_error",
                                "mean_stat_absolute_error",
                                "mean_stat_relative_error",
                                "l2norm_stat_absolute_error",
                                "l2norm_stat_relative_error"}));
  EXPECT_EQ(test::tailOf(test::cell(table, 1, "golden_data_path")),
            "/torch_tensors/cpu_7/0/root.lm_head/statistics.csv");
  EXPECT_EQ(test::tailOf(test::cell(table, 1, "my_data_path")),
            "/tensors/0_7/0/0_LmHead/after/outtensor0.bin");
  EXPECT_EQ(test::cell(table, 1, "token_id"), "0");
  EXPECT_EQ(test::cell(table, 1, "data_id"), "0");
  EXPECT_EQ(test::cell(table, 1, "golden_op_type"), "Linear");
  EXPECT_EQ(test::cell(table, 1, "my_op_type"), "LmHead");
  // Of 2 and 3; of equal ones; of 0 and 2⁻²², over 2⁻²³ where the golden number is smaller.
  EXPECT_EQ(test::cell(table, 1, "max_stat_absolute_error"), "1.0");
  EXPECT_EQ(test::cell(table, 1, "max_stat_relative_error"), "0.5");
  EXPECT_EQ(test::cell(table, 1, "min_stat_absolute_error"), "0.0");
  EXPECT_EQ(test::cell(table, 1, "min_stat_relative_error"), "0.0");
  EXPECT_EQ(test::cell(table, 1, "mean_stat_absolute_error"), "2.3841858e-07");
  EXPECT_EQ(test::cell(table, 1, "mean_stat_relative_error"), "2.0");
  // 4.1 is 4.0999999046… in float32.
  EXPECT_EQ(test::cell(table, 1, "l2norm_stat_absolute_error"), "0.099999905");
  EXPECT_EQ(test::cell(table, 1, "l2norm_stat_relative_error"), "0.024999976");
}

TEST_F(MsitStatistics, EveryOutputOfAtbIsComparedAndWhatLacksANumberIsNamed) {
  writeOutput(1, "max=2\nmin=-0.5\nmean=0\nl2norm=4\n");
  writeOutput(2, "max=2\nmin=-0.5\nmean=0\n");
  const auto outcome = compare();
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->failures.size(), 1U);
  EXPECT_THAT(outcome->failures.front().message(),
              AllOf(HasSubstr((m_dir / output(2)).string()), HasSubstr("lacks a maximum")));
  const test::Table table = test::readCsv(outcome->files.front());
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(test::cell(table, 2, "data_id"), "1");
  EXPECT_EQ(test::cell(table, 2, "max_stat_absolute_error"), "0.0");
}

TEST_F(MsitStatistics, WhereNothingCanBeComparedTheReasonIsTheError) {
  writeTable("root.lm_head,Linear,Input,0,torch.float32,\"(4,)\",90,91,92,93\n");
  const auto outcome = compare();
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message(), HasSubstr("statistics.csv: no row of an output"));
  EXPECT_FALSE(std::filesystem::exists(m_dir / "out"));
}

TEST_F(MsitStatistics, OnlyPyTorchIsComparedWithAtb) {
  const auto outcome = builtinComparators().find("msit")->compare({.target = m_dir / "golden",
                                                                   .golden = m_dir / "my",
                                                                   .output = m_dir / "out",
                                                                   .level = "statistics"},
                                                                  {},
                                                                  {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(outcome.error().message(), HasSubstr("of a PyTorch dump as golden"));
}

}  // namespace
}  // namespace ulp::compat
