#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/text/parse_number.h"
#include "core/tensors/formats/hdf5/hdf5_archive.h"
#include "core/tensors/hdf5/capture_writer.h"
#include "core/tensors/hdf5/sample_store.h"
#include "core/tensors/store/capture_layout.h"
#include "core/tensors/store/capture_reader.h"
#include "core/tensors/store/sample_reader.h"
#include "tests/fuzz/fuzz_bytes.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/support/machine/content_of.h"

/// Files that HDF5 reads, cut and damaged, through the doors by which the programs open them. Each
/// look is a process or more, so that steps are wider than elsewhere; ULP_HDF5_STEP=1 damages every
/// byte, which takes hours.
namespace ulp::test {
namespace {

std::size_t stepOr(std::size_t usual) {
  const char* chosen = std::getenv("ULP_HDF5_STEP");  // NOLINT(concurrency-mt-unsafe)
  return chosen == nullptr ? usual : parseNumber<std::size_t>(chosen).value_or(usual);
}

/// Whatever is wrong is an error that says so, and never a defect of ours.
void requireMessage(const Error& error) {
  require(error.code() != ErrorCode::Internal && !error.message().empty());
}

/// Reads all tensors, and tells whether the file was opened. One of HDF5 may also claim what only
/// the system can refuse.
bool isOpened(std::string_view content) {
  const FuzzFolder folder;
  folder.write("input.h5", content);
  const auto archive = tensors::openHdf5Archive(folder.path() / "input.h5");
  if (!archive) {
    requireMessage(archive.error());
    return false;
  }
  for (const tensors::TensorInfo& info : (*archive)->tensors()) {
    if (const auto tensor = (*archive)->read(info.name)) {
      touch(*tensor);
    } else {
      requireMessage(tensor.error());
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

tensors::SampleLayout sampleLayout() {
  return {.runs = {"reference", "bf16"},
          .samples = 2,
          .rows = {{.name = "norm"}, {.name = "norm", .pass = Pass::Backward}},
          .metrics = {"rms_rel"},
          .tokenDigest = "aa"};
}

/// A folder as a study leaves it.
class RunFolder : public FuzzFolder {
 public:
  RunFolder() {
    const std::array<float, 6> elements{1, 2, 3, 4, 5, 6};
    const auto writer = tensors::CaptureWriter::create(path());
    const bool isWritten =
        writer && (*writer)->beginRun("a") &&
        (*writer)->put({.name = "x"}, {elements.data(), DType::Float32, {6}}, 0) &&
        (*writer)->put({.name = "y"}, {elements.data(), DType::Float32, {6}}, 2) &&
        (*writer)->finishRun();
    const std::array<double, 2> values{1, 2};
    const auto samples = tensors::SampleStore::create(path(), sampleLayout());
    const bool isSampled =
        samples &&
        (*samples)->write("bf16", 1, {.loss = 1, .metrics = values, .gainErrors = values});
    EXPECT_TRUE(isWritten && isSampled);
  }

  /// What of its captures can be read, and whether any could.
  [[nodiscard]] bool hasCaptures() const {
    const auto reader = tensors::CaptureReader::open(path());
    if (!reader) {
      requireMessage(reader.error());
      return false;
    }
    for (const Error& problem : (*reader)->problems()) {
      requireMessage(problem);
    }
    for (const tensors::StoredCapture& capture : (*reader)->captures()) {
      if (const auto tensor = (*reader)->read(capture)) {
        touch(*tensor);
      } else {
        requireMessage(tensor.error());
      }
    }
    return !(*reader)->captures().empty();
  }

  [[nodiscard]] bool hasSamples() const {
    const auto table = tensors::readSamples(path(), "bf16", "rms_rel");
    if (!table) {
      requireMessage(table.error());
      return false;
    }
    require(table->values.size() == table->samples.size() * table->rows.size());
    return true;
  }

  /// As a study that is resumed, which adds a run.
  [[nodiscard]] bool takesSamples() const {
    auto layout = sampleLayout();
    layout.runs.emplace_back("fp16");
    const auto store = tensors::SampleStore::reopen(path(), layout);
    if (!store) {
      requireMessage(store.error());
    }
    return store.has_value();
  }
};

/// A file of a run folder, and a look at it.
struct Door {
  const char* file;
  std::function<bool(const RunFolder&)> isOpened;
};

std::vector<Door> doors() {
  return {{"tensors.h5", &RunFolder::hasCaptures},
          {"tensors/a.h5", &RunFolder::hasCaptures},
          {"samples.h5", &RunFolder::hasSamples},
          {"samples.h5", &RunFolder::takesSamples}};
}

TEST(Hdf5CorpusTest, FilesThatAreCutShortAreRefused) {
  for (const std::string& content : hdf5Seeds()) {
    EXPECT_TRUE(isOpened(content));
    for (std::size_t size = 0; size < content.size(); size += stepOr(397)) {
      EXPECT_FALSE(isOpened(content.substr(0, size))) << "cut to " << size;
    }
  }
}

/// HDF5 1.10 itself crashes on some of these.
TEST(Hdf5CorpusTest, FilesThatAreDamagedInsideAreReadOrRefused) {
  for (std::string content : hdf5Seeds()) {
    for (std::size_t i = 0; i < content.size(); i += stepOr(31)) {
      const char before = content[i];
      content[i] = static_cast<char>(~before);
      isOpened(content);
      content[i] = before;
    }
  }
}

TEST(Hdf5CorpusTest, RunFoldersWhoseFilesAreCutShortAreRefused) {
  const RunFolder folder;
  for (const Door& door : doors()) {
    const std::string content = contentOf(folder.path() / door.file);
    EXPECT_TRUE(door.isOpened(folder)) << door.file;
    for (std::size_t size = 0; size < content.size(); size += stepOr(797)) {
      folder.write(door.file, content.substr(0, size));
      EXPECT_FALSE(door.isOpened(folder)) << door.file << " cut to " << size;
    }
    folder.write(door.file, content);
  }
}

TEST(Hdf5CorpusTest, RunFoldersWhoseFilesAreDamagedInsideAreReadOrRefused) {
  const RunFolder folder;
  for (const Door& door : doors()) {
    const std::string content = contentOf(folder.path() / door.file);
    for (std::size_t i = 0; i < content.size(); i += stepOr(127)) {
      std::string damaged = content;
      damaged[i] = static_cast<char>(~damaged[i]);
      folder.write(door.file, damaged);
      static_cast<void>(door.isOpened(folder));
    }
    folder.write(door.file, content);
  }
}

}  // namespace
}  // namespace ulp::test
