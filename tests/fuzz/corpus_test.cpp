#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/analysis/mapping/site_mapping.h"
#include "core/comparing/verdict/verdict_rules.h"
#include "core/dumps/importers/importer.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_targets.h"
#include "tests/support/machine/content_of.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/resident_memory.h"
#include "tests/support/machine/sanitizers.h"

namespace ulp::test {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = ULP_SOURCE_DIR "/tests/fuzz/corpus";

/// A target with one folder of its seeds.
struct SeededTarget {
  FuzzTarget target;
  fs::path seeds;
};

std::vector<fs::path> entriesOf(const fs::path& folder) {
  std::vector<fs::path> entries{fs::directory_iterator(folder), {}};
  std::ranges::sort(entries);
  return entries;
}

/// A target of several formats has a folder for each below its own.
std::vector<SeededTarget> seededTargets() {
  std::vector<SeededTarget> targets;
  for (const FuzzTarget& target : fuzzTargets()) {
    const std::vector<fs::path> entries = entriesOf(kCorpus / target.name);
    if (entries.empty() || !fs::is_directory(entries.front())) {
      targets.push_back({target, kCorpus / target.name});
      continue;
    }
    for (const fs::path& entry : entries) {
      targets.push_back({target, entry});
    }
  }
  return targets;
}

/// Another process, which has limits of its own, does the work of this one.
constexpr std::string_view kElsewhere = "chat_template";

std::vector<SeededTarget> targetsOfThisProcess() {
  std::vector<SeededTarget> targets = seededTargets();
  std::erase_if(targets, [](const SeededTarget& one) { return one.target.name == kElsewhere; });
  return targets;
}

std::string nameOf(const testing::TestParamInfo<SeededTarget>& one) {
  const std::string seeds = one.param.seeds.filename().string();
  return one.param.target.name == seeds ? seeds : std::string(one.param.target.name) + '_' + seeds;
}

class FuzzCorpusTest : public testing::TestWithParam<SeededTarget> {};
INSTANTIATE_TEST_SUITE_P(All, FuzzCorpusTest, testing::ValuesIn(seededTargets()), nameOf);

class FuzzGrowthTest : public testing::TestWithParam<SeededTarget> {};
INSTANTIATE_TEST_SUITE_P(All, FuzzGrowthTest, testing::ValuesIn(targetsOfThisProcess()), nameOf);

/// Also their halves, and versions with one byte changed.
TEST_P(FuzzCorpusTest, SeedsAreReadOrRefused) {
  const std::vector<fs::path> seeds = entriesOf(GetParam().seeds);
  EXPECT_FALSE(seeds.empty());
  for (const fs::path& seed : seeds) {
    std::string content = contentOf(seed);
    const auto run = [&](std::size_t size) {
      GetParam().target.run(reinterpret_cast<const std::uint8_t*>(content.data()), size);
    };
    run(content.size());
    run(content.size() / 2);
    for (std::size_t i = 0; i < content.size(); i += 7) {
      const char before = content[i];
      content[i] = static_cast<char>(~before);
      run(content.size());
      content[i] = before;
    }
  }
}

/// A seed in which a piece of it occurs again and again.
std::string grown(const std::string& seed, std::size_t place, std::size_t length) {
  constexpr std::size_t kSize = std::size_t{1} << 17;
  std::string content = seed.substr(0, place);
  for (const std::string piece = seed.substr(place, length); content.size() < kSize;) {
    content += piece;
  }
  return content + seed.substr(place);
}

/// Neither time nor memory may grow faster than the input.
TEST_P(FuzzGrowthTest, LongInputsTakeLittleTimeAndMemory) {
  constexpr double kMostSeconds = 5;
  constexpr std::size_t kMostBytes = std::size_t{128} << 20;
  constexpr std::size_t kPlaces = 5;
  const bool isMemoryKnown = MemoryPeak::works() && !isAddressSanitized();
  for (const fs::path& seed : entriesOf(GetParam().seeds)) {
    const std::string content = contentOf(seed);
    for (std::size_t place = content.size() / kPlaces; place + 1 < content.size();
         place += 1 + content.size() / kPlaces) {
      for (const std::size_t length : {1, 13}) {
        const std::string input = grown(content, place, length);
        const double start = processSeconds();
        const MemoryPeak peak;
        GetParam().target.run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
        EXPECT_LE(processSeconds() - start, kMostSeconds)
            << seed << ": " << length << " at " << place;
        EXPECT_LE(isMemoryKnown ? peak.bytes() : 0, kMostBytes)
            << seed << ": " << length << " at " << place;
      }
    }
  }
}

TEST(FuzzSeedsTest, EachTargetHasThreeAtLeast) {
  for (const FuzzTarget& target : fuzzTargets()) {
    EXPECT_GE(std::ranges::count_if(
                  fs::recursive_directory_iterator(kCorpus / target.name),
                  fs::recursive_directory_iterator(),
                  [](const fs::directory_entry& entry) { return entry.is_regular_file(); }),
              3)
        << target.name;
  }
}

/// Else the target would look at nothing.
TEST(FuzzSeedsTest, SeedsOfFoldersAreTakenForWhatTheyAre) {
  for (const fs::path& importer : entriesOf(kCorpus / "folder")) {
    for (const fs::path& seed : entriesOf(importer)) {
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
  return contentOf(kCorpus / name);
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
