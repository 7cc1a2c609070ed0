#include "core/tensors/formats/hdf5/hdf5_archive.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tensors/formats/hdf5/dataset_list.h"
#include "core/tensors/formats/hdf5/reader_process.h"
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

/// HDF5 1.10 follows a pointer out of the file's symbol table.
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

/// 500,000 chunks of one float32: HDF5 1.10 takes 1 GB and 2 s for them.
TEST(Hdf5ReaderLimitsTest, TinyChunksOfAHealthyFileAreWithinThem) {
  constexpr Hdf5Limits kLimits = limitsOfRead(2'000'000, 20'000'000);
  EXPECT_EQ(kLimits.memory, 1'073'741'824U + 8'000'000U + 1'280'000'000U);
  EXPECT_EQ(kLimits.seconds, 5U + 4U);
}

TEST(Hdf5ReaderLimitsTest, ASmallFileThatClaimsMuchIsDoneWithinAboutAMinute) {
  constexpr Hdf5Limits kLimits = limitsOfRead(std::uint64_t{4} << 30U, std::uint64_t{2} << 20U);
  EXPECT_EQ(kLimits.seconds, 5U + 64U);
  EXPECT_EQ(limitsOfRead(0, std::uint64_t{1} << 50U).seconds, 5U + 256U);
  EXPECT_EQ(limitsOfList(0).seconds, 5U);
  EXPECT_EQ(limitsOfList(std::uint64_t{1} << 50U).seconds, 5U + 60U);
  EXPECT_EQ(limitsOfList(std::uint64_t{1} << 50U).memory, std::uint64_t{5} << 30U);
}

/// Programs in the reader's place that end without a report.
TEST(Hdf5ReaderProcessTest, HowAReaderEndedTellsWhatHappened) {
  struct Case {
    const char* end;
    ErrorCode code;
    const char* message;
  };
  const test::TempDir dir;
  const auto path = dir.write("plain.h5", seed("plain.h5"));
  for (const Case& each :
       {Case{
            "kill -KILL $$", ErrorCode::OutOfMemory, "was killed, probably because memory ran out"},
        Case{"kill -XCPU $$", ErrorCode::CorruptData, "its chunks are tiny"},
        Case{"kill -SEGV $$", ErrorCode::CorruptData, "HDF5 crashed on it; the file is damaged"},
        Case{"kill -ABRT $$", ErrorCode::CorruptData, "HDF5 crashed on it; the file is damaged"},
        Case{"exit 127", ErrorCode::Unsupported, "cannot be started (exit status 127)"},
        Case{"exit 1", ErrorCode::CorruptData, "HDF5 crashed on it or came to no end"}}) {
    SCOPED_TRACE(each.end);
    const auto reader =
        dir.write("reader", std::string("#!/bin/sh\nulimit -c 0\n") + each.end + "\n");
    std::filesystem::permissions(reader, std::filesystem::perms::owner_all);
    // NOLINTBEGIN(concurrency-mt-unsafe): no other thread runs
    ::setenv(kHdf5ReaderVariable, reader.c_str(), 1);
    const auto archive = openHdf5Archive(path);
    ::unsetenv(kHdf5ReaderVariable);
    // NOLINTEND(concurrency-mt-unsafe)
    ASSERT_FALSE(archive);
    EXPECT_EQ(archive.error().code(), each.code);
    EXPECT_THAT(archive.error().message(),
                AllOf(HasSubstr(path.string() + ": "), HasSubstr(each.message)));
  }
}

TEST(Hdf5ReaderProcessTest, OnlyAWholeReportIsBelieved) {
  const Result<> failed = fail(ErrorCode::Io, "x.h5: No space left on device");
  const std::string report = reportOf(failed);
  const auto back = resultOf(report, "x.h5");
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().code(), ErrorCode::Io);
  EXPECT_EQ(back.error().message(), "x.h5: No space left on device");
  EXPECT_TRUE(resultOf(reportOf({}), "x.h5"));
  for (std::size_t size = 0; size < report.size(); ++size) {
    const auto cut = resultOf(std::string_view(report).substr(0, size), "x.h5");
    ASSERT_FALSE(cut) << size;
    EXPECT_EQ(cut.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(cut.error().message(), HasSubstr("x.h5: HDF5 crashed on it"));
  }
}

ByteSource sourceOf(const std::string& bytes) {
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  return byteSourceOf("x.h5", std::vector<std::byte>(data, data + bytes.size()));
}

TEST(Hdf5ReaderProcessTest, ListsOfDatasetsComeBackAndAreNotBelievedBlindly) {
  const std::vector<Hdf5Dataset> datasets{
      {{"a/b", {2, 3}, DType::BFloat16, "bfloat16"}, 4096, false, ""},
      {{"c", {}, DType::Int64, "uint64"}, Hdf5Dataset::kInPieces, true, ""},
      {{"d", {7}, DType::Float32, "text"}, Hdf5Dataset::kInPieces, false, "no numbers"}};
  const std::string bytes = encoded(datasets);
  const auto back = decodedDatasets(sourceOf(bytes));
  ASSERT_TRUE(back) << back.error().message();
  ASSERT_EQ(back->size(), 3U);
  EXPECT_EQ(back->at(0).info.name, "a/b");
  EXPECT_THAT(back->at(0).info.shape, ElementsAre(2, 3));
  EXPECT_EQ(back->at(0).info.dtype, DType::BFloat16);
  EXPECT_EQ(back->at(0).offset, 4096U);
  EXPECT_TRUE(back->at(1).isWidened);
  EXPECT_EQ(back->at(1).info.storedAs, "uint64");
  EXPECT_EQ(back->at(2).refused, "no numbers");
  EXPECT_EQ(kindOf(back->at(0).info), "bfloat16 [2, 3]");
  EXPECT_FALSE(decodedDatasets(sourceOf(bytes.substr(0, bytes.size() - 1))));
  std::string other = bytes;
  other[0] = static_cast<char>(~other[0]);
  EXPECT_THAT(decodedDatasets(sourceOf(other)).error().message(), HasSubstr("another version"));
}

}  // namespace
}  // namespace ulp::tensors
