#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tests/fuzz/archive_targets.h"

namespace ulp::tensors {
namespace {

using Target = void (*)(const std::uint8_t* data, std::size_t size);

/// Runs a target over its seeds, and over their halves and versions with one byte changed.
void runCorpus(const std::string& name, Target target) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(ULP_CORPUS) / name)) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::string content(std::istreambuf_iterator<char>(file), {});
    const auto run = [&](std::size_t size) {
      target(reinterpret_cast<const std::uint8_t*>(content.data()), size);
    };
    run(content.size());
    run(content.size() / 2);
    for (std::size_t i = 0; i < content.size(); i += 7) {
      const char before = content[i];
      content[i] = static_cast<char>(~before);
      run(content.size());
      content[i] = before;
    }
    ++files;
  }
  EXPECT_GE(files, 3U) << name;
}

TEST(FuzzCorpusTest, TorchFilesAreReadOrRefused) {
  runCorpus("torch", fuzzTorch);
}

TEST(FuzzCorpusTest, NpzFilesAreReadOrRefused) {
  runCorpus("npz", fuzzNpz);
}

TEST(FuzzCorpusTest, AtbFilesAreReadOrRefused) {
  runCorpus("atb", fuzzAtb);
}

}  // namespace
}  // namespace ulp::tensors
