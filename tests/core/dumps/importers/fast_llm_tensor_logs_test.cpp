#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/importers/importer.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/support/data/dump_files.h"
#include "tests/support/data/fixture_case.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

using tensors::archiveOf;
using tensors::numbers;
using tensors::PickleBytes;
using testing::ElementsAre;
using testing::HasSubstr;

/// A log of one tensor [2, 2], of which `count` elements were kept.
std::string logOf(const std::string& name, int count) {
  PickleBytes pickle;
  pickle.op("](}(").unicode("name").unicode(name).unicode("shape").op(
      "](K\x02K\x02"
      "e");
  pickle.unicode("dtype")
      .unicode("float32")
      .unicode("max")
      .op("G\x40\x10")
      .op(std::string(6, '\0'));
  pickle.unicode("samples").tensor("0", 4, 0, {count}, {1}).unicode("step").integer(4 / count);
  return archiveOf(pickle.op("ue").end(), numbers({1, 2, 3, 4}));
}

TEST(FastLlmTensorLogsTest, NamesSayModulePassAndRole) {
  const test::TempDir dir;
  struct Expected {
    std::string name, module;
    EntryKind kind;
    Pass pass;
    Role role;
  };
  const std::vector<Expected> cases{
      {"Global decoder.3 fw: decoder.3 output",
       "decoder.3",
       EntryKind::Module,
       Pass::Forward,
       Role::Output},
      {"Local decoder.3 bw, mb=0/2: decoder.2 output",
       "decoder.3",
       EntryKind::Module,
       Pass::Backward,
       Role::InputGradient},
      {"Global : head.logits", "head.logits", EntryKind::Module, Pass::Forward, Role::Output},
      {"Global : head.logits.grad",
       "head.logits",
       EntryKind::Module,
       Pass::Backward,
       Role::OutputGradient},
      {"Global : chosen_logprob", "", EntryKind::Tensor, Pass::Forward, Role::Output},
      {"Global gradient: decoder.0.norm_1.weight",
       "decoder.0.norm_1",
       EntryKind::Gradient,
       Pass::ParameterGradient,
       Role::ParameterGradient},
      {"Global gradient: embeddings.word_embeddings_weight",
       "embeddings",
       EntryKind::Gradient,
       Pass::ParameterGradient,
       Role::ParameterGradient},
      {"no colon", "", EntryKind::Tensor, Pass::Forward, Role::Output}};
  for (const Expected& expected : cases) {
    const auto dump = openDump(dir.write("tensor_logs_none.pt", logOf(expected.name, 4)));
    ASSERT_TRUE(dump) << dump.error().message();
    EXPECT_EQ((*dump)->importer, "fast_llm_tensor_logs");
    const auto unit = (*dump)->openUnit(0);
    ASSERT_TRUE(unit) << unit.error().message();
    ASSERT_EQ((*unit)->entries.size(), 1U);
    const DumpEntry& entry = (*unit)->entries[0];
    EXPECT_EQ(entry.name, expected.name);
    EXPECT_EQ(entry.module, expected.module) << expected.name;
    EXPECT_EQ(entry.kind, expected.kind) << expected.name;
    EXPECT_EQ(entry.pass, expected.pass) << expected.name;
    EXPECT_EQ((*unit)->rows[0].role, expected.role) << expected.name;
  }
}

TEST(FastLlmTensorLogsTest, WholeTensorsHaveTheirShapeAndSamplesSayWhatTheyAre) {
  const test::TempDir dir;
  const auto whole = openDump(dir.write("whole/tensor_logs_train_7.pt", logOf("Global : x.y", 4)));
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_EQ(describe((*whole)->units[0].axes), "step 7");
  const auto unit = (*whole)->openUnit(0);
  ASSERT_TRUE(unit);
  EXPECT_THAT((*unit)->rows[0].shape, ElementsAre(2, 2));
  EXPECT_EQ((*unit)->rows[0].index, "");
  EXPECT_EQ((*unit)->rows[0].statistics.max, 4);
  EXPECT_THAT(textsOf((*unit)->notes), testing::IsEmpty());
  const auto tensor = (*unit)->read(0);
  ASSERT_TRUE(tensor) << tensor.error().message();
  EXPECT_THAT(tensor->view.shape, ElementsAre(2, 2));
  EXPECT_EQ(numerics::elementAt(tensor->view, 3), 4);

  const auto part = openDump(dir.write("part/tensor_logs_none.pt", logOf("Global : x.y", 2)));
  ASSERT_TRUE(part);
  const auto samples = (*part)->openUnit(0);
  ASSERT_TRUE(samples);
  EXPECT_THAT((*samples)->rows[0].shape, ElementsAre(2));
  EXPECT_EQ((*samples)->rows[0].index, "every 2 of [2, 2]");
  EXPECT_THAT(textsOf((*samples)->notes),
              ElementsAre(HasSubstr("of 1 of its 1 tensors Fast-LLM kept samples alone")));
}

