#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/cli/cli_process.h"
#include "tests/support/data/fixture_case.h"

namespace ulp::cli {
namespace {

using test::runCli;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A step of msprobe in which a product leaves float16.
constexpr const char* kOverflow = R"({"task": "statistics", "level": "L1", "framework": "pytorch",
 "dump_data_dir": null, "data": {
 "Torch.mul.0.forward": {"input_args": [{"type": "torch.Tensor", "dtype": "torch.float16",
   "shape": [2], "Max": 400.0, "Min": -1.0, "Mean": 1.0, "Norm": 400.0, "requires_grad": false}],
  "input_kwargs": {}, "output": [{"type": "torch.Tensor", "dtype": "torch.float16", "shape": [2],
   "Max": Infinity, "Min": 1.0, "Mean": Infinity, "Norm": Infinity, "requires_grad": false}]},
 "Functional.silu.0.forward": {"input_args": [{"type": "torch.Tensor", "dtype": "torch.float16",
   "shape": [2], "Max": Infinity, "Min": 1.0, "Mean": Infinity, "Norm": Infinity,
   "requires_grad": false}],
  "input_kwargs": {}, "output": [{"type": "torch.Tensor", "dtype": "torch.float16", "shape": [2],
   "Max": Infinity, "Min": 1.0, "Mean": Infinity, "Norm": Infinity, "requires_grad": false}]}}})";

class DivergeOfDumps : public testing::Test {
 protected:
  void SetUp() override {
    m_dir.write("dump/step0/rank0/dump.json", kOverflow);
    std::string calm = kOverflow;
    for (std::size_t at = calm.find("Infinity"); at != std::string::npos;
         at = calm.find("Infinity")) {
      calm.replace(at, std::string_view("Infinity").size(), "7.0");
    }
    m_dir.write("calm/step0/rank0/dump.json", calm);
  }
  [[nodiscard]] std::string folder(const char* name) const { return (m_dir / name).string(); }

  test::TempDir m_dir;
};

TEST_F(DivergeOfDumps, NamesTheCallThatLeavesItsFormat) {
  const auto outcome = runCli({"diverge", folder("dump")});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("step 0, rank 0\n  3 of 4 tensors hold NaN or infinity\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("It starts here:\n  Torch.mul.0.forward: puts out infinity, and what it "
                        "read is finite: a result beyond 65504, the largest float16; the largest "
                        "number that it read is 400\n"));
  EXPECT_THAT(outcome.out, HasSubstr("carried on by 1 call: Functional.silu.0.forward\n"));
  const auto calm = runCli({"diverge", folder("calm")});
  EXPECT_EQ(calm.exitCode, 0) << calm.err;
  EXPECT_THAT(calm.out, HasSubstr("no call makes NaN or infinity of finite numbers"));
}

TEST_F(DivergeOfDumps, WritesJsonAndCsv) {
  const auto outcome = runCli({"diverge", folder("dump"), "--format", "json"});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["schema"], "ulpscope.overflow/1");
  const auto& origin = json["units"][0]["origins"][0];
  EXPECT_EQ(origin["kind"], "overflow");
  EXPECT_EQ(origin["entry"], "Torch.mul.0.forward");
  EXPECT_EQ(origin["largest_of_dtype"], 65504);
  EXPECT_EQ(origin["largest_input"], 400);
  EXPECT_EQ(origin["carried_on_by"][0], "Functional.silu.0.forward");
  const auto csv = runCli({"diverge", folder("dump"), "--format", "csv"});
  EXPECT_EQ(csv.exitCode, 1) << csv.err;
  EXPECT_THAT(csv.out, StartsWith("unit,entry,tensor,module,pass,kind,dtype"));
  EXPECT_THAT(csv.out, HasSubstr("Torch.mul.0.forward.output.0,"));
}

