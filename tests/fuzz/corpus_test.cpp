#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/fuzz_corpus.h"
#include "tests/fuzz/fuzz_targets.h"
#include "tests/fuzz/growth.h"
#include "tests/support/machine/content_of.h"

namespace ulp::test {
namespace {

namespace fs = std::filesystem;

/// A target with one folder of its seeds.
struct SeededTarget {
  FuzzTarget target;
  fs::path seeds;
};

/// A target of several formats has a folder for each below its own.
std::vector<SeededTarget> seededTargets() {
  std::vector<SeededTarget> targets;
  for (const FuzzTarget& target : fuzzTargets()) {
    const std::vector<fs::path> entries = entriesOf(fuzzCorpus() / target.name);
    if (entries.empty() || !fs::is_directory(entries.front())) {
      targets.push_back({target, fuzzCorpus() / target.name});
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

void run(const FuzzTarget& target, std::string_view input) {
  target.run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
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
    run(GetParam().target, content);
    run(GetParam().target, std::string_view(content).substr(0, content.size() / 2));
    for (std::size_t i = 0; i < content.size(); i += 7) {
      const char before = content[i];
      content[i] = static_cast<char>(~before);
      run(GetParam().target, content);
      content[i] = before;
    }
  }
}

/// A seed in which a piece of it occurs again and again, until it has `size` bytes.
std::string grown(const std::string& seed,
                  std::string_view piece,
                  std::size_t at,
                  std::size_t size) {
  std::string content = seed.substr(0, at);
  while (content.size() < size) {
    content += piece;
  }
  return content + seed.substr(at);
}

/// Neither time nor memory may grow faster than the input.
TEST_P(FuzzGrowthTest, LongInputsTakeLittleTimeAndMemory) {
  constexpr std::size_t kPlaces = 5;
  for (const fs::path& seed : entriesOf(GetParam().seeds)) {
    const std::string content = contentOf(seed);
    for (std::size_t place = content.size() / kPlaces; place + 1 < content.size();
         place += 1 + content.size() / kPlaces) {
      for (const std::size_t length : {1, 13}) {
        const std::string piece = content.substr(place, length);
        EXPECT_EQ(
            growthProblem([&](std::size_t size) { return grown(content, piece, place, size); },
                          [](const std::string& input) { run(GetParam().target, input); }),
            "")
            << seed << ": " << length << " at " << place;
      }
    }
  }
}

TEST(FuzzSeedsTest, EachTargetHasThreeAtLeast) {
  for (const FuzzTarget& target : fuzzTargets()) {
    EXPECT_GE(std::ranges::count_if(
                  fs::recursive_directory_iterator(fuzzCorpus() / target.name),
                  fs::recursive_directory_iterator(),
                  [](const fs::directory_entry& entry) { return entry.is_regular_file(); }),
              3)
        << target.name;
  }
}

}  // namespace
}  // namespace ulp::test
