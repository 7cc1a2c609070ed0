#include <array>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/tensors/hdf5/capture_writer.h"
#include "tests/app/cli/cli_process.h"
#include "tests/support/data/fixture_case.h"

namespace ulp::cli {
namespace {

using test::contentOf;
using test::runCli;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

/// A study's folder with a reference and two variants; "off" is wrong at the second layer.
class CompareCommand : public testing::Test {
 protected:
  void SetUp() override {
    auto writer = tensors::CaptureWriter::create(m_dir.path());
    ASSERT_TRUE(writer) << writer.error().message();
    for (const std::string run : {"reference", "same", "off"}) {
      ASSERT_TRUE((*writer)->beginRun(run));
      for (int layer = 0; layer < 3; ++layer) {
        const std::array<float, 2> values{3, run == "off" && layer > 0 ? 5.0F : 4.0F};
        const Site site{"decoder." + std::to_string(layer),
                        "model.layers." + std::to_string(layer),
                        layer,
                        Level::Layer,
                        Pass::Forward};
        ASSERT_TRUE((*writer)->put(site, {values.data(), DType::Float32, {2}}, 0));
      }
      ASSERT_TRUE((*writer)->finishRun());
    }
  }
  [[nodiscard]] std::string run(const std::string& name) const {
    return m_dir.path().string() + "#" + name;
  }

  test::TempDir m_dir;
};

TEST_F(CompareCommand, SaysWhereTheErrorStartsAndHowLargeItIs) {
  const auto outcome = runCli({"compare", run("reference"), run("off")});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 of 3 pairs equal; compared by elements 3"));
  EXPECT_THAT(outcome.out,
              HasSubstr("The error starts here:\n  model.layers.1: decoder.1 differs by 20.0 %"));
  EXPECT_THAT(outcome.out, ContainsRegex("decoder.1 +forward +[^\n]*20"));
}

TEST_F(CompareCommand, EqualRunsAreIdentical) {
  const auto outcome = runCli({"compare", run("reference"), run("same")});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("3 of 3 pairs equal"));
  EXPECT_THAT(outcome.out, HasSubstr("  identical: every number is the same\n"));
}

TEST_F(CompareCommand, WhatCannotBeReadIsNamedAndIsNoSuccess) {
  const std::string header =
      R"({"w":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"x":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[2,5]}})";
  for (const char* const side : {"a", "b"}) {
    m_dir.write(
        std::string(side) + "/m.safetensors",
        std::string{static_cast<char>(header.size()), 0, 0, 0, 0, 0, 0, 0} + header + "12345");
  }
  for (const std::string command : {"compare", "diverge"}) {
    const auto outcome =
        runCli({command, (m_dir.path() / "a").string(), (m_dir.path() / "b").string()});
    EXPECT_EQ(outcome.exitCode, 2) << command << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("  not readable: 1\n    m/x: baseline: ")) << command;
    EXPECT_THAT(outcome.out, HasSubstr("elements of type 'F6_E2M3' are not read")) << command;
    EXPECT_THAT(outcome.out, Not(HasSubstr("identical"))) << command;
  }
}

TEST_F(CompareCommand, SeveralCandidatesAreComparedWithTheSameBaseline) {
  const std::string reports = (m_dir.path() / "reports").string();
  const auto outcome =
      runCli({"compare", run("reference"), run("same"), run("off"), "--report", reports});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("3 of 3 pairs equal"));
  EXPECT_THAT(outcome.out, HasSubstr("1 of 3 pairs equal"));
  for (const char* name : {"same", "off"}) {
    EXPECT_TRUE(std::filesystem::exists(m_dir.path() / "reports" / name / "precision_report.json"))
        << name;
  }
}

TEST_F(CompareCommand, OfSeveralCandidatesOneThatCannotBeReadIsNamedAndTheOthersAreCompared) {
  const auto outcome =
      runCli({"compare", run("reference"), run("same"), "/nowhere/dump", run("off")});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.out, HasSubstr("3 of 3 pairs equal"));
  EXPECT_THAT(outcome.out, HasSubstr("1 of 3 pairs equal"));
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere/dump"));
}

