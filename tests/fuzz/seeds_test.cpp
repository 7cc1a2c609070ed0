#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "core/analysis/mapping/site_mapping.h"
#include "core/analysis/rules/verdict_rules.h"
#include "core/dumps/hosts/unit_json.h"
#include "core/dumps/importers/importer.h"
#include "core/json/parse.h"
#include "core/remote/protocol/frame.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "tests/fuzz/fuzz_corpus.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/machine/content_of.h"

namespace ulp::test {
namespace {

/// Else the target would look at nothing.
TEST(FuzzSeedsTest, SeedsOfFoldersAreTakenForWhatTheyAre) {
  for (const std::filesystem::path& importer : entriesOf(fuzzCorpus() / "folder")) {
    for (const std::filesystem::path& seed : entriesOf(importer)) {
      const FuzzFolder folder;
      unpack(contentOf(seed), folder);
      const auto dump = dumps::openDump(folder.path());
      ASSERT_TRUE(dump) << seed << ": " << dump.error().message();
      EXPECT_EQ((*dump)->importer, importer.filename().string()) << seed;
      const auto unit = (*dump)->openUnit(0);
      ASSERT_TRUE(unit) << seed << ": " << unit.error().message();
      EXPECT_FALSE((*unit)->entries.empty()) << seed;
    }
  }
}

std::string seedText(const char* name) {
  return contentOf(fuzzCorpus() / name);
}

/// Else the targets would look at nothing.
TEST(FuzzSeedsTest, SeedsOfHostsAreReadWhereTheyAreWhole) {
  BuiltUnit unit;
  ASSERT_TRUE(dumps::readUnitText(seedText("host_dump/unit.json"), unit));
  EXPECT_EQ(unit.entries.size(), 2U);
  const auto dump = dumps::dumpIn(*json::parse(seedText("host_dump/dump.json")));
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ(dump->units.size(), 1U);
  remote::FrameReader frames;
  frames.feed(seedText("host_frames/study"));
  std::size_t count = 0;
  for (auto frame = frames.next(); frame && *frame; frame = frames.next()) {
    ++count;
  }
  EXPECT_EQ(count, 10U);
}

/// Else the targets would look at nothing.
TEST(FuzzSeedsTest, SeedsOfTextsAreReadWhereTheyAreWhole) {
  for (const char* name : {"study/whole.yaml", "study/fast_llm.yaml"}) {
    const auto study = study::parseStudy(seedText(name), name);
    EXPECT_TRUE(study) << (study ? "" : study.error().message());
  }
  for (const char* name :
       {"mapping/own.yaml", "mapping/msprobe_data.yaml", "mapping/msprobe_layers.yaml"}) {
    const auto mapping = analysis::SiteMapping::parse(seedText(name), name);
    ASSERT_TRUE(mapping) << mapping.error().message();
    EXPECT_FALSE(mapping->isEmpty()) << name;
  }
  const auto rules = analysis::VerdictRules::parse(seedText("verdict_rules/all.yaml"), "all.yaml");
  ASSERT_TRUE(rules) << rules.error().message();
  EXPECT_EQ(rules->all().size(), 4U);
  for (const char* name : {"report/study.json",
                           "report/dumps.json",
                           "fast_llm_report/first_version.json",
                           "fast_llm_report/second_version.json"}) {
    const auto report = report::parseReport(seedText(name), name);
    ASSERT_TRUE(report) << report.error().message();
    EXPECT_FALSE(report->runs.at(1).comparisons.empty()) << name;
  }
}

}  // namespace
}  // namespace ulp::test
