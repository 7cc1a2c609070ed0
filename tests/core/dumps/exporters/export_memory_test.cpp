#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "core/dumps/exporters/dump_exporter.h"
#include "core/dumps/importers/importer.h"
#include "tests/core/tensors/archive/test_bytes.h"
#include "tests/support/machine/resident_memory.h"
#include "tests/support/machine/temp_dir.h"

/// However large the tensors of a dump are, little of them is in memory at a time.
namespace ulp::dumps {
namespace {

constexpr std::size_t kMost = std::size_t{24} << 20;
constexpr std::size_t kTensorBytes = std::size_t{48} << 20;

/// A file of tensors of one type, each of 48 MiB of ones.
std::string safetensorsFile(const std::string& type, std::size_t itemBytes, std::size_t tensors) {
  std::string header = "{";
  for (std::size_t i = 0; i < tensors; ++i) {
    header += (i == 0 ? "\"t" : ",\"t") + std::to_string(i) + R"(":{"dtype":")" + type +
              R"(","shape":[)" + std::to_string(kTensorBytes / itemBytes) +
              R"(],"data_offsets":[)" + std::to_string(i * kTensorBytes) + "," +
              std::to_string((i + 1) * kTensorBytes) + "]}";
  }
  header += "}";
  header.resize((header.size() + 8 + 63) / 64 * 64 - 8, ' ');
  return tensors::Bytes().counted(header).text(std::string(tensors * kTensorBytes, '\1')).content();
}

class ExportMemory : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!test::MemoryPeak::works()) {
      GTEST_SKIP() << "the peak of a process's memory cannot be told here";
    }
  }
  void expectSmall(const std::string& content) const {
    const auto file = m_folder.write("x.safetensors", content);
    const auto dump = openDump(file);
    ASSERT_TRUE(dump) << dump.error().message();
    const DumpExporterRegistry exporters = builtinDumpExporters();
    const test::MemoryPeak peak;
    const auto outcome = exportDump(**dump, m_folder / "out", *exporters.find(GetParam()), {});
    EXPECT_LT(peak.bytes(), kMost);
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->rows, 2U);
  }

  test::TempDir m_folder;
};

TEST_P(ExportMemory, OfMappedTensorsIsSmall) {
  expectSmall(safetensorsFile("F32", sizeof(float), 2));
}

/// Read as float32 by the exporter to npy, in blocks.
TEST_P(ExportMemory, OfBfloat16IsSmall) {
  expectSmall(safetensorsFile("BF16", sizeof(std::uint16_t), 2));
}

TEST_P(ExportMemory, OfTruthValuesIsSmall) {
  expectSmall(safetensorsFile("BOOL", 1, 2));
}

INSTANTIATE_TEST_SUITE_P(ToEachFormat,
                         ExportMemory,
                         testing::Values("msprobe", "npy", "safetensors"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace ulp::dumps