TEST_F(CompareCommand, WhatTakesOneCandidateRefusesSeveral) {
  const auto json =
      runCli({"compare", run("reference"), run("same"), run("off"), "--format", "json"});
  EXPECT_EQ(json.exitCode, 2);
  EXPECT_THAT(json.err, HasSubstr("--format json"));
  const auto file = runCli({"compare", run("reference"), run("same"), run("off"), "-o", "out.txt"});
  EXPECT_EQ(file.exitCode, 2);
  EXPECT_THAT(file.err, HasSubstr("-o: takes one candidate"));
}

TEST_F(CompareCommand, ARunThatIsNotNamedMustBeTheOnlyOne) {
  const auto outcome = runCli({"compare", m_dir.path().string(), m_dir.path().string()});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("name the run that is meant"));
  EXPECT_THAT(outcome.err, HasSubstr("off, same"));
}

TEST_F(CompareCommand, ARuleThatFailsIsExitCodeOne) {
  const auto rules =
      m_dir.write("rules.yaml",
                  "rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.1, match: 'layers'}\n");
  const auto failed = runCli({"compare", run("reference"), run("off"), "--rules", rules.string()});
  EXPECT_EQ(failed.exitCode, 1) << failed.err;
  EXPECT_THAT(failed.out, HasSubstr("rms_rel at most 0.1, of layers: FAILED at 2 of 3"));
  const auto passed = runCli({"compare", run("reference"), run("same"), "--rules", rules.string()});
  EXPECT_EQ(passed.exitCode, 0) << passed.err;
  EXPECT_THAT(passed.out, HasSubstr("holds for 3"));
  const auto unknown = runCli({"compare", run("reference"), run("off"), "--rules", "mine"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err, HasSubstr("fast_llm, msit, msprobe, sglang"));
}

TEST_F(CompareCommand, JsonHoldsTheVerdict) {
  const auto outcome =
      runCli({"compare", run("reference"), run("off"), "--format", "json", "--rules", "sglang"});
  EXPECT_EQ(outcome.exitCode, 1) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["schema"], "ulpscope.comparison/1");
  EXPECT_FALSE(json["identical"].get<bool>());
  ASSERT_EQ(json["units"].size(), 1U);
  EXPECT_EQ(json["units"][0]["paired_rows"], 3);
  EXPECT_EQ(json["units"][0]["culprits"][0]["module"], "model.layers.1");
  EXPECT_EQ(json["units"][0]["culprits"][0]["layer"], 1);
  EXPECT_DOUBLE_EQ(json["units"][0]["culprits"][0]["error"], 0.2);
  EXPECT_TRUE(json["rules"]["failed"].get<bool>());
  EXPECT_EQ(json["rules"]["failures"][0]["row"], "decoder.1");
}

/// What docs/cli.md says of one kind of object: the names in the second column of its rows.
std::set<std::string> documentedKeys(const std::string& kind) {
  std::istringstream page(contentOf(std::filesystem::path(ULP_SOURCE_DIR) / "docs" / "cli.md"));
  std::set<std::string> keys;
  const std::string start = "| " + kind + " | ";
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with(start)) {
      continue;
    }
    const std::string names =
        line.substr(start.size(), line.find(" |", start.size()) - start.size());
    for (std::size_t at = names.find('`'); at != std::string::npos;) {
      const std::size_t end = names.find('`', at + 1);
      keys.insert(names.substr(at + 1, end - at - 1));
      at = names.find('`', end + 1);
    }
  }
  return keys;
}

std::set<std::string> keysOf(const nlohmann::json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) {
    keys.insert(key);
  }
  return keys;
}

TEST_F(CompareCommand, EveryKeyOfTheJsonIsDocumented) {
  const auto rules =
      m_dir.write("rules.yaml",
                  "rules:\n  - {metric: rms_rel, comparison: '<=', value: 0.1, match: 'layers'}\n");
  const auto outcome = runCli(
      {"compare", run("reference"), run("off"), "--format", "json", "--rules", rules.string()});
  ASSERT_EQ(outcome.exitCode, 1) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  const auto& unit = json.at("units").at(0);
  EXPECT_EQ(keysOf(json), documentedKeys("whole"));
  EXPECT_EQ(keysOf(unit), documentedKeys("unit"));
  EXPECT_EQ(keysOf(unit.at("culprits").at(0)), documentedKeys("culprit"));
  EXPECT_EQ(keysOf(json.at("rules")), documentedKeys("rules"));
  EXPECT_EQ(keysOf(json.at("rules").at("rules").at(0)), documentedKeys("rule"));
  EXPECT_EQ(keysOf(json.at("rules").at("failures").at(0)), documentedKeys("failure"));
}

