#include "core/report/files/new_report.h"

#include <array>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

TEST(NewReport, FoldersAreMadeAndAReportIsNeverReplaced) {
  const test::TempDir dir;
  const auto folder = dir / "deeper/still";
  ASSERT_TRUE(checkNewReport(folder));
  EXPECT_FALSE(std::filesystem::exists(dir / "deeper")) << "asking makes nothing";
  ASSERT_TRUE(saveNewReport(test::sampleReport(2, {"a"}), folder));
  ASSERT_TRUE(loadReport(folder));
  for (const Result<>& again :
       {checkNewReport(folder), saveNewReport(test::sampleReport(2, {"b"}), folder)}) {
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code(), ErrorCode::InvalidArgument);
    EXPECT_THAT(again.error().message(), HasSubstr("holds a report already"));
  }
  EXPECT_EQ(loadReport(folder)->report->runs.back().name, "a");
}

TEST(NewReport, OfSeveralProgramsAtOnceOneSavesAndTheOthersAreTold) {
  const test::TempDir dir;
  for (int round = 0; round < 10; ++round) {
    const auto folder = dir / std::to_string(round);
    const report::Report report = test::sampleReport(2, {"a"});
    std::array<pid_t, 4> programs{};
    for (pid_t& program : programs) {
      program = ::fork();
      ASSERT_GE(program, 0);
      if (program == 0) {
        ::_exit(saveNewReport(report, folder) ? 0 : 1);
      }
    }
    int saved = 0;
    for (const pid_t program : programs) {
      int status = -1;
      ASSERT_EQ(::waitpid(program, &status, 0), program);
      saved += status == 0 ? 1 : 0;
    }
    EXPECT_EQ(saved, 1);
    EXPECT_TRUE(loadReport(folder));
  }
}

TEST(NewReport, APlaceThatCannotHoldItIsToldBeforehand) {
  const test::TempDir dir;
  const auto file = dir.write("file", "");
  const auto below = checkNewReport(file / "report");
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(below.error().message(), HasSubstr("file is no folder"));
  EXPECT_FALSE(checkNewReport(file));
}

}  // namespace
}  // namespace ulp::report
