#include "core/remote/mirror/run_mirror.h"

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

TEST(RemoteRun, IsKeptBesideTheReport) {
  const test::TempDir folder;
  EXPECT_FALSE(isRemoteRun(folder.path()));
  ASSERT_TRUE(writeRemoteRun(
      folder.path(),
      {.host = {"me@gpubox"}, .program = "/p", .folder = "/runs/1", .job = "ab", .attempt = 3}));
  EXPECT_TRUE(isRemoteRun(folder.path()));
  const auto read = readRemoteRun(folder.path());
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->host.destination, "me@gpubox");
  EXPECT_EQ(read->folder, "/runs/1");
  EXPECT_EQ(read->attempt, 3);
  // The file may come from others.
  folder.write("remote.json", R"({"schema":"ulpscope.remote/1","host":"-oProxyCommand=x"})");
  EXPECT_EQ(readRemoteRun(folder.path()).error().code(), ErrorCode::InvalidArgument);
  folder.write("remote.json", R"({"schema":"ulpscope.remote/2"})");
  EXPECT_EQ(readRemoteRun(folder.path()).error().code(), ErrorCode::Unsupported);
}

}  // namespace
}  // namespace ulp::remote
