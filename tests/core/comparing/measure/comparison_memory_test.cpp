#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "core/comparing/measure/unit_comparison.h"
#include "core/dumps/importers/file_unit.h"
#include "core/numerics/metrics/metric.h"
#include "tests/core/tensors/formats/torch/torch_builder.h"
#include "tests/support/machine/resident_memory.h"
#include "tests/support/machine/temp_dir.h"

/// However large a tensor is, little of it is in memory at a time.
namespace ulp::analysis {
namespace {

constexpr std::int32_t kTokens = 1024;
constexpr std::int32_t kVocabulary = 24 * 1024;
constexpr std::int32_t kElements = kTokens * kVocabulary;
constexpr std::size_t kBytes = std::size_t{kElements} * sizeof(float);
constexpr std::size_t kMost = std::size_t{24} << 20;

std::string npyFile(const std::string& elements) {
  return tensors::npyBytes(
      "<f4", "(" + std::to_string(kTokens) + ", " + std::to_string(kVocabulary) + ")", elements);
}

std::string safetensorsFile(const std::string& elements) {
  std::string header = R"({"x":{"dtype":"F32","shape":[)" + std::to_string(kTokens) + "," +
                       std::to_string(kVocabulary) + R"(],"data_offsets":[0,)" +
                       std::to_string(elements.size()) + "]}}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return tensors::Bytes().counted(header).text(elements).content();
}

/// Its elements are aligned, as torch.save has them.
std::string torchFile(const std::string& elements) {
  const std::string pickle =
      tensors::PickleBytes()
          .tensor("0", kElements, 0, {kTokens, kVocabulary}, {kVocabulary, 1})
          .end();
  const std::string before = tensors::archiveOf(pickle, "");
  const std::string name = "archive/data/0";
  const std::size_t place =
      before.find(name) + name.size() + (30 + std::string("archive/pad").size());
  const std::string pad((4 - place % 4) % 4, ' ');
  return tensors::zipOf({{"archive/data.pkl", pickle}, {"archive/pad", pad}, {name, elements}});
}

dumps::DumpUnitPtr unitOf(const std::filesystem::path& file, const std::string& tensor) {
  auto unit = std::make_shared<dumps::FileUnit>();
  unit->setFiles({file});
  const tensors::TensorInfo info{tensor, {kTokens, kVocabulary}, DType::Float32, "float32"};
  unit->add({.name = "x", .kind = dumps::EntryKind::Tensor}, {.name = "x"}, 0, &info);
  return unit;
}

class ComparisonMemory : public testing::Test {
 protected:
  void SetUp() override {
    // A peak before that cannot be set back would hold this test's own copies of the files.
    if (!test::MemoryPeak::works()) {
      GTEST_SKIP() << "the peak of a process's memory cannot be told here";
    }
  }
  /// Compares a file of 96 MiB with itself.
  void compare(const std::string& name, std::string (*fileOf)(const std::string&)) {
    const auto file = m_folder.write(name, fileOf(std::string(kBytes, '\x3F')));
    const std::string tensor = name == "x.safetensors" ? "x" : "";
    const auto left = unitOf(file, tensor);
    const auto right = unitOf(file, tensor);
    ASSERT_NE(left->read(0)->file, nullptr) << "mapped";
    const test::MemoryPeak peak;
    const auto compared = compareUnits(left, right, {});
    EXPECT_LT(peak.bytes(), kMost);
    ASSERT_TRUE(compared) << compared.error().message();
    ASSERT_EQ(compared->comparisons.size(), 1U);
    EXPECT_TRUE(compared->rows[0].isEqual);
    EXPECT_EQ(compared->comparisons[0].compared, static_cast<std::uint64_t>(kElements));
  }

  test::TempDir m_folder;
};

TEST_F(ComparisonMemory, OfANumpyFileIsSmall) {
  compare("x.npy", npyFile);
}

TEST_F(ComparisonMemory, OfATorchFileIsSmall) {
  compare("x.pt", torchFile);
}

TEST_F(ComparisonMemory, OfASafetensorsFileIsSmall) {
  compare("x.safetensors", safetensorsFile);
}

/// Logits are read a second time, for their distributions.
TEST_F(ComparisonMemory, OfLogitsIsSmall) {
  const auto file = m_folder.write("logits.npy", npyFile(std::string(kBytes, '\x3F')));
  const auto logits = [&] {
    auto unit = std::make_shared<dumps::FileUnit>();
    unit->setFiles({file});
    const tensors::TensorInfo info{"", {kTokens, kVocabulary}, DType::Float32, "float32"};
    unit->add({.name = "Module.lm_head.Linear.forward.0",
               .kind = dumps::EntryKind::Module,
               .module = "lm_head",
               .operation = "Linear"},
              {.name = "Module.lm_head.Linear.forward.0.output.0",
               .role = dumps::Role::Output,
               .index = "0"},
              0,
              &info);
    return unit;
  };
  const test::MemoryPeak peak;
  const auto compared = compareUnits(logits(), logits(), {});
  EXPECT_LT(peak.bytes(), kMost);
  ASSERT_TRUE(compared) << compared.error().message();
  ASSERT_EQ(compared->comparisons.size(), 1U);
  EXPECT_EQ(compared->comparisons[0].site.name, "logits");
}

}  // namespace
}  // namespace ulp::analysis
