#include "core/tensors/formats/hdf5/hdf5_archive.h"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/file_descriptor.h"
#include "core/tensors/formats/hdf5/reader_process.h"
#include "tests/core/tensors/formats/hdf5/reader_script.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string seed(const std::string& name) {
  return test::contentOf(std::string(ULP_SOURCE_DIR) + "/tests/fuzz/corpus/hdf5/" + name);
}

/// A file with one byte changed.
std::filesystem::path damaged(const test::TempDir& dir,
                              const std::string& name,
                              std::size_t place,
                              char byte) {
  std::string content = seed(name);
  content.at(place) = byte;
  return dir.write("damaged.h5", content);
}

TEST(Hdf5ArchiveTest, PackedAndBigEndianDatasetsAreReadAndLinksLeftAlone) {
  const test::TempDir dir;
  const auto archive = openHdf5Archive(dir.write("packed.h5", seed("packed.h5")));
  ASSERT_TRUE(archive) << archive.error().message();
  ASSERT_EQ((*archive)->tensors().size(), 2U);
  const TensorInfo& big = (*archive)->tensors()[0];
  EXPECT_EQ(big.name, "big");
  EXPECT_EQ(big.storedAs, "big-endian float64");
  EXPECT_THAT(big.shape, ElementsAre(2, 3));
  const auto read = (*archive)->read("big");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(numerics::elementAt(read->view, 0), 0);
  EXPECT_EQ(numerics::elementAt(read->view, 5), 5);
  const auto zip = (*archive)->read("zip");
  ASSERT_TRUE(zip) << zip.error().message();
  EXPECT_THAT(zip->view.shape, ElementsAre(64, 8));
  EXPECT_EQ(numerics::elementAt(zip->view, 511), 0);
}

TEST(Hdf5ArchiveTest, TypesAreCalledByTheirBits) {
  const test::TempDir dir;
  const auto archive = openHdf5Archive(dir.write("plain.h5", seed("plain.h5")));
  ASSERT_TRUE(archive) << archive.error().message();
  std::vector<std::string> types;
  for (const TensorInfo& info : (*archive)->tensors()) {
    types.push_back(info.storedAs);
  }
  EXPECT_THAT(types, ElementsAre("float32", "uint8", "float16"));
}

/// HDF5 1.10 follows a pointer out of the file's symbol table.
TEST(Hdf5ArchiveTest, FilesThatThisProcessHandsDownKeepTheReaderFromNothing) {
  const test::TempDir dir;
  const auto path = dir.write("packed.h5", seed("packed.h5"));
  std::vector<FileDescriptor> handedDown;
  for (int i = 0; i < 20; ++i) {
    handedDown.emplace_back(::open("/dev/null", O_RDONLY));
  }
  const auto archive = openHdf5Archive(path);
  EXPECT_TRUE(archive) << archive.error().message();
}

TEST(Hdf5ArchiveTest, AFileOnWhichTheLibraryCrashesIsRefused) {
  const test::TempDir dir;
  const auto path = damaged(dir, "odd.h5", 1683, '\0');
  const auto archive = openHdf5Archive(path);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(archive.error().message(), HasSubstr(path.string() + ": "));
}

