#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/cli_process.h"

namespace ulp::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::MatchesRegex;

nlohmann::json check(const nlohmann::json& checks, const std::string& name) {
  const auto found =
      std::ranges::find_if(checks, [&](const auto& each) { return each.at("name") == name; });
  return found == checks.end() ? nlohmann::json() : *found;
}

nlohmann::json doctor(const std::string& environment) {
  const auto outcome = test::runCli({"doctor", "--json"}, environment);
  EXPECT_EQ(outcome.err, "");
  return nlohmann::json::parse(outcome.out);
}

TEST(DoctorCommand, NamesWhatEveryMachineHas) {
  const auto outcome =
      test::runCli({"doctor"}, std::string("ULPSCOPE_PYTHON=") + ULP_ORACLE_PYTHON);
  EXPECT_EQ(outcome.exitCode, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("\nok +ulpscope-hdf5 +/"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nok +LibTorch +2[.]11[.]0"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nok +cpu +"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nok +transformers +"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nok +pictures +Qt 6[.]"));
  EXPECT_THAT(outcome.out, ContainsRegex("\nok +fonts +"));
}

TEST(DoctorCommand, SaysWhatIsMissingAndTheCommandThatInstallsIt) {
  const test::TempDir folder;
  folder.write("python3", "#!/bin/sh\nprintf 'Python 3.12.1\\ntorch\\ntransformers 5.0\\n'\n");
  std::filesystem::permissions(folder / "python3", std::filesystem::perms::owner_all);
  const auto checks =
      doctor("VIRTUAL_ENV= CONDA_PREFIX= ULPSCOPE_PYTHON=" + (folder / "python3").string() +
             " ULP_TORCH_DIR=" + folder.path().string());
  const auto torch = check(checks, "LibTorch");
  EXPECT_EQ(torch.at("state"), "absent");
  EXPECT_THAT(torch.at("found").get<std::string>(),
              MatchesRegex("no torch package: .* .ULP_TORCH_DIR.; studies need 2.11.0"));
  EXPECT_THAT(torch.at("remedy").get<std::string>(),
              MatchesRegex("python3 -m pip install --target .*/ulpscope/python torch==2.11.0"));
  EXPECT_EQ(check(checks, "Python").at("found"), "3.12.1 " + (folder / "python3").string());
  EXPECT_EQ(check(checks, "torch").at("remedy"), "python3 -m pip install torch==2.11.0");
  EXPECT_EQ(check(checks, "transformers").at("found"), "5.0");
  EXPECT_TRUE(check(checks, "engine").is_null());
}

TEST(DoctorCommand, FailsWhereSomethingIsBroken) {
  const auto outcome = test::runCli(
      {"doctor"}, "ULP_HDF5_READER=/nowhere ULPSCOPE_PYTHON=/bin/false VIRTUAL_ENV= CONDA_PREFIX=");
  EXPECT_EQ(outcome.exitCode, 3);
  EXPECT_THAT(outcome.out,
              ContainsRegex("broken +ulpscope-hdf5 +is not there .looked for /nowhere."));
  EXPECT_THAT(outcome.out, ContainsRegex("broken +Python +/bin/false: ended with 1"));
}

}  // namespace
}  // namespace ulp::cli
