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
                                 const std::vector<std::string>& tensors,
                                 const std::string& shape = "[0]") const {
    std::string header;
    for (const std::string& tensor : tensors) {
      header += (header.empty() ? "{\"" : ",\"") + tensor + R"(":{"dtype":"F32","shape":)" + shape +
                R"(,"data_offsets":[0,0]})";
    }
    header += "}";
    const std::uint64_t size = header.size();
    return m_dir
        .write(name, std::string(reinterpret_cast<const char*>(&size), sizeof size) + header)
        .string();
  }

  /// A dump of msprobe with these ranks.
  [[nodiscard]] std::string dump(const std::string& name,
                                 const std::vector<std::string>& ranks) const {
    for (const std::string& rank : ranks) {
      m_dir.write(name + "/rank" + rank + "/dump.json",
                  R"({"task": "statistics", "level": "L0", "framework": "pytorch",
 "dump_data_dir": null, "data": {"Module.norm.RMSNorm.forward.0": {"input_args": [],
  "input_kwargs": {}, "output": [{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2],
  "Max": 4.0, "Min": 3.0, "Mean": 3.5, "Norm": 5.0, "requires_grad": false}]}}})");
    }
    return (m_dir.path() / name).string();
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

TEST_F(UnlikeSides, DifferentShapesAreAnAnswer) {
  const auto outcome =
      runCli({"compare", file("a.safetensors", {"x"}), file("b.safetensors", {"x"}, "[0,3]")});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("of different shapes, not compared: 1\n"));
}

TEST_F(UnlikeSides, UnitsThatCanBeNamedAreListedWhereNoneAreInCommon) {
  const std::string golden = dump("golden", {"0", "1"});
  const std::string one = file("x.safetensors", {"a"});
  const auto outcome = runCli({"compare", golden, one});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("there are rank 0; rank 1 in "));
  EXPECT_THAT(outcome.err,
              HasSubstr("x.safetensors says steps, ranks or tokens; name one by --step, --rank or "
                        "--token"));
  const auto chosen = runCli({"compare", golden, one, "--rank", "1"});
  EXPECT_THAT(chosen.out, StartsWith("nothing was paired: the baseline has Module.norm.RMSNorm"));
  const auto others = runCli({"compare", golden, dump("other", {"2", "3"})});
  EXPECT_EQ(others.exitCode, 2);
  EXPECT_THAT(others.err, HasSubstr("name one of each by its folder, as in "));
  EXPECT_THAT(others.err, HasSubstr("golden/rank0"));
}

}  // namespace
}  // namespace ulp::cli