/// The one crashes while chunks are looked for, the other never comes to the end of them.
TEST(Hdf5ArchiveTest, ADatasetOnWhichTheLibraryCrashesOrHangsLeavesTheOthers) {
  for (const auto& [place, byte] : {std::pair<std::size_t, char>(1001, '\xFF'), {825, '\0'}}) {
    SCOPED_TRACE(place);
    const test::TempDir dir;
    const auto archive = openHdf5Archive(damaged(dir, "packed.h5", place, byte));
    ASSERT_TRUE(archive) << archive.error().message();
    const auto zip = (*archive)->read("zip");
    ASSERT_FALSE(zip);
    EXPECT_EQ(zip.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(zip.error().message(), HasSubstr("'zip'"));
    const auto big = (*archive)->read("big");
    ASSERT_TRUE(big) << big.error().message();
    EXPECT_EQ(numerics::elementAt(big->view, 5), 5);
  }
}

/// 2^40 rows, of which no chunk was ever written: a healthy file may say so.
TEST(Hdf5ArchiveTest, ADatasetThatClaimsMoreThanItsFileUnpacksToLeavesTheOthers) {
  const test::TempDir dir;
  std::string content = seed("packed.h5");
  content.at(0x345) = '\1';  // the rows of 'zip', and the most of them
  content.at(0x355) = '\1';
  const auto archive = openHdf5Archive(dir.write("sparse.h5", content));
  ASSERT_TRUE(archive) << archive.error().message();
  ASSERT_EQ((*archive)->tensors().size(), 2U);
  EXPECT_THAT((*archive)->tensors()[1].shape, ElementsAre((std::int64_t{1} << 40) + 64, 8));
  const auto zip = (*archive)->read("zip");
  ASSERT_FALSE(zip);
  EXPECT_EQ(zip.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(zip.error().message(), HasSubstr("'zip': claims more elements than its file can"));
  const auto big = (*archive)->read("big");
  ASSERT_TRUE(big) << big.error().message();
  EXPECT_EQ(numerics::elementAt(big->view, 5), 5);
}

/// Zeros may be meant, but not gigabytes of them in a file of 2 MB.
TEST(Hdf5ArchiveTest, ADatasetThatUnpacksToFarMoreThanNumbersPackIsRefused) {
  const test::TempDir dir;
  std::string content = seed("packed.h5");
  content.at(0x343) = '\4';  // the rows of 'zip', and the most of them
  content.at(0x353) = '\4';
  content.resize(2'000'000);
  const auto archive = openHdf5Archive(dir.write("sparse.h5", content));
  ASSERT_TRUE(archive) << archive.error().message();
  const TensorInfo& info = (*archive)->tensors()[1];
  EXPECT_THAT(info.shape, ElementsAre((std::int64_t{1} << 26) + 64, 8));
  const auto zip = (*archive)->read("zip");
  ASSERT_FALSE(zip);
  EXPECT_EQ(zip.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(
      zip.error().message(),
      HasSubstr("'zip': claims more elements than its file can hold (536871424; " +
                std::to_string((std::size_t{1} << 30U) / itemSize(info.dtype)) + " at most)"));
}

TEST(Hdf5ArchiveTest, WithoutItsReaderTheMessageSaysWhatToDo) {
  const test::TempDir dir;
  const auto path = dir.write("plain.h5", seed("plain.h5"));
  // NOLINTBEGIN(concurrency-mt-unsafe): no other thread runs
  ::setenv(kHdf5ReaderVariable, (dir / "nothing").c_str(), 1);
  const auto archive = openHdf5Archive(path);
  ::unsetenv(kHdf5ReaderVariable);
  // NOLINTEND(concurrency-mt-unsafe)
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code(), ErrorCode::Unsupported);
  EXPECT_THAT(archive.error().message(),
              AllOf(HasSubstr("ulpscope-hdf5"),
                    HasSubstr((dir / "nothing").string()),
                    HasSubstr("install Ulpscope anew")));
}

/// Whoever replaces it may have packed it anew: nothing that was found out of the old one holds.
TEST(Hdf5ArchiveTest, AFileThatWasReplacedOrChangedMeanwhileIsNotReadAsBefore) {
  const test::TempDir dir;
  const auto path = dir.write("packed.h5", seed("packed.h5"));
  for (const bool isReplaced : {true, false}) {
    SCOPED_TRACE(isReplaced);
    const auto archive = openHdf5Archive(path);
    ASSERT_TRUE(archive) << archive.error().message();
    if (isReplaced) {
      std::filesystem::rename(dir.write("other.h5", seed("packed.h5")), path);
    } else {
      std::filesystem::last_write_time(path, std::filesystem::file_time_type());
    }
    const auto zip = (*archive)->read("zip");
    ASSERT_FALSE(zip);
    EXPECT_EQ(zip.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(zip.error().message(),
                HasSubstr("packed.h5: 'zip': the file was changed or replaced while it was open"));
  }
}

/// As a worker does with tensors.h5 after each run.
TEST(Hdf5ArchiveTest, AFileThatIsReplacedWhileItIsOpenedIsOpenedAnew) {
  const test::TempDir dir;
  const auto path = dir.write("x.h5", seed("plain.h5"));
  const auto other = dir.write("other.h5", seed("packed.h5"));
  const ReaderScript reader(dir,
                            "[ -e " + other.string() + " ] && mv " + other.string() + " " +
                                path.string() + "\nexec " + ReaderScript::program() + " \"$@\"");
  const auto archive = openHdf5Archive(path);
  ASSERT_TRUE(archive) << archive.error().message();
  ASSERT_EQ((*archive)->tensors().size(), 2U);
  EXPECT_EQ((*archive)->tensors()[0].name, "big");
}

TEST(Hdf5ArchiveTest, ANamedPipeIsRefusedAtOnce) {
  const test::TempDir dir;
  ASSERT_EQ(::mkfifo((dir / "pipe.h5").c_str(), 0600), 0);
  const auto archive = openHdf5Archive(dir / "pipe.h5");
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code(), ErrorCode::Io);
  EXPECT_THAT(archive.error().message(), HasSubstr("pipe.h5: not a regular file"));
}

}  // namespace
}  // namespace ulp::tensors
