#include "core/tensors/formats/hdf5/reader_process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/stop_scope.h"
#include "core/tensors/formats/hdf5/hdf5_archive.h"
#include "tests/core/tensors/formats/hdf5/reader_script.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::tensors {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
/// Far less than what comes to no end would take, and enough on a busy machine.
constexpr Clock::duration kPromptly = 10s;

std::string seedFile(const std::string& name) {
  return test::contentOf(std::string(ULP_SOURCE_DIR) + "/tests/fuzz/corpus/hdf5/" + name);
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

TEST(Hdf5ReaderLimitsTest, PatienceIsAMultipleOfTheTimeOnTheProcessor) {
  EXPECT_EQ(limitsOfList(0).patience(), 50s);
  EXPECT_EQ(limitsOfRead(0, std::uint64_t{1} << 50U).patience(), 30s + 4 * 261s);
}

/// Programs in the reader's place that end without a report.
TEST(Hdf5ReaderProcessTest, HowAReaderEndedTellsWhatHappened) {
  struct Case {
    const char* end;
    ErrorCode code;
    const char* message;
  };
  const test::TempDir dir;
  const auto path = dir.write("plain.h5", seedFile("plain.h5"));
  for (const Case& each :
       {Case{
            "kill -KILL $$", ErrorCode::OutOfMemory, "was killed, probably because memory ran out"},
        Case{"kill -XCPU $$", ErrorCode::CorruptData, "its chunks are tiny"},
        Case{"kill -SEGV $$", ErrorCode::CorruptData, "HDF5 crashed on it; the file is damaged"},
        Case{"kill -ABRT $$", ErrorCode::CorruptData, "HDF5 crashed on it; the file is damaged"},
        Case{"exit 127", ErrorCode::Unsupported, "cannot be started (exit status 127)"},
        Case{"exit 1", ErrorCode::CorruptData, "HDF5 crashed on it or came to no end"}}) {
    SCOPED_TRACE(each.end);
    const ReaderScript reader(dir, each.end);
    const auto archive = openHdf5Archive(path);
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
  for (const std::string_view damaged : {"failed 2 done\n", "failed 2\1xdone\n"}) {
    const auto read = resultOf(damaged, "x.h5");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().message(), HasSubstr("x.h5: HDF5 crashed on it")) << damaged;
  }
}

/// The number of the process that a script wrote to a file, as soon as it is there.
pid_t processIn(const std::filesystem::path& file) {
  std::string number;
  while (!number.ends_with('\n')) {
    std::this_thread::yield();
    number = std::filesystem::exists(file) ? test::contentOf(file) : "";
  }
  return std::stoi(number);
}

/// Also no zombie is left of it.
bool isGone(pid_t process) {
  const auto deadline = Clock::now() + 60s;
  while (::kill(process, 0) == 0 && Clock::now() < deadline) {
    std::this_thread::yield();
  }
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

TEST(Hdf5ReaderProcessTest, AStopEndsAReaderThatComesToNoEnd) {
  const test::TempDir dir;
  const auto path = dir.write("plain.h5", seedFile("plain.h5"));
  const auto number = dir / "number";
  for (const char* end :
       {"sleep 600", "trap '' TERM INT; while :; do :; done", "exec >&-; sleep 600"}) {
    SCOPED_TRACE(end);
    std::filesystem::remove(number);
    const ReaderScript reader(dir, "echo $$ >" + number.string() + "\n" + end);
    std::stop_source source;
    const StopScope scope(source.get_token());
    pid_t process = 0;
    Clock::time_point stopped;
    std::thread stopping([&] {
      process = processIn(number);
      stopped = Clock::now();
      source.request_stop();
    });
    const auto archive = openHdf5Archive(path);
    const auto ended = Clock::now();
    stopping.join();
    ASSERT_FALSE(archive);
    EXPECT_EQ(archive.error().code(), ErrorCode::Cancelled);
    EXPECT_LT(ended - stopped, kPromptly);
    EXPECT_TRUE(isGone(process));
  }
}

TEST(Hdf5ReaderProcessTest, WhoIsStoppedAlreadyIsToldAtOnce) {
  const test::TempDir dir;
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  const auto archive = openHdf5Archive(dir.write("plain.h5", seedFile("plain.h5")));
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code(), ErrorCode::Cancelled);
}

/// As where a network file system hangs: the time on the processor does not grow.
TEST(Hdf5ReaderProcessTest, AReaderThatOnlyWaitsIsKilledWhenPatienceEnds) {
  const test::TempDir dir;
  const auto path = dir.write("plain.h5", seedFile("plain.h5"));
  const auto input = InputFile::open(path);
  const auto payload = MemoryFile::create();
  ASSERT_TRUE(input && payload);
  const ReaderScript reader(dir, "echo $$ >" + (dir / "number").string() + "\nsleep 600");
  const auto before = Clock::now();
  const auto read = runHdf5Reader({{"list", path.string()}, 300ms}, *input, *payload);
  EXPECT_LT(Clock::now() - before, kPromptly);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::Io);
  EXPECT_THAT(read.error().message(),
              AllOf(HasSubstr(path.string() + ": "), HasSubstr("copy the file to another one")));
  EXPECT_TRUE(isGone(processIn(dir / "number")));
}

TEST(Hdf5ReaderProcessTest, AReportWithoutEndIsNotCollected) {
  const test::TempDir dir;
  const ReaderScript reader(dir, "while :; do echo done; done");
  const auto archive = openHdf5Archive(dir.write("plain.h5", seedFile("plain.h5")));
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().code(), ErrorCode::CorruptData);
  EXPECT_THAT(archive.error().message(), HasSubstr("plain.h5: its reader reports without end"));
}

/// It is asked by this process's own descriptor, whatever bears the name by then.
TEST(Hdf5ReaderProcessTest, TheFileThatWasOpenedIsReadThoughAnotherTookItsName) {
  const test::TempDir dir;
  const auto path = dir.write("plain.h5", seedFile("plain.h5"));
  const auto input = InputFile::open(path);
  const auto payload = MemoryFile::create();
  ASSERT_TRUE(input && payload);
  std::filesystem::rename(path, dir / "moved.h5");
  dir.write("plain.h5", "no HDF5");
  const auto read = runHdf5Reader({{"list", path.string()}, 30s}, *input, *payload);
  EXPECT_TRUE(read) << read.error().message();
}

}  // namespace
}  // namespace ulp::tensors
