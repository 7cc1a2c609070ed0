#include "core/remote/mirror/run_mirror.h"

#include <cstdlib>
#include <iterator>

#include <gtest/gtest.h>

#include "core/remote/mirror/remote_run.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::remote {
namespace {

Frame appended(const char* file, std::uint64_t offset, std::string bytes) {
  return {.head = json::Object{{"say", "append"}, {"file", file}, {"offset", offset}},
          .bytes = std::move(bytes)};
}

Frame part(
    const char* file, const char* stamp, std::uint64_t offset, bool isLast, std::string bytes) {
  return {.head = json::Object{{"say", "file"},
                               {"file", file},
                               {"stamp", stamp},
                               {"offset", offset},
                               {"last", isLast}},
          .bytes = std::move(bytes)};
}

TEST(RunMirror, GoesOnBehindWhatItHas) {
  const test::TempDir folder;
  folder.write("run.log", "one\n");
  RunMirror mirror(folder.path());
  EXPECT_EQ(mirror.known().appended.at("run.log"), 4U);
  EXPECT_EQ(mirror.known().appended.at("events.jsonl"), 0U);
  ASSERT_TRUE(mirror.take(appended("run.log", 4, "two\n")));
  EXPECT_EQ(test::contentOf(folder / "run.log"), "one\ntwo\n");
  // The host has begun its file anew.
  ASSERT_TRUE(mirror.take(appended("run.log", 0, "new\n")));
  EXPECT_EQ(test::contentOf(folder / "run.log"), "new\n");
}

TEST(RunMirror, LeavesNoGapInAFile) {
  const test::TempDir folder;
  folder.write("run.log", "one\n");
  RunMirror mirror(folder.path());
  constexpr std::uint64_t kNegative = ~std::uint64_t{0};
  for (const std::uint64_t offset : {std::uint64_t{5}, std::uint64_t{1} << 40, kNegative}) {
    const auto taken = mirror.take(appended("run.log", offset, "two\n"));
    ASSERT_FALSE(taken) << offset;
    EXPECT_EQ(taken.error().code(), ErrorCode::CorruptData);
  }
  EXPECT_EQ(test::contentOf(folder / "run.log"), "one\n");
  EXPECT_TRUE(mirror.take(appended("run.log", 4, "two\n")));
}

TEST(RunMirror, ReplacesAFileOnceAllOfItIsThere) {
  const test::TempDir folder;
  folder.write("precision_report.json", "old");
  RunMirror mirror(folder.path());
  EXPECT_EQ(mirror.take(part("precision_report.json", "1", 0, false, "ne"))->replaced, "");
  EXPECT_EQ(test::contentOf(folder / "precision_report.json"), "old");
  // The connection is lost, and the file comes as a whole.
  mirror.beginConnection();
  EXPECT_EQ(mirror.take(part("precision_report.json", "1", 2, true, "w")).error().code(),
            ErrorCode::CorruptData);
  ASSERT_TRUE(mirror.take(part("precision_report.json", "1", 0, false, "ne")));
  EXPECT_EQ(mirror.take(part("precision_report.json", "1", 2, true, "w"))->replaced,
            "precision_report.json");
  EXPECT_EQ(test::contentOf(folder / "precision_report.json"), "new");
  EXPECT_EQ(mirror.known().replaced.at("precision_report.json"), "1");
}

TEST(RunMirror, TakesNoFileThatNobodyAskedFor) {
  const test::TempDir folder;
  RunMirror mirror(folder.path());
  for (const char* name : {"../escaped", "/etc/passwd", ".ssh/authorized_keys", "tensors.h5", ""}) {
    EXPECT_EQ(mirror.take(part(name, "1", 0, true, "x")).error().code(), ErrorCode::CorruptData)
        << name;
    EXPECT_EQ(mirror.take(appended(name, 0, "x")).error().code(), ErrorCode::CorruptData) << name;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// The data of a user of its own.
class RemoteRunTest : public testing::Test {
 protected:
  RemoteRunTest() { ::setenv("XDG_DATA_HOME", (m_folder / "data").c_str(), 1); }  // NOLINT
  ~RemoteRunTest() override { ::unsetenv("XDG_DATA_HOME"); }                      // NOLINT

  test::TempDir m_folder;
};

TEST_F(RemoteRunTest, IsKeptBesideTheReport) {
  const auto folder = m_folder.path() / "run";
  std::filesystem::create_directory(folder);
  EXPECT_FALSE(isRemoteRun(folder));
  RemoteRun run{
      .host = {"me@gpubox"}, .program = "/p", .folder = "/runs/1", .job = "ab", .attempt = 3};
  ASSERT_TRUE(writeRemoteRun(folder, run));
  EXPECT_TRUE(isRemoteRun(folder));
  run.folder = "/runs/2";
  ASSERT_TRUE(writeRemoteRun(folder, run)) << "the same record";
  const auto read = readRemoteRun(folder);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->host.destination, "me@gpubox");
  EXPECT_EQ(read->program, "/p");
  EXPECT_EQ(read->folder, "/runs/2");
  EXPECT_EQ(read->job, "ab");
  EXPECT_EQ(read->attempt, 3);
  const auto records = std::filesystem::directory_iterator(m_folder / "data/ulpscope/remotes");
  EXPECT_EQ(std::distance(begin(records), end(records)), 1);
}

TEST_F(RemoteRunTest, OfOthersChoosesNoHost) {
  const auto of = [this](const char* text) {
    m_folder.write("run/remote.json", text);
    return readRemoteRun(m_folder / "run");
  };
  const auto foreign = of(
      R"({"schema":"ulpscope.remote/1","id":"0123456789abcdef01234567","host":"evil","folder":"/x"})");
  EXPECT_EQ(foreign.error().code(), ErrorCode::NotFound);
  EXPECT_NE(foreign.error().message().find("did not write it"), std::string::npos);
  EXPECT_EQ(of(R"({"schema":"ulpscope.remote/1","id":"../../../x","host":"evil"})").error().code(),
            ErrorCode::NotFound);
  EXPECT_EQ(of(R"({"schema":"ulpscope.remote/2"})").error().code(), ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ulp::remote
