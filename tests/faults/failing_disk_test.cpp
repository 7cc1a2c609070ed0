// A disk that is full or broken, at every call of what the programs write.

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "tests/faults/commands_fixture.h"
#include "tests/faults/file_calls.h"

namespace ulp::test {
namespace {

namespace fs = std::filesystem;

constexpr int kRunFailed = 3;

class FailingDisk : public CommandsTest {
 protected:
  struct Failure {
    std::size_t number;
    int error;
    bool isOnce;
  };

  /// Calls act(folder) in a new folder for each call that can fail: with a disk that is full from
  /// there on, and with one that fails this once; of many calls each in one of the two ways.
  /// `check` sees how it ended.
  void eachFailure(const std::string& what,
                   const std::function<void(const fs::path&)>& prepare,
                   const std::function<Ended(const fs::path&)>& act,
                   const std::function<void(const fs::path&, const Ended&)>& check) {
    std::size_t count = 0;
    {
      const TempDir disk;
      prepare(disk.path());
      const FileCalls calls(disk.path());
      EXPECT_EQ(act(disk.path()).code, 0);
      count = calls.failable();
    }
    ASSERT_GT(count, 5U);
    constexpr std::size_t kFew = 40;
    std::size_t failures = 0;
    std::size_t told = 0;
    for (std::size_t number = 1; number <= count; ++number) {
      for (const Failure& failure : {Failure{number, ENOSPC, false}, Failure{number, EIO, true}}) {
        // Every call fails; the calls of a long work in the one way or the other.
        if (count > kFew && failure.isOnce != (number % 2 == 0)) {
          continue;
        }
        ++failures;
        const TempDir disk;
        prepare(disk.path());
        Ended ended;
        {
          FileCalls calls(disk.path());
          calls.fail(failure.number, failure.error, failure.isOnce);
          ended = act(disk.path());
        }
        SCOPED_TRACE(what + ": " + (failure.isOnce ? "EIO in call " : "ENOSPC from call ") +
                     std::to_string(number) + " of " + std::to_string(count));
        checkMessage(disk.path(), failure, ended);
        told += ended.code == 0 ? 0 : 1;
        EXPECT_EQ(leftoversIn(disk.path()), std::vector<std::string>());
        check(disk.path(), ended);
        if (HasFailure()) {
          return;
        }
      }
    }
    std::printf("%s: %zu calls, %zu failures, %zu of them told as errors\n",
                what.c_str(),
                count,
                failures,
                told);
  }

  static void checkMessage(const fs::path& disk, const Failure& failure, const Ended& ended) {
    if (ended.code == 0) {
      return;
    }
    EXPECT_EQ(ended.code, kRunFailed) << ended.err;
    EXPECT_NE(ended.err.find(disk.string()), std::string::npos) << ended.err;
    const char* const remedy = failure.error == EIO ? "check it" : "make room there";
    EXPECT_NE(ended.err.find(remedy), std::string::npos) << ended.err;
  }
};

TEST_F(FailingDisk, ASaveThatFailsSaysSoAndKeepsWhatWasThere) {
  eachFailure(
      "a save",
      [](const fs::path& disk) { std::ofstream(disk / "x") << "old"; },
      [](const fs::path& disk) {
        const auto written = writeFileAtomically(disk / "x", "new");
        return written ? Ended{} : Ended{kRunFailed, written.error().message()};
      },
      [](const fs::path& disk, const Ended& ended) {
        const std::string content = contentOf(disk / "x");
        // The last step waits for the new name.
        EXPECT_TRUE(content == "new" || (content == "old" && ended.code != 0)) << content;
      });
}

TEST_F(FailingDisk, AnExportThatFailsLeavesTheEarlierOne) {
  const auto words = [](const fs::path& dump, const fs::path& disk) {
    return std::vector<std::string>{
        "export", dump.string(), (disk / "out").string(), "--to", "npy", "--quiet", "--overwrite"};
  };
  const fs::path first = dumpOf("reference");
  const fs::path second = dumpOf("bf16");
  std::string old;
  std::string replaced;
  eachFailure(
      "an export",
      [&](const fs::path& disk) {
        ASSERT_EQ(command(words(first, disk)).code, 0);
        old = contentOf(disk / "out/index.json") + contentOf(disk / "out/ulpscope_export.json");
      },
      [&](const fs::path& disk) {
        const Ended ended = command(words(second, disk));
        replaced =
            ended.code == 0 && replaced.empty()
                ? contentOf(disk / "out/index.json") + contentOf(disk / "out/ulpscope_export.json")
                : replaced;
        return ended;
      },
      [&](const fs::path& disk, const Ended& ended) {
        const std::string left =
            contentOf(disk / "out/index.json") + contentOf(disk / "out/ulpscope_export.json");
        EXPECT_TRUE(left == replaced || (left == old && ended.code != 0)) << ended.err;
      });
}

TEST_F(FailingDisk, AComparisonThatFailsLeavesNoReport) {
  const fs::path first = dumpOf("reference");
  const fs::path second = dumpOf("bf16");
  eachFailure(
      "a comparison",
      [](const fs::path&) {},
      [&](const fs::path& disk) {
        return command({"compare",
                        first.string(),
                        second.string(),
                        "--report",
                        (disk / "report").string(),
                        "--quiet"});
      },
      [](const fs::path& disk, const Ended& ended) {
        const bool isThere = fs::exists(disk / "report/precision_report.json");
        EXPECT_TRUE(isThere || ended.code != 0);
        EXPECT_TRUE(!isThere || report::loadReport(disk / "report"));
      });
}

TEST_F(FailingDisk, AStudyThatFailsKeepsItsFinishedRunsAndGoesOnLater) {
  const report::ReportPtr wanted = report::loadReport(finishedRun())->report;
  std::size_t resumed = 0;
  eachFailure(
      "a study",
      [](const fs::path&) {},
      [this](const fs::path& disk) { return study(disk / "run"); },
      [&](const fs::path& disk, const Ended& ended) {
        const bool hasReport = fs::exists(disk / "run/precision_report.json");
        EXPECT_TRUE(hasReport || ended.code != 0);
        if (hasReport) {
          const auto left = report::loadReport(disk / "run");
          ASSERT_TRUE(left) << left.error().message();
          for (const report::Run& run : left->report->runs) {
            if (run.status == report::RunStatus::Finished) {
              EXPECT_EQ(run.loss, wanted->findRun(run.name)->loss);
            }
          }
        }
        constexpr std::size_t kOneIn = 8;
        if (ended.code != 0 && ++resumed % kOneIn == 0) {
          const Ended again = study(disk / "run", {"--resume"});
          EXPECT_EQ(again.code, 0) << again.err;
          EXPECT_EQ(valuesOf(*report::loadReport(disk / "run")->report), valuesOf(*wanted));
        }
      });
}

}  // namespace
}  // namespace ulp::test