TEST(FastLlmTensorLogsTest, OtherFilesOfThatNameAreNotClaimed) {
  const test::TempDir dir;
  const auto file =
      dir.write("tensor_logs_none.pt",
                archiveOf(PickleBytes().tensor("0", 1, 0, {1}, {1}).end(), numbers({1})));
  const auto dump = openDump(file);
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "tensor_files");
}

TEST(FastLlmTensorLogsTest, RunsOfTheToolAreRead) {
  for (const auto& [name, rows] :
       {std::pair("tool_seed_efa95b1f", 11U), std::pair("tool_tip_116dc065", 35U)}) {
    const auto dump = openDump(test::fixture("fastllm") / name);
    ASSERT_TRUE(dump) << dump.error().message();
    EXPECT_EQ((*dump)->importer, "fast_llm_tensor_logs");
    std::vector<std::string> runs;
    for (std::size_t i = 0; i < (*dump)->units.size(); ++i) {
      runs.push_back((*dump)->units[i].axes.run);
      EXPECT_EQ((*dump)->units[i].axes.rank, 0);
      const auto unit = (*dump)->openUnit(i);
      ASSERT_TRUE(unit) << unit.error().message();
      ASSERT_EQ((*unit)->rows.size(), rows);
      EXPECT_EQ((*unit)->entries[1].module, "decoder.0");
      for (std::size_t row = 0; row < rows; ++row) {
        const auto tensor = (*unit)->read(row);
        ASSERT_TRUE(tensor) << tensor.error().message();
        EXPECT_EQ(tensor->view.shape, (*unit)->rows[row].shape);
      }
    }
    EXPECT_THAT(
        runs,
        ElementsAre(
            "bf16", "bf16_fp32_lm_head", "bf16_fp32_residual", "bf16_max_precision", "reference"));
  }
}

TEST(FastLlmTensorLogsTest, ALogThatCannotBeReadIsAnErrorOfItsUnitAndTheOthersAreOpened) {
  const test::TempDir dir;
  const std::string ranks = "out/bf16/runs/0/artifacts/";
  test::writeNpy(dir / "out/x.npy", {1}, {1});
  dir.write(ranks + "0/tensor_logs_3.pt", "");
  dir.write(ranks + "1/tensor_logs_3.pt", logOf("Global : x.y", 4));
  const auto dump = openDump(dir / "out");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ((*dump)->importer, "fast_llm_tensor_logs");
  ASSERT_EQ((*dump)->units.size(), 2U);
  EXPECT_EQ((*dump)->units[0].axes.rank, 0);
  const auto broken = (*dump)->openUnit(0);
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message(),
              HasSubstr(ranks + "0/tensor_logs_3.pt: not a file of torch.save: it is no zip "
                                "archive; copy the file again"));
  EXPECT_EQ((*dump)->units[1].axes.rank, 1);
  const auto whole = (*dump)->openUnit(1);
  ASSERT_TRUE(whole) << whole.error().message();
  EXPECT_EQ((*whole)->rows.size(), 1U);
}

TEST(FastLlmTensorLogsTest, WhereNoLogCanBeReadTheFirstOneIsNamedAndNoTensorsAreShown) {
  const test::TempDir dir;
  const std::string ranks = "out/bf16/runs/0/artifacts/";
  test::writeNpy(dir / "out/x.npy", {1}, {1});
  dir.write(ranks + "10/tensor_logs_3.pt", "");
  dir.write(ranks + "2/tensor_logs_3.pt", "PK\x03\x04 the rest is lost");
  const auto dump = openDump(dir / "out");
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(dump.error().message(),
              testing::AllOf(HasSubstr(ranks + "2/tensor_logs_3.pt: zip: "),
                             HasSubstr("; copy the file again")));
}

}  // namespace
}  // namespace ulp::dumps
