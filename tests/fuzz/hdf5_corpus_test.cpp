#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/tensors/formats/hdf5/hdf5_archive.h"
#include "tests/fuzz/fuzz_bytes.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/machine/content_of.h"

namespace ulp::test {
namespace {

/// Reads all tensors, and tells whether the file was opened. One of HDF5 may also claim what only
/// the system can refuse.
bool isOpened(std::string_view content) {
  const FuzzFolder folder;
  folder.write("input.h5", content);
  const auto archive = tensors::openHdf5Archive(folder.path() / "input.h5");
  if (!archive) {
    require(archive.error().code() != ErrorCode::Internal);
    return false;
  }
  for (const tensors::TensorInfo& info : (*archive)->tensors()) {
    if (const auto tensor = (*archive)->read(info.name)) {
      touch(*tensor);
    } else {
      require(tensor.error().code() != ErrorCode::Internal && !tensor.error().message().empty());
    }
  }
  return true;
}

std::vector<std::string> hdf5Seeds() {
  std::vector<std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(ULP_SOURCE_DIR "/tests/fuzz/corpus") / "hdf5")) {
    contents.push_back(contentOf(entry.path()));
  }
  EXPECT_GE(contents.size(), 3U);
  return contents;
}

TEST(Hdf5CorpusTest, FilesThatAreCutShortAreRefused) {
  for (const std::string& content : hdf5Seeds()) {
    EXPECT_TRUE(isOpened(content));
    for (std::size_t size = 0; size < content.size(); size += 397) {
      EXPECT_FALSE(isOpened(content.substr(0, size))) << "cut to " << size;
    }
  }
}

/// HDF5 1.10 itself crashes on some of these. Wider steps than elsewhere: each is a process or
/// more.
TEST(Hdf5CorpusTest, FilesThatAreDamagedInsideAreReadOrRefused) {
  for (std::string content : hdf5Seeds()) {
    for (std::size_t i = 0; i < content.size(); i += 31) {
      const char before = content[i];
      content[i] = static_cast<char>(~before);
      isOpened(content);
      content[i] = before;
    }
  }
}

}  // namespace
}  // namespace ulp::test
