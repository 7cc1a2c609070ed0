#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/cli_process.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::cli {
namespace {

using test::runCli;
using testing::HasSubstr;
using testing::StartsWith;

/// Files without a tensor in common.
class UnlikeSides : public testing::Test {
 protected:
  /// Of tensors without elements.
  [[nodiscard]] std::string file(const std::string& name,
                                 const std::vector<std::string>& tensors) const {
    std::string header;
    for (const std::string& tensor : tensors) {
      header += (header.empty() ? "{\"" : ",\"") + tensor +
                R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
    }
    header += "}";
    const std::uint64_t size = header.size();
    return m_dir
        .write(name, std::string(reinterpret_cast<const char*>(&size), sizeof size) + header)
        .string();
  }

  test::TempDir m_dir;
};

TEST_F(UnlikeSides, WhereNothingIsPairedTheFirstLineSaysSoAndTheExitCodeIsTwo) {
  const std::string one = file("one.safetensors", {"a", "b", "c", "d", "e"});
  const std::string other = file("other.safetensors", {"f", "g"});
  const auto outcome = runCli({"compare", one, other});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.out,
              StartsWith("nothing was paired: the baseline has a, b, c and 2 more; the candidate "
                         "has f, g\n"));
  EXPECT_THAT(outcome.err, HasSubstr("other.safetensors: nothing was paired"));
  const auto json = runCli({"compare", one, other, "--format", "json"});
  EXPECT_EQ(json.exitCode, 2);
  EXPECT_EQ(nlohmann::json::parse(json.out).at("units").at(0).at("paired_rows"), 0);
  EXPECT_EQ(runCli({"diverge", one, other}).exitCode, 2);
}

}  // namespace
}  // namespace ulp::cli
