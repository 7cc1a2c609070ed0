#include <filesystem>

#include <gtest/gtest.h>

#include <QtCore/QTemporaryDir>

#include "views/framework/settings/settings_store.h"
#include "views/framework/workspace/recently_opened.h"

namespace ulp::views {
namespace {

class RecentComparisonsTest : public testing::Test {
 protected:
  [[nodiscard]] static report::DumpOrigin pair(const char* candidate, std::string mapping = {}) {
    return {.baseline = {.path = "/dumps/golden"},
            .candidate = {.path = std::string("/dumps/") + candidate},
            .mapping = std::move(mapping)};
  }

  QTemporaryDir m_folder;
  SettingsStore m_settings{m_folder.filePath(QStringLiteral("settings.ini"))};
};

TEST_F(RecentComparisonsTest, APairIsThereOnceWhateverItsMapping) {
  rememberComparison(m_settings, pair("one"));
  for (const char* mapping : {"", "pairs: {a: b}\n", "pairs: {a: c}\n"}) {
    rememberComparison(m_settings, pair("two", mapping));
  }
  const auto recent = recentComparisons(m_settings);
  ASSERT_EQ(recent.size(), 2U);
  EXPECT_EQ(recent[0], pair("two", "pairs: {a: c}\n"));
  EXPECT_EQ(recent[1], pair("one"));
}

TEST_F(RecentComparisonsTest, OtherUnitsOfTheSameDumpsAreAnotherPair) {
  report::DumpOrigin step = pair("one");
  step.candidate.units.step = 1;
  rememberComparison(m_settings, pair("one"));
  rememberComparison(m_settings, step);
  EXPECT_EQ(recentComparisons(m_settings).size(), 2U);
}

TEST_F(RecentComparisonsTest, PathsAreKeptAsTheyMeanTheSameInAnotherFolder) {
  rememberComparison(m_settings, {.baseline = {.path = "golden"}, .candidate = {.path = "../run"}});
  const auto recent = recentComparisons(m_settings);
  ASSERT_EQ(recent.size(), 1U);
  const std::filesystem::path here = std::filesystem::current_path();
  EXPECT_EQ(recent[0].baseline.path, here / "golden");
  EXPECT_EQ(recent[0].candidate.path, (here / "../run").lexically_normal());
}

TEST_F(RecentComparisonsTest, AHugeMappingIsNotKeptAndNeitherIsThePairWithoutIt) {
  rememberComparison(m_settings, pair("one", std::string(std::size_t{1} << 20, '#')));
  EXPECT_TRUE(recentComparisons(m_settings).empty());
}

}  // namespace
}  // namespace ulp::views
