#include "core/dumps/msit/layout.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps::msit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// Paths below the folder, and the token that was asked for.
std::vector<std::string> shownProcesses(const std::vector<ProcessFolder>& found,
                                        const test::TempDir& dir) {
  std::vector<std::string> texts;
  for (const ProcessFolder& each : found) {
    texts.push_back(each.path.lexically_relative(fs::canonical(dir.path())).string() +
                    (each.token.empty() ? "" : " token " + each.token));
  }
  return texts;
}

TEST(MsitLayout, NumbersOfDevicesStandInFrontOfTheProcess) {
  EXPECT_EQ(deviceNumber("a/cuda0_1234"), 0);
  EXPECT_EQ(deviceNumber("12_1234"), 12);
  EXPECT_EQ(deviceNumber("cpu_1234"), std::nullopt);
  EXPECT_EQ(deviceNumber("npu7"), 7);
}

TEST(MsitLayout, RanksAreNumbersOfDevicesWhereTheseTellThemApart) {
  const auto ranks = [](const std::vector<fs::path>& processes) {
    std::vector<int> numbers;
    for (const auto& rank : ranksOf(processes)) {
      numbers.push_back(static_cast<int>(rank.value_or(-1)));
    }
    return numbers;
  };
  EXPECT_THAT(ranks({"npu3_1"}), ElementsAre(-1)) << "it is alone";
  EXPECT_THAT(ranks({"npu3_1", "npu1_2"}), ElementsAre(3, 1));
  EXPECT_THAT(ranks({"npu3_1", "npu3_2"}), ElementsAre(0, 1));
  EXPECT_THAT(ranks({"npu3_1", "cpu_2"}), ElementsAre(0, 1));
}

TEST(MsitLayout, DumpsOfPyTorchAreFoundFromEveryLevel) {
  const test::TempDir dir;
  for (const std::string process : {"npu0_1", "npu1_2"}) {
    dir.write("x/msit_dump_1/torch_tensors/" + process + "/model_tree.json", "{}");
    dir.write("x/msit_dump_1/torch_tensors/" + process + "/5/root.norm/output.pth", "");
  }
  const auto found = [&](const std::string& path) {
    return shownProcesses(findTorchProcesses(dir / path), dir);
  };
  const std::string folder = "x/msit_dump_1/torch_tensors";
  const auto both = ElementsAre(folder + "/npu0_1", folder + "/npu1_2");
  EXPECT_THAT(found(folder), both);
  EXPECT_THAT(found("x/msit_dump_1"), both);
  EXPECT_THAT(found("x"), both) << "with one dump in it";
  EXPECT_THAT(found(folder + "/npu1_2"), ElementsAre(folder + "/npu1_2"));
  EXPECT_THAT(found(folder + "/npu1_2/5"), ElementsAre(folder + "/npu1_2 token 5"));
  EXPECT_THAT(found(folder + "/npu1_2/5/root.norm"), ElementsAre(folder + "/npu1_2 token 5"));
  dir.write(folder + "/npu1_2/5/root.norm/deeper/x", "");
  EXPECT_THAT(found(folder + "/npu1_2/5/root.norm/deeper"), IsEmpty());
  dir.write("x/ait_dump_2/readme", "");
  EXPECT_THAT(found("x"), IsEmpty()) << "which of two dumps, nobody says";
}

TEST(MsitLayout, DumpsOfAtbAreFoundFromEveryLevel) {
  const test::TempDir dir;
  dir.write("x/ait_dump/model/7/m.json", "{}");
  dir.write("x/ait_dump/tensors/0_7/3/0_A/after/outtensor0.bin", "");
  const auto found = [&](const std::string& path) {
    return shownProcesses(findAtbProcesses(dir / path), dir);
  };
  const std::string tensors = "x/ait_dump/tensors";
  EXPECT_THAT(found("x"), ElementsAre(tensors + "/0_7"));
  EXPECT_THAT(found("x/ait_dump"), ElementsAre(tensors + "/0_7"));
  EXPECT_THAT(found(tensors), ElementsAre(tensors + "/0_7"));
  EXPECT_THAT(found(tensors + "/0_7"), ElementsAre(tensors + "/0_7"));
  EXPECT_THAT(found(tensors + "/0_7/3"), ElementsAre(tensors + "/0_7 token 3"));
  EXPECT_THAT(found(tensors + "/0_7/3/0_A"), IsEmpty());
  fs::remove(dir / "x/ait_dump/model/7/m.json");
  dir.write("x/ait_dump/model/7/m.txt", "{}");
  EXPECT_THAT(found("x/ait_dump"), IsEmpty()) << "without the structure of a model";
}

TEST(MsitLayout, TokensAreInTheirOrderAndTheWarmUpBehindThem) {
  const test::TempDir dir;
  const std::string model = R"({"modelName": "M", "nodes": [{"opName": "A_)";
  dir.write("d/model/7/decode.json", model + R"(5", "opType": "A"}]})");
  dir.write("d/model/7/prefill.json", model + R"(0", "opType": "A"}]})");
  dir.write("d/model/7/third.json", model + R"(9", "opType": "A"}]})");
  for (const std::string token : {"0", "1", "2", "10", "x"}) {
    dir.write("d/tensors/0_7/" + token + "/0_A/after/outtensor0.bin", "");
  }
  dir.write("d/tensors/0_7/4", "no folder");
  const auto process = openAtbProcess({.path = dir / "d/tensors/0_7"});
  ASSERT_TRUE(process) << process.error().message();
  EXPECT_FALSE(process->isOneToken);
  ASSERT_EQ(process->models.size(), 2U);
  EXPECT_EQ(process->models[0].nodes[1].order, 0U) << "what is counted from 0 runs first";
  EXPECT_EQ(process->models[1].nodes[1].order, 5U);
  std::vector<std::int64_t> tokens;
  std::vector<std::size_t> models;
  for (const TokenFolder& token : process->tokens) {
    tokens.push_back(token.token);
    models.push_back(token.model);
  }
  EXPECT_THAT(tokens, ElementsAre(0, 1, 2, 10, kWarmUp));
  EXPECT_THAT(models, ElementsAre(0, 1, kNone, kNone, kNone));
  const auto one = openAtbProcess({.path = dir / "d/tensors/0_7", .token = "2"});
  ASSERT_TRUE(one) << one.error().message();
  EXPECT_TRUE(one->isOneToken);
  ASSERT_EQ(one->tokens.size(), 1U);
  EXPECT_EQ(one->tokens[0].path, dir / "d/tensors/0_7/2");
}

}  // namespace
}  // namespace ulp::dumps::msit
