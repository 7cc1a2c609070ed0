#include "core/analysis/reports/rebase_dumps.h"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/data/report_builder.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using DumpPair = std::pair<std::string, std::string>;

ReportSource comparisonSource(const char* baseline,
                              const char* candidate,
                              const std::vector<std::string>& runs,
                              bool readsElements = true) {
  report::Report report = test::sampleReport(2, runs);
  report.dumps = report::DumpOrigin{.baseline = {.path = baseline},
                                    .candidate = {.path = candidate},
                                    .mapping = "names: []",
                                    .readsElements = readsElements};
  return {{std::make_shared<const report::Report>(std::move(report)), candidate, {}}, {}};
}

std::vector<DumpPair> pairsAgainst(const std::string& run,
                                   const std::vector<ReportSource>& sources) {
  std::vector<DumpPair> pairs;
  for (const report::DumpOrigin& origin : comparisonsAgainst(run, *joinReports(sources), sources)) {
    EXPECT_EQ(origin.mapping, "") << "its names are those of another baseline";
    pairs.emplace_back(origin.baseline.path, origin.candidate.path);
  }
  return pairs;
}

TEST(RebaseDumps, ACandidateBecomesTheBaselineOfEveryOtherDump) {
  const std::vector sources{comparisonSource("/a", "/b", {"b"}),
                            comparisonSource("/a", "/c", {"c"}),
                            comparisonSource("/a", "/d", {"d"})};
  EXPECT_THAT(pairsAgainst("c", sources),
              ElementsAre(DumpPair("/c", "/a"), DumpPair("/c", "/b"), DumpPair("/c", "/d")));
}

TEST(RebaseDumps, OneComparisonIsTurnedAround) {
  EXPECT_THAT(pairsAgainst("b", {comparisonSource("/a", "/b", {"b"})}),
              ElementsAre(DumpPair("/b", "/a")));
}

TEST(RebaseDumps, DumpsOfSeveralBaselinesAreTakenOnce) {
  const std::vector sources{comparisonSource("/a", "/b", {"b"}),
                            comparisonSource("/z", "/c", {"c"}),
                            comparisonSource("/z", "/b", {"again"})};
  EXPECT_THAT(pairsAgainst("c", sources),
              ElementsAre(DumpPair("/c", "/z"), DumpPair("/c", "/a"), DumpPair("/c", "/b")));
}

TEST(RebaseDumps, ElementsAreReadWhereTheyWereOfTheChosenDump) {
  const std::vector sources{comparisonSource("/a", "/b", {"b"}, false),
                            comparisonSource("/a", "/c", {"c"}, true)};
  const auto origins = comparisonsAgainst("b", *joinReports(sources), sources);
  ASSERT_EQ(origins.size(), 2U);
  EXPECT_FALSE(origins[0].readsElements);
  EXPECT_FALSE(origins[1].readsElements);
}

TEST(RebaseDumps, WhatHasNoOtherDumpIsNotCompared) {
  EXPECT_THAT(pairsAgainst("step 1", {comparisonSource("/a", "/b", {"step 0", "step 1"})}),
              IsEmpty())
      << "a unit is no baseline of another";
  EXPECT_THAT(pairsAgainst("reference", {comparisonSource("/a", "/b", {"b"})}), IsEmpty());
  EXPECT_THAT(pairsAgainst("nothing", {comparisonSource("/a", "/b", {"b"})}), IsEmpty());
}

TEST(RebaseDumps, StudiesAndSingleDumpsAreNotCompared) {
  const ReportSource study{
      {std::make_shared<const report::Report>(test::sampleReport(2, {"bf16"})), "s", "s"}, {}};
  EXPECT_THAT(pairsAgainst("bf16", {study}), IsEmpty());
  EXPECT_THAT(pairsAgainst("b", {comparisonSource("/a", "/b", {"b"}), study}), IsEmpty());
  EXPECT_THAT(pairsAgainst("a", {comparisonSource("/a", "", {"a"})}), IsEmpty());
}

}  // namespace
}  // namespace ulp::analysis