TEST_F(CompareCommand, TheReportOpensLikeAnyOther) {
  const auto folder = (m_dir / "compared").string();
  const auto outcome = runCli({"compare", run("reference"), run("off"), "--report", folder});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const auto report = runCli({"report", folder});
  EXPECT_EQ(report.exitCode, 0) << report.err;
  EXPECT_THAT(report.out, HasSubstr("decoder.1"));
  EXPECT_THAT(report.out, HasSubstr("model.layers.1: decoder.1 differs by 20.0 %"));
  const auto again = runCli({"compare", run("reference"), run("off"), "--report", folder});
  EXPECT_EQ(again.exitCode, 2) << "results are never overwritten";
}

TEST_F(CompareCommand, APlaceThatCannotBeWrittenIsRefusedBeforeAnythingIsCompared) {
  const std::string nowhere = (m_dir / "nowhere").string();
  const std::string taken = m_dir.write("taken/precision_report.json", "{}").parent_path().string();
  const auto report = runCli({"compare", nowhere, nowhere, "--report", taken});
  EXPECT_EQ(report.exitCode, 2);
  EXPECT_THAT(report.err, HasSubstr("taken: holds a report already"));
  const auto file = m_dir.write("file", "").string();
  const auto below = runCli({"compare", nowhere, nowhere, "--report", file + "/report"});
  EXPECT_EQ(below.exitCode, 2);
  EXPECT_THAT(below.err, HasSubstr("file is no folder"));
  const auto output = runCli({"compare", nowhere, nowhere, "-o", nowhere + "/table.csv"});
  EXPECT_EQ(output.exitCode, 2);
  EXPECT_THAT(output.err, HasSubstr("nowhere does not exist"));
}

TEST_F(CompareCommand, AReportThatCannotBeSavedDoesNotTakeTheAnswerWithIt) {
  const std::string tooLong = (m_dir / std::string(300, 'a')).string();
  const auto outcome = runCli({"compare", run("reference"), run("off"), "--report", tooLong});
  EXPECT_EQ(outcome.exitCode, 3);
  EXPECT_THAT(outcome.err, HasSubstr("name too long"));
  EXPECT_THAT(outcome.out, HasSubstr("1 of 3 pairs equal"));
}