TEST_F(DivergeOfDumps, OfTwoItSaysWhereTheyPartAndNothingElse) {
  const auto outcome = runCli({"diverge", folder("calm"), folder("dump")});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("The error starts here:\n  Torch.mul.0.forward: "));
  EXPECT_THAT(outcome.out, HasSubstr("what it read is finite"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("pairs equal")));
  EXPECT_EQ(runCli({"diverge", folder("calm"), folder("calm")}).exitCode, 0);
  const auto json = runCli({"diverge", folder("calm"), folder("dump"), "--format", "json"});
  EXPECT_EQ(nlohmann::json::parse(json.out)["units"][0]["culprits"][0]["entry"],
            "Torch.mul.0.forward");
}

TEST_F(DivergeOfDumps, RefusesOptionsThatItDoesNotHave) {
  const auto prove = runCli({"diverge", folder("dump"), "--prove"});
  EXPECT_EQ(prove.exitCode, 2);
  EXPECT_THAT(prove.err, HasSubstr("--prove: is for studies"));
  const auto csv = runCli({"diverge", folder("calm"), folder("dump"), "--format", "csv"});
  EXPECT_EQ(csv.exitCode, 2);
  EXPECT_THAT(csv.err, HasSubstr("of two dumps there are text and json"));
  const auto step = runCli({"diverge", folder("dump"), "--step", "7"});
  EXPECT_EQ(step.exitCode, 2);
  EXPECT_THAT(step.err, HasSubstr("there is no step 7; there are step 0, rank 0"));
  const auto map = runCli({"diverge", folder("dump"), "--map", folder("none.yaml")});
  EXPECT_EQ(map.exitCode, 2);
  EXPECT_THAT(map.err, HasSubstr("--map: says how the names of two dumps correspond"));
  const auto missing = runCli({"diverge", folder("dump"), folder("nowhere")});
  EXPECT_EQ(missing.exitCode, 2);
  EXPECT_THAT(missing.err, HasSubstr("nowhere"));
}

TEST_F(DivergeOfDumps, ADumpThatWasCutShortIsSearchedAsFarAsItGoes) {
  const std::string whole = kOverflow;
  m_dir.write("cut/step0/rank0/dump.json", whole.substr(0, whole.find("\"Functional.silu")));
  const auto cut = runCli({"diverge", folder("cut")});
  EXPECT_EQ(cut.exitCode, 1) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("Torch.mul.0.forward: puts out infinity"));
  EXPECT_THAT(cut.out, HasSubstr("the dump was cut short"));
  m_dir.write("broken/step0/rank0/dump.json", R"({"task": "statistics", "level": "L1", )");
  const auto broken = runCli({"diverge", folder("broken")});
  EXPECT_EQ(broken.exitCode, 2);
  EXPECT_THAT(broken.err, HasSubstr("dump.json"));
}

TEST_F(DivergeOfDumps, WhatIsWrongWithADumpIsSaidOfTheDump) {
  m_dir.write("newer/rank0/index.jsonl", "{\"schema\": \"ulpscope.recording/9\"}\n");
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, std::vector<std::string>{"--step", "3"}}) {
    std::vector<std::string> arguments{"diverge", folder("newer")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto newer = runCli(arguments);
    EXPECT_EQ(newer.exitCode, 2);
    EXPECT_THAT(newer.err, HasSubstr("use the ulpscope_recorder.py that came with this Ulpscope"));
  }
}

TEST(DivergeOfMsprobe, NamesTheParameterTheModulesAroundItAndItsCaller) {
  const auto outcome = runCli({"diverge", (test::msprobeCase("v26_stat_nan") / "target").string()});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("It starts here:\n  Functional.linear.12.forward: its parameter "
                        "Functional.linear.12.forward.input.1 holds NaN"));
  EXPECT_THAT(outcome.out, HasSubstr("inside Module.model.layers.1.mlp.up_proj.Linear.forward.0"));
  EXPECT_THAT(outcome.out, HasSubstr("modeling_llama.py, line 164, in forward"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("Further calls")));
}

}  // namespace
}  // namespace ulp::cli
