#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "core/compat/msprobe/results/process_comparison.h"
#include "tests/core/compat/expected_table.h"
#include "tests/core/compat/literal_dump.h"
#include "tests/core/compat/same_book.h"

namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using test::cutOff;
using test::dumpOf;
using test::kPlain;
using test::kSummed;
using test::withMax;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Result<CompareOutcome> compare26(const CompareRequest& request) {
  const ComparatorRegistry registry = builtinComparators();
  return registry.find("msprobe-26")->compare(request, {}, {});
}

struct Case26 {
  const char* name;
  const char* golden;
  const char* expected = "expected";
};

class Msprobe26Test : public testing::TestWithParam<Case26> {};

TEST_P(Msprobe26Test, EveryCellIsTheOriginals) {
  const fs::path folder = test::msprobeCase(GetParam().name);
  const std::string expected = GetParam().expected;
  const ulp::test::TempDir out;
  const fs::path dataMapping =
      expected == "expected_data" ? folder / "data_mapping.yaml" : fs::path();
  const fs::path cellMapping =
      expected == "expected_cell" ? folder / "cell_mapping.yaml" : fs::path();
  const auto outcome =
      compare26({.target = test::processIn(folder / "target"),
                 .golden = test::processIn(test::msprobeCase(GetParam().golden) / "golden"),
                 .output = out.path(),
                 .isFuzzy = expected == "expected_fuzzy",
                 .dataMapping = dataMapping,
                 .cellMapping = cellMapping,
                 .timestamp = "20261121072259"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->files, std::vector{out / "compare_result_20261121072259.csv"});
  test::expectSameCells(
      test::parseCsv(test::contentOf(outcome->files[0])),
      test::parseCsv(test::contentOf(test::onlyFile(folder / expected, "compare", ".csv"))));
}

INSTANTIATE_TEST_SUITE_P(Fixtures,
                         Msprobe26Test,
                         testing::Values(Case26{"v26_stat_w", "v26_stat_w"},
                                         Case26{"v26_stat_bf16", "v26_stat_w"},
                                         Case26{"v26_stat_nan", "v26_stat_w"},
                                         Case26{"v26_stat_inf", "v26_stat_w"},
                                         Case26{"v26_md5_w", "v26_md5_w"},
                                         Case26{"v26_md5_bf16", "v26_md5_w"},
                                         Case26{"v26_tensor_L0_w", "v26_tensor_L0_w"},
                                         Case26{"v26_tensor_L0_bf16", "v26_tensor_L0_w"},
                                         Case26{"v26_tensor_L0_nan", "v26_tensor_L0_w"},
                                         Case26{"v26_tensor_L0_shape", "v26_tensor_L0_w"},
                                         Case26{"v26_tensor_mix_w", "v26_tensor_mix_w"},
                                         Case26{"v26_mapping", "v26_tensor_L0_w", "expected_nomap"},
                                         Case26{"v26_mapping", "v26_tensor_L0_w", "expected_fuzzy"},
                                         Case26{"v26_mapping", "v26_tensor_L0_w", "expected_data"},
                                         Case26{"v26_mapping", "v26_tensor_L0_w", "expected_cell"}),
                         [](const auto& each) {
                           return std::string(each.param.name) + "_" + each.param.expected;
                         });

TEST_F(Msprobe26Test, StepFoldersGiveAFileOfEachRank) {
  const fs::path folder = test::msprobeCase("v26_multirank");
  const ulp::test::TempDir out;
  const auto outcome = compare26({.target = folder / "target" / "step0",
                                  .golden = folder / "golden" / "step0",
                                  .output = out.path(),
                                  .timestamp = "20261121072827"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->files,
            (std::vector{out / "compare_result_rank0_20261121072827.csv",
                         out / "compare_result_rank1_20261121072827.csv"}));
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const std::string prefix = "compare_result_rank" + std::to_string(rank);
    test::expectSameCells(
        test::parseCsv(test::contentOf(outcome->files[rank])),
        test::parseCsv(test::contentOf(test::onlyFile(folder / "expected", prefix, ".csv"))));
  }
}

TEST_F(Msprobe26Test, SheetsHoldTheSameValuesOfTheSameTypes) {
  const fs::path folder = test::msprobeCase("v26_multirank");
  const ulp::test::TempDir out;
  const auto outcome = compare26({.target = folder / "target/step0",
                                  .golden = folder / "golden/step0",
                                  .output = out.path(),
                                  .isSpreadsheet = true,
                                  .timestamp = "1"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(
      outcome->files,
      (std::vector{out / "compare_result_rank0_1.xlsx", out / "compare_result_rank1_1.xlsx"}));
  for (std::size_t rank = 0; rank < 2; ++rank) {
    test::expectSameSheet(outcome->files[rank],
                          folder / "expected_xlsx",
                          "compare_result_rank" + std::to_string(rank),
                          "Sheet1");
  }
}

TEST(Msprobe26ResultTest, AsManyRanksArePairedInOrderAndOthersByNumber) {
  const ulp::test::TempDir dir;
  for (const std::string rank : {"rank0", "rank1"}) {
    dir.write("two/" + rank + "/dump.json", dumpOf("statistics", kPlain));
  }
  for (const std::string rank : {"rank1", "rank10"}) {
    dir.write("others/" + rank + "/dump.json", dumpOf("statistics", kPlain));
  }
  dir.write("one/rank1/dump.json", dumpOf("statistics", kPlain));
  const auto ordered = compare26(
      {.target = dir / "two", .golden = dir / "others", .output = dir / "out", .timestamp = "1"});
  ASSERT_TRUE(ordered) << ordered.error().message();
  EXPECT_EQ(ordered->files,
            (std::vector{dir / "out/compare_result_rank0_1.csv",
                         dir / "out/compare_result_rank1_1.csv"}));
  EXPECT_THAT(ordered->notes,
              testing::ElementsAre(AllOf(HasSubstr((dir / "two/rank0").string()),
                                         HasSubstr((dir / "others/rank1").string())),
                                   AllOf(HasSubstr((dir / "two/rank1").string()),
                                         HasSubstr((dir / "others/rank10").string()))));
  const auto numbered = compare26(
      {.target = dir / "two", .golden = dir / "one", .output = dir / "out", .timestamp = "2"});
  ASSERT_TRUE(numbered) << numbered.error().message();
  EXPECT_EQ(numbered->files, std::vector{dir / "out/compare_result_rank1_2.csv"});
  EXPECT_THAT(numbered->notes, testing::ElementsAre(HasSubstr("it was left out")));
}

TEST(Msprobe26ResultTest, OfADumpWithoutRowsThereIsNoTable) {
  const ulp::test::TempDir dir;
  const fs::path plain = dir.write("plain/dump.json", dumpOf("statistics", kPlain));
  const fs::path empty =
      dir.write("empty/dump.json",
                R"({"task": "statistics", "level": "L1", "dump_data_dir": null, "data": {}})");
  const ComparatorRegistry registry = builtinComparators();
  const auto notesOf = [&](const char* id, const fs::path& target, const fs::path& golden) {
    const auto outcome = registry.find(id)->compare(
        {.target = target, .golden = golden, .output = dir / "out", .timestamp = "1"}, {}, {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    return outcome && outcome->files.empty() ? outcome->notes : std::vector<std::string>{"a table"};
  };
  const auto nothing =
      testing::ElementsAre(AllOf(HasSubstr(empty.string()), HasSubstr("holds nothing to compare")));
  EXPECT_THAT(notesOf("msprobe-26", empty, plain), nothing);
  EXPECT_THAT(notesOf("msprobe-26", plain, empty), nothing);
  EXPECT_THAT(notesOf("msprobe-26-da", plain, empty), nothing);
  EXPECT_THAT(notesOf("msprobe-8", empty, plain), nothing);
  EXPECT_THAT(notesOf("msprobe-8", plain, empty), testing::ElementsAre("a table"));
}

/// Three ranks on both sides; the second one of the target broke off before anything was written.
void writeRanks(const ulp::test::TempDir& dir) {
  for (const std::string rank : {"rank0", "rank1", "rank2"}) {
    dir.write("golden/" + rank + "/dump.json", dumpOf("statistics", kPlain));
    dir.write("target/" + rank + "/dump.json",
              rank == "rank1" ? R"({"task": "stat)" : dumpOf("statistics", kPlain));
  }
}

TEST(Msprobe26ResultTest, ARankThatCannotBeComparedIsNamedAndTheOthersAreCompared) {
  const ulp::test::TempDir dir;
  writeRanks(dir);
  const ComparatorRegistry registry = builtinComparators();
  const std::vector<std::pair<const char*, std::vector<std::string>>> written{
      {"msprobe-26", {"compare_result_rank0_1.csv", "compare_result_rank2_1.csv"}},
      {"msprobe-26-da", {"compare_result_rank0_1.json", "compare_result_rank2_1.json"}},
      {"msprobe-8",
       {"compare_result_rank0_1.xlsx",
        "advisor_rank0_1.txt",
        "compare_result_rank2_1.xlsx",
        "advisor_rank2_1.txt"}}};
  for (const auto& [id, names] : written) {
    const fs::path out = dir / "out" / id;
    const auto outcome = registry.find(id)->compare(
        {.target = dir / "target", .golden = dir / "golden", .output = out, .timestamp = "1"},
        {},
        {});
    ASSERT_TRUE(outcome) << id << ": " << outcome.error().message();
    std::vector<fs::path> files;
    for (const std::string& name : names) {
      files.push_back(out / name);
    }
    EXPECT_EQ(outcome->files, files) << id;
    ASSERT_EQ(outcome->failures.size(), 1U) << id;
    EXPECT_EQ(outcome->failures[0].code(), ErrorCode::CorruptData) << id;
    EXPECT_THAT(outcome->failures[0].message(),
                AllOf(testing::StartsWith((dir / "target/rank1/dump.json").string() + ": "),
                      HasSubstr("dump this step again")));
  }
}

TEST(Msprobe26ResultTest, WhereNoRankCanBeComparedEveryReasonIsInTheError) {
  const ulp::test::TempDir dir;
  for (const std::string rank : {"rank0", "rank1"}) {
    dir.write("golden/" + rank + "/dump.json", dumpOf("statistics", kPlain));
    dir.write("target/" + rank + "/dump.json", dumpOf("tensor", kPlain));
  }
  const auto outcome =
      compare26({.target = dir / "target", .golden = dir / "golden", .output = dir / "out"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(outcome.error().message(),
              AllOf(HasSubstr((dir / "target/rank0/dump.json").string()),
                    HasSubstr("\n" + (dir / "target/rank1/dump.json").string())));
  EXPECT_FALSE(fs::exists(dir / "out"));
}

TEST(Msprobe26ResultTest, ACancelledRankEndsTheComparisonAtOnce) {
  const ulp::test::TempDir dir;
  writeRanks(dir);
  int calls = 0;
  const auto outcome = msprobe::compareProcesses(
      {.target = dir / "target", .golden = dir / "golden", .output = dir / "out"},
      [&](const msprobe::ProcessPair& /*pair*/, CompareOutcome& made) -> Result<> {
        made.files.emplace_back("a");
        ++calls;
        return calls == 1 ? Result<>() : fail(ErrorCode::Cancelled, "cancelled");
      });
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::Cancelled);
  EXPECT_EQ(calls, 2);
}

TEST(Msprobe26RefusalTest, WhatTheOriginalRefusesIsRefusedWithTheReason) {
  const ulp::test::TempDir dir;
  const fs::path plain = dir.write("plain/dump.json", dumpOf("statistics", kPlain));
  const fs::path summed = dir.write("summed/dump.json", dumpOf("statistics", kSummed));
  const fs::path tensors = dir.write("tensors/dump.json", dumpOf("tensor", kPlain));
  const fs::path structure = dir.write("structure/dump.json", dumpOf("structure", kPlain));
  const auto reason = [&](const fs::path& target, const fs::path& golden) {
    const auto outcome = compare26({.target = target, .golden = golden, .output = dir / "out"});
    EXPECT_FALSE(outcome) << target << golden;
    return outcome ? std::string() : outcome.error().message();
  };
  EXPECT_THAT(reason(plain, tensors), HasSubstr("the tasks differ, 'statistics' and 'tensor'"));
  EXPECT_THAT(reason(plain, summed), HasSubstr("one holds checksums and the other does not"));
  EXPECT_THAT(reason(structure, structure), HasSubstr("hold nothing that msprobe compares"));
  EXPECT_THAT(reason(plain, dir / "nowhere"), HasSubstr("holds no dump.json"));
  EXPECT_FALSE(
      compare26({.target = plain, .golden = plain, .output = dir / "out", .level = "api"}));
  EXPECT_FALSE(
      compare26({.target = plain, .golden = plain, .output = dir / "out", .isHighlighted = true}));
}

TEST(Msprobe26ResultTest, OneFileIsWrittenWithPythonsSpelling) {
  const ulp::test::TempDir dir;
  const fs::path target = dir.write(
      "a/dump.json",
      dumpOf("statistics",
             R"({"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "Max": Infinity,
              "Min": NaN, "Mean": 1e-5, "Norm": 3})"));
  const fs::path golden = dir.write(
      "b/dump.json",
      dumpOf("statistics",
             R"({"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], "Max": 1.0,
              "Min": 1.0, "Mean": 0.0, "Norm": 2})"));
  const auto outcome =
      compare26({.target = target, .golden = golden, .output = dir / "out", .timestamp = "1"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->files, std::vector{dir / "out/compare_result_1.csv"});
  EXPECT_THAT(
      test::contentOf(outcome->files[0]),
      HasSubstr("\nTorch.a.0.forward.output.0,Torch.a.0.forward.output.0,torch.float32,"
                "torch.float32,[2],[2],N/A,N/A,inf,Nan,1e-05,1.0,inf,Nan,inf,50.0%, inf,"
                "Nan,1e-05,3,1.0,1.0,0.0,2.0,True,error,"
                "\"[\"\"error: There is nan/inf/-inf in the maximum or minimum value of "
                "NPU.\"\", \"\"warning: The norm relative error of output is 10 times that of "
                "input.\"\"]\"\n"));
}

TEST(Msprobe26ResultTest, ExclusiveOrsStandInTheColumnsOfChecksums) {
  const ulp::test::TempDir dir;
  const auto leaf = [](const std::string& sum) {
    return R"({"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2], )"
           R"("requires_grad": true, "md5": ")" +
           sum + "\"}";
  };
  const std::string same = leaf("0x00000000000000a1");
  const fs::path target =
      dir.write("a/dump.json", dumpOf("statistics", same + ", " + leaf("0x00000000000000b2")));
  const fs::path golden =
      dir.write("b/dump.json", dumpOf("statistics", same + ", " + leaf("0x80000000000000b2")));
  const auto outcome =
      compare26({.target = target, .golden = golden, .output = dir / "out", .timestamp = "1"});
  ASSERT_TRUE(outcome) << outcome.error().message();
  const test::Table table = test::parseCsv(test::contentOf(outcome->files.at(0)));
  ASSERT_EQ(table.size(), 3U);
  EXPECT_THAT(table[1],
              testing::ElementsAre("Torch.a.0.forward.output.0",
                                   "Torch.a.0.forward.output.0",
                                   "torch.float32",
                                   "torch.float32",
                                   "[2]",
                                   "[2]",
                                   "True",
                                   "True",
                                   "0x00000000000000a1",
                                   "0x00000000000000a1",
                                   "True",
                                   "pass",
                                   "[]"));
  EXPECT_EQ(table[2][8], "0x00000000000000b2");
  EXPECT_EQ(table[2][9], "0x80000000000000b2");
  EXPECT_EQ(table[2][11], "error");
  EXPECT_EQ(table[2][12], R"(["error: The CRC-32 value of NPU differs from that of the bench."])");
}

TEST_F(Msprobe26Test, TheAnalysisOfDifferencesIsTheOriginalsByteForByte) {
  const fs::path folder = test::msprobeCase("v26_multirank");
  const ulp::test::TempDir out;
  const auto outcome = builtinComparators()
                           .find("msprobe-26-da")
                           ->compare({.target = folder / "target" / "step0",
                                      .golden = folder / "golden" / "step0",
                                      .output = out.path(),
                                      .timestamp = "1"},
                                     {},
                                     {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes, testing::IsEmpty());
  ASSERT_EQ(outcome->files,
            (std::vector{out / "compare_result_rank0_1.json",
                         out / "compare_result_rank1_1.json",
                         out / "diff_analyze_1.json"}));
  for (const std::string name :
       {"compare_result_rank0_", "compare_result_rank1_", "diff_analyze_"}) {
    EXPECT_TRUE(test::contentOf(out / (name + "1.json")) ==
                test::contentOf(test::onlyFile(folder / "expected_diffanalyze", name, ".json")))
        << name;
  }
}

Result<CompareOutcome> analyzed(const fs::path& target,
                                const fs::path& golden,
                                const fs::path& output) {
  return builtinComparators()
      .find("msprobe-26-da")
      ->compare({.target = target, .golden = golden, .output = output, .timestamp = "1"}, {}, {});
}

TEST(Msprobe26AnalysisTest, EachStepHasItsOwnFiles) {
  const ulp::test::TempDir dir;
  for (const std::string place : {"step0/rank0", "step0/rank1", "step1/rank0", "step1/rank1"}) {
    const bool differs = place == "step0/rank1" || place == "step1/rank0";
    dir.write("golden/" + place + "/dump.json", dumpOf("statistics", kPlain));
    dir.write("target/" + place + "/dump.json",
              dumpOf("statistics", withMax(differs ? "3.0" : "1.0")));
  }
  const auto outcome = analyzed(dir / "target", dir / "golden", dir / "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->files,
            (std::vector{dir / "out/step0/compare_result_rank0_1.json",
                         dir / "out/step0/compare_result_rank1_1.json",
                         dir / "out/step0/diff_analyze_1.json",
                         dir / "out/step1/compare_result_rank0_1.json",
                         dir / "out/step1/compare_result_rank1_1.json",
                         dir / "out/step1/diff_analyze_1.json"}));
  EXPECT_THAT(test::contentOf(outcome->files[0]), HasSubstr(R"("NPU max": 1.0,)"));
  EXPECT_THAT(test::contentOf(outcome->files[3]), HasSubstr(R"("NPU max": 3.0,)"));
  EXPECT_THAT(test::contentOf(outcome->files[2]),
              AllOf(HasSubstr(R"("rank_1": [)"), Not(HasSubstr("rank_0"))));
  EXPECT_THAT(test::contentOf(outcome->files[5]),
              AllOf(HasSubstr(R"("rank_0": [)"), Not(HasSubstr("rank_1"))));
}

/// A dump with these calls, each with one output and this maximum.
std::string callsOf(const std::vector<std::pair<std::string, std::string>>& calls) {
  std::string data;
  for (const auto& [name, max] : calls) {
    data += (data.empty() ? "\"" : ", \"") + name + R"(": {"output": [)" + withMax(max) + "]}";
  }
  return R"({"task": "statistics", "level": "L1", "dump_data_dir": null, "data": {)" + data + "}}";
}

/// The files and notes of an analysis of two ranks whose golden maxima are all 1.
class Msprobe26OriginsTest : public testing::Test {
 protected:
  using Calls = std::vector<std::pair<std::string, std::string>>;

  void analyze(const std::vector<Calls>& ranks) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      Calls same = ranks[rank];
      for (auto& [name, max] : same) {
        max = "1.0";
      }
      const std::string place = "/rank" + std::to_string(rank) + "/dump.json";
      m_dir.write("golden" + place, callsOf(same));
      m_dir.write("target" + place, callsOf(ranks[rank]));
    }
    auto outcome = analyzed(m_dir / "target", m_dir / "golden", m_dir / "out");
    ASSERT_TRUE(outcome) << outcome.error().message();
    m_outcome = std::move(*outcome);
  }
  [[nodiscard]] std::string origins() const {
    return test::contentOf(m_dir / "out/diff_analyze_1.json");
  }

  ulp::test::TempDir m_dir;
  CompareOutcome m_outcome;
};

TEST_F(Msprobe26OriginsTest, WhatIsBeforeTheCommunicationsOfOneRankIsTheOnlyOrigin) {
  analyze({{{"Torch.a.0.forward", "3.0"}, {"Distributed.all_reduce.0.forward", "1.0"}},
           {{"Distributed.all_reduce.0.forward", "3.0"}, {"Torch.b.0.forward", "3.0"}}});
  EXPECT_THAT(m_outcome.notes, testing::IsEmpty());
  EXPECT_THAT(origins(),
              AllOf(HasSubstr(R"("op_name": "Torch.a.0.forward")"),
                    HasSubstr(R"("stack_info": null)"),
                    Not(HasSubstr("rank_1"))));
}

TEST_F(Msprobe26OriginsTest, WhatIsBehindThemCountsWhereNothingElseDiffers) {
  analyze({{{"Torch.a.0.forward", "1.0"}, {"Distributed.all_reduce.0.forward", "1.0"}},
           {{"Distributed.all_reduce.0.forward", "1.0"}, {"Torch.b.0.forward", "3.0"}}});
  EXPECT_THAT(m_outcome.notes, testing::IsEmpty());
  EXPECT_THAT(origins(),
              AllOf(HasSubstr(R"("op_name": "Torch.b.0.forward")"), Not(HasSubstr("rank_0"))));
}

TEST_F(Msprobe26OriginsTest, BetweenCommunicationsNoOriginIsNamed) {
  analyze({{{"Distributed.all_reduce.0.forward", "3.0"}, {"Torch.a.0.forward", "1.0"}},
           {{"Distributed.all_reduce.0.forward", "1.0"}, {"Torch.b.0.forward", "3.0"}}});
  EXPECT_THAT(m_outcome.notes,
              testing::ElementsAre(AllOf(HasSubstr("rank0"), HasSubstr("links are not followed"))));
  EXPECT_EQ(m_outcome.files.size(), 2U);
}

TEST_F(Msprobe26OriginsTest, BarriersAreNoCommunicationAndShortNamesNoCalls) {
  analyze({{{"Distributed.barrier.0.forward", "1.0"},
            {"x.0.forward", "3.0"},
            {"Torch.empty.0.forward", "3.0"},
            {"Torch.a.0.forward", "3.0"},
            {"Distributed.send.0.forward", "1.0"}}});
  EXPECT_THAT(origins(), HasSubstr(R"("op_name": "Torch.a.0.forward")"));
  EXPECT_THAT(test::contentOf(m_outcome.files.front()),
              AllOf(HasSubstr("Torch.empty.0.forward"), Not(HasSubstr("x.0.forward"))));
}

TEST(Msprobe26AnalysisTest, SeveralProcessesWithoutARankAreToldApart) {
  const ulp::test::TempDir dir;
  for (const std::string process : {"proc11", "proc12"}) {
    dir.write("golden/step0/" + process + "/dump.json", dumpOf("statistics", kPlain));
    dir.write("target/step0/" + process + "/dump.json", dumpOf("statistics", withMax("3.0")));
  }
  const auto outcome = analyzed(dir / "target/step0", dir / "golden/step0", dir / "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->files.size(), 3U);
  EXPECT_EQ(outcome->files[2], dir / "out/diff_analyze_1.json");
  EXPECT_THAT(test::contentOf(outcome->files[2]),
              AllOf(HasSubstr(R"("proc11": [)"), HasSubstr(R"("proc12": [)")));
}

TEST(Msprobe26AnalysisTest, ADumpThatWasCutShortIsNoted) {
  const ulp::test::TempDir dir;
  const fs::path whole = dir.write("golden/dump.json", dumpOf("statistics", kPlain));
  const fs::path cut = dir.write("target/dump.json", cutOff(kPlain));
  const auto outcome = analyzed(cut, whole, dir / "out");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(
      outcome->notes,
      testing::ElementsAre(AllOf(HasSubstr(cut.string()), HasSubstr("the dump was cut short"))));
  EXPECT_EQ(outcome->files, std::vector{dir / "out/compare_result_1.json"});
}

}  // namespace
}  // namespace ulp::compat