TEST_F(CompareCommand, OptionsOfAnotherWayAreRefused) {
  const auto own = runCli({"compare", run("reference"), run("off"), "--highlight"});
  EXPECT_EQ(own.exitCode, 2);
  EXPECT_THAT(own.err, HasSubstr("--highlight: is an option of another tool's comparison"));
  const auto tool =
      runCli({"compare", "a", "b", "--as", "msprobe-26", "-o", "out", "--rules", "msit"});
  EXPECT_EQ(tool.exitCode, 2);
  EXPECT_THAT(tool.err, HasSubstr("--rules: has no meaning with --as"));
  const auto unknown = runCli({"compare", "a", "b", "--as", "mine", "-o", "out"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown tool 'mine'; choose "));
}

TEST(CompareDumpsOfMsprobe, TheWrongWeightIsNamedWithItsModuleAndItsCaller) {
  const auto folder = test::msprobeCase("v26_stat_w");
  const auto outcome =
      runCli({"compare", (folder / "golden").string(), (folder / "target").string()});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("msprobe 26.x, statistics, level mix"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("The error starts here:\n  Functional.linear.13.forward: its parameter input.1 "
                "differs by 5.00 %"));
  EXPECT_THAT(outcome.out,
              HasSubstr("inside Module.model.layers.1.mlp.down_proj.Linear.forward.0"));
  EXPECT_THAT(outcome.out, HasSubstr("modeling_llama.py, line 164, in forward"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("torch/nn/modules"))) << "frames that say nothing";
  EXPECT_THAT(outcome.out, Not(HasSubstr("Further entries")));
}

TEST(CompareDumpsOfMsprobe, ADumpOfChecksumsIsComparedWithTheTensorsOfTheSameRun) {
  const auto sums = test::msprobeCase("v26_md5_w");
  const auto tensors = test::msprobeCase("v26_tensor_mix_w");
  const auto same = runCli({"compare", (sums / "golden").string(), (tensors / "golden").string()});
  EXPECT_EQ(same.exitCode, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("  identical: every number is the same\n"));
  EXPECT_THAT(same.out, HasSubstr("checksums 601"));
  const auto other = runCli(
      {"compare", (tensors / "target").string(), (sums / "golden").string(), "--format", "json"});
  EXPECT_EQ(other.exitCode, 0) << other.err;
  const auto json = nlohmann::json::parse(other.out);
  const auto& unit = json["units"][0];
  EXPECT_FALSE(unit["identical"].get<bool>());
  EXPECT_TRUE(unit["repeated"].get<bool>());
  EXPECT_EQ(unit["first_difference"]["row"], "Functional.linear.13.forward.input.1");
  EXPECT_EQ(unit["first_difference"]["kind"], "source");
  EXPECT_EQ(unit["culprits"][0]["row"], "Functional.linear.13.forward.input.1");
  EXPECT_TRUE(unit["suspects"].empty()) << "the runs were given different weights";
}

TEST(CompareDumpsOfMsprobe, RepeatedRunsThatPartNameTheirSuspects) {
  const test::TempDir dir;
  const auto write = [&](const char* name, const char* sum) {
    dir.write(std::string(name) + "/step0/rank0/dump.json",
              std::string(R"({"task": "statistics", "level": "L1", "framework": "pytorch",
 "dump_data_dir": null, "data": {"Torch.index_add.0.forward": {"input_args": [{"type":
 "torch.Tensor", "dtype": "torch.float32", "shape": [2], "requires_grad": false, "md5": "11111111"}],
 "input_kwargs": {}, "output": [{"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2],
 "requires_grad": false, "md5": ")") +
                  sum + R"("}]}}})");
    return (dir / name).string();
  };
  const std::string first = write("first", "22222222");
  const std::string second = write("second", "33333333");
  const auto parted = runCli({"compare", first, second});
  EXPECT_EQ(parted.exitCode, 0) << parted.err;
  EXPECT_THAT(parted.out,
              HasSubstr("The first tensor that differs; 1 before it is equal:\n"
                        "  Torch.index_add.0.forward.output.0 differs\n"));
  EXPECT_THAT(parted.out,
              HasSubstr("index_add, index_copy, index_put, x[i] = y (Torch.index_add.0.forward, "
                        "here): writes to repeated indices in any order; "
                        "torch.use_deterministic_algorithms(True)\n"));
  const auto json =
      nlohmann::json::parse(runCli({"compare", first, second, "--format", "json"}).out);
  EXPECT_EQ(json["units"][0]["suspects"][0]["distance"], 0);
  EXPECT_EQ(json["earliest"]["entry"], "Torch.index_add.0.forward");
  const auto folder = (dir / "report").string();
  EXPECT_EQ(runCli({"compare", first, second, "--report", folder}).exitCode, 0);
  EXPECT_THAT(runCli({"report", folder}).out,
              HasSubstr("the first tensor that differs between runs of the same calls"));
}

TEST(CompareTokens, PositionsOfARunsLogitsAreTokensAsWell) {
  const test::TempDir dir;
  auto writer = tensors::CaptureWriter::create(dir.path());
  ASSERT_TRUE(writer) << writer.error().message();
  for (const std::string run : {"reference", "off"}) {
    ASSERT_TRUE((*writer)->beginRun(run));
    const bool isOff = run == "off";
    const std::array<float, 6> logits{1, 2, 3, isOff ? 6.0F : 4.0F, 5, isOff ? 4.0F : 6.0F};
    const Site site{"logits", "lm_head", -1, Level::Layer, Pass::Forward};
    ASSERT_TRUE((*writer)->put(site, {logits.data(), DType::Float32, {1, 2, 3}}, 0));
    ASSERT_TRUE((*writer)->finishRun());
  }
  const auto folder = dir.path().string();
  const auto outcome = runCli({"compare", folder + "#reference", folder + "#off"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("token 0 [^\n]* within rounding +passes"));
  EXPECT_THAT(outcome.out, HasSubstr("1 of 2 tokens choose the same."));
  EXPECT_THAT(outcome.out, HasSubstr("The first token whose logits fail is token 1: KL"));
  EXPECT_THAT(outcome.out, HasSubstr("the chosen token changes from 2 to 0"));
  const auto json = nlohmann::json::parse(
      runCli({"compare", folder + "#reference", folder + "#off", "--format", "json"}).out);
  EXPECT_EQ(keysOf(json.at("tokens").at("tokens").at(0)), documentedKeys("token"));
}

TEST(CompareTokens, TokensHaveASectionAndAnAnswer) {
  const auto folder = test::msprobeCase("msit_logits");
  const auto outcome = runCli({"compare", (folder / "golden").string(), (folder / "my").string()});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("token 0 [^\n]* within rounding +passes"));
  EXPECT_THAT(outcome.out, ContainsRegex("token 1 [^\n]* fails +fails"));
  EXPECT_THAT(outcome.out, HasSubstr("3 of 3 tokens choose the same."));
  EXPECT_THAT(outcome.out, HasSubstr("The first token whose logits fail is token 1: KL 0.00201"));
  const auto json = nlohmann::json::parse(
      runCli(
          {"compare", (folder / "golden").string(), (folder / "my").string(), "--format", "json"})
          .out);
  ASSERT_EQ(json["tokens"]["tokens"].size(), 3U);
  EXPECT_EQ(json["tokens"]["tokens"][1]["baseline_choice"], 55);
  EXPECT_TRUE(json["tokens"]["tokens"][1]["fails"].get<bool>());
}

TEST(CompareDumpsOfMsprobe, WhatTheOriginalReportHidesOfBFloat16IsSaid) {
  const auto golden = (test::msprobeCase("v26_stat_w") / "golden").string();
  const auto target = (test::msprobeCase("v26_stat_bf16") / "target").string();
  const auto outcome = runCli({"compare", golden, target});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("139 of 702 pairs equal"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  of different dtypes (no error by itself): 436\n  33 "))
      << "all of them in one number";
  EXPECT_THAT(
      outcome.out,
      HasSubstr("  33 tensors have a maximum, minimum or mean near zero that is off by more "
                "than 50 % of itself, as msprobe counts, but by no more than rounding at "
                "the scale of the tensor; the first is the minimum of "
                "Tensor.pow.2.forward.output.0: 1.31e-10 instead of 2.66e-10\n"));
  EXPECT_THAT(outcome.out, HasSubstr("no entry makes more error than rounding"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("alone: ")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("of different shapes")));

  const auto json =
      nlohmann::json::parse(runCli({"compare", golden, target, "--format", "json"}).out);
  const auto& unit = json.at("units").at(0);
  EXPECT_EQ(unit.at("dtypes_differ").size(), 436U);
  EXPECT_EQ(unit.at("dtypes_differ").at(0), "Functional.embedding.0.forward.input.1");
  EXPECT_TRUE(unit.at("culprits").empty());
  EXPECT_EQ(unit.at("near_zero").at("rows"), 33);
  EXPECT_EQ(unit.at("near_zero").at("row"), "Tensor.pow.2.forward.output.0");
  EXPECT_EQ(unit.at("near_zero").at("statistic"), "minimum");
  EXPECT_DOUBLE_EQ(unit.at("near_zero").at("baseline").get<double>(), 2.6599775160285333e-10);
  EXPECT_DOUBLE_EQ(unit.at("near_zero").at("candidate").get<double>(), 1.3096723705530167e-10);
}

TEST(CompareDumpsOfMsprobe, WhatHasNoPartnerIsListedOnBothSides) {
  const auto golden = (test::msprobeCase("v26_tensor_L0_w") / "golden").string();
  const auto target = (test::msprobeCase("v26_mapping") / "target").string();
  const auto outcome = runCli({"compare", golden, target});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  const std::string mlp = "Module.model.layers.0.mlp.";
  EXPECT_THAT(outcome.out,
              HasSubstr("  in the baseline alone: 36\n    " + mlp +
                        "gate_proj.Linear.forward.0.input.0\n"));
  EXPECT_THAT(
      outcome.out,
      HasSubstr("  in the candidate alone: 36\n    " + mlp + "w1.Linear.forward.0.input.0\n"));
  EXPECT_THAT(outcome.out, HasSubstr("    … and 28 more\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("of different dtypes")));

  const auto json =
      nlohmann::json::parse(runCli({"compare", golden, target, "--format", "json"}).out);
  const auto& unit = json.at("units").at(0);
  EXPECT_EQ(unit.at("paired_rows"), 162);
  const auto& lacking = unit.at("only_in_baseline");
  const auto& extra = unit.at("only_in_candidate");
  ASSERT_EQ(lacking.size(), 36U);
  ASSERT_EQ(extra.size(), 36U);
  EXPECT_EQ(lacking.at(1), mlp + "gate_proj.Linear.forward.0.parameters.weight");
  EXPECT_EQ(lacking.at(35), mlp + "gate_proj.Linear.backward.0.output.0");
  EXPECT_EQ(extra.at(35), mlp + "w1.Linear.backward.0.output.0");
  EXPECT_TRUE(unit.at("dtypes_differ").empty());
  EXPECT_TRUE(unit.at("shapes_differ").empty());
}

TEST(CompareDumpsOfMsprobe, TensorsOfDifferentShapesAreListed) {
  const auto golden = (test::msprobeCase("v26_tensor_L0_w") / "golden").string();
  const auto target = (test::msprobeCase("v26_tensor_L0_shape") / "target").string();
  const auto outcome = runCli({"compare", golden, target});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("  of different shapes, not compared: 138\n    "
                        "Module.model.embed_tokens.Embedding.forward.0.input.0\n"));
  const auto json =
      nlohmann::json::parse(runCli({"compare", golden, target, "--format", "json"}).out);
  EXPECT_EQ(json.at("units").at(0).at("shapes_differ").size(), 138U);
}

TEST(CompareDumpsOfMsprobe, EqualStatisticsAreNotCalledIdentical) {
  const auto statistics = (test::msprobeCase("v26_stat_w") / "golden").string();
  const auto same = runCli({"compare", statistics, statistics});
  EXPECT_EQ(same.exitCode, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("all recorded numbers are equal"));
  EXPECT_THAT(same.out, Not(HasSubstr("  identical: every number is the same\n")));
  const auto checksums = (test::msprobeCase("v26_md5_w") / "golden").string();
  EXPECT_THAT(runCli({"compare", checksums, checksums}).out,
              HasSubstr("  identical: every number is the same\n"));
}

class MappingOfMsprobe : public testing::Test {
 protected:
  void SetUp() override {
    m_golden = (test::msprobeCase("v26_tensor_L0_w") / "golden").string();
    m_case = test::msprobeCase("v26_mapping");
  }
  [[nodiscard]] nlohmann::json compare(std::vector<std::string> options) const {
    std::vector<std::string> arguments{
        "compare", m_golden, (m_case / "target").string(), "--format", "json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto outcome = runCli(arguments);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("units").at(0);
  }

  std::string m_golden;
  std::filesystem::path m_case;
};

TEST_F(MappingOfMsprobe, CellsLeaveNothingWithoutAPartner) {
  const auto without = compare({});
  EXPECT_FALSE(without.at("only_in_candidate").empty());
  const auto with = compare({"--map", (m_case / "cell_mapping.yaml").string()});
  EXPECT_TRUE(with.at("only_in_candidate").empty()) << with.at("only_in_candidate").dump();
  EXPECT_TRUE(with.at("only_in_baseline").empty()) << with.at("only_in_baseline").dump();
}

TEST_F(MappingOfMsprobe, DataPairsTheRowsThatItNamesAndWithThemTheirCalls) {
  const auto without = compare({});
  const auto with = compare({"--map", (m_case / "data_mapping.yaml").string()});
  // Two outputs, and with them input and weight of the same calls.
  EXPECT_EQ(with.at("paired_rows").get<int>(), without.at("paired_rows").get<int>() + 6);
}

/// What a rank recorded of a norm whose output has this L2 norm.
std::string dumpOfNorm(int norm) {
  return R"({"task": "statistics", "level": "L0", "framework": "pytorch", "dump_data_dir": null,
 "data": {"Module.model.norm.RMSNorm.forward.0": {"input_args": [], "input_kwargs": {}, "output": [
  {"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "Max": 4.0, "Min": 3.0,
   "Mean": 3.5, "Norm": )" +
         std::to_string(norm) + R"(.0, "requires_grad": false}], "parameters": {}}}})";
}

TEST(CompareDumpsOfMsprobe, ARankThatCannotBeReadKeepsTheDumpsFromPassing) {
  const test::TempDir dir;
  for (const std::string rank : {"rank0", "rank1"}) {
    dir.write("golden/" + rank + "/dump.json", dumpOfNorm(5));
    dir.write("target/" + rank + "/dump.json", rank == "rank0" ? dumpOfNorm(5) : "{\"task\": ");
  }
  const std::string file = (dir / "target/rank1/dump.json").string();
  for (const char* command : {"compare", "diverge"}) {
    std::vector<std::string> arguments{
        command, (dir / "golden").string(), (dir / "target").string()};
    if (command == std::string("compare")) {
      arguments.insert(arguments.end(), {"--rules", "msprobe"});
    }
    const auto outcome = runCli(arguments);
    EXPECT_EQ(outcome.exitCode, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr("ulpscope-cli: " + file + ": ")) << command;
    EXPECT_THAT(outcome.out, Not(HasSubstr("identical"))) << command;
  }
  const auto rules =
      dir.write("rules.yaml", "rules:\n  - {metric: stat.norm_rel, comparison: '>', value: 1}\n");
  const auto broken = runCli(
      {"compare", (dir / "golden").string(), (dir / "target").string(), "--rules", rules.string()});
  EXPECT_EQ(broken.exitCode, 1) << "a rule that fails is the stronger answer";
}

TEST(CompareAsAnotherTool, ARankThatCannotBeComparedIsAnErrorBesideTheFilesOfTheOthers) {
  const test::TempDir dir;
  for (const std::string rank : {"rank0", "rank1"}) {
    dir.write("golden/" + rank + "/dump.json", dumpOfNorm(5));
    dir.write("target/" + rank + "/dump.json", rank == "rank0" ? dumpOfNorm(6) : "{\"task\": ");
  }
  const auto outcome = runCli({"compare",
                               (dir / "golden").string(),
                               (dir / "target").string(),
                               "--as",
                               "msprobe-26",
                               "-o",
                               (dir / "out").string()});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("ulpscope-cli: " + (dir / "target/rank1/dump.json").string() + ": "));
  EXPECT_THAT(outcome.err, HasSubstr("dump this step again"));
  EXPECT_THAT(outcome.out, HasSubstr((dir / "out/compare_result_rank0_").string()));
  EXPECT_THAT(outcome.out, Not(HasSubstr("rank1")));
}

TEST(CompareMapping, RanksThatDoNotHoldTheSameAreNamed) {
  const test::TempDir dir;
  for (const std::string rank : {"rank0", "rank1"}) {
    dir.write("good/step0/" + rank + "/dump.json", dumpOfNorm(5));
    dir.write("bad/step0/" + rank + "/dump.json", dumpOfNorm(rank == "rank0" ? 5 : 6));
  }
  const auto map = dir.write("map.yaml", "ranks: {tensor: 2}\n");
  const std::vector<std::string> arguments{
      "compare", (dir / "good").string(), (dir / "bad").string(), "--map", map.string()};
  const auto text = runCli(arguments);
  EXPECT_EQ(text.exitCode, 0) << text.err;
  EXPECT_THAT(
      text.out,
      HasSubstr("  not equal on all ranks of the candidate: 1 tensor, in order of "
                "execution first\n    Module.model.norm.RMSNorm.forward.0.output.0: step 0, "
                "rank 1: norm 6 instead of 5\n"));
  auto asJson = arguments;
  asJson.insert(asJson.end(), {"--format", "json"});
  const auto json = nlohmann::json::parse(runCli(asJson).out);
  const auto& found = json["units"][0]["unequal_replicas"];
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0]["side"], "candidate");
  EXPECT_EQ(found[0]["tensors"], 1);
  EXPECT_EQ(found[0]["expected"], 0);
  EXPECT_EQ(found[0]["module"], "model.norm");
  EXPECT_EQ(found[0]["difference"], "step 0, rank 1: norm 6 instead of 5");
}

TEST(CompareMapping, AMistakeIsNamedWithItsPlace) {
  const test::TempDir dir;
  const auto map = dir.write("map.yaml", "shards:\n  - {match: a, as: some}\n");
  const auto outcome = runCli({"compare", "a", "b", "--map", map.string()});
  EXPECT_EQ(outcome.exitCode, 2);
  EXPECT_THAT(outcome.err, HasSubstr("map.yaml:2:20: 'as' is concat, replicated, sum or mean"));
}

}  // namespace
}  // namespace ulp::cli
