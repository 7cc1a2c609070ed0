#include <algorithm>
#include <chrono>
#include <ostream>
#include <set>
#include <stop_token>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::compat {

/// Found by GoogleTest, which otherwise prints the bytes of the structure.
// NOLINTNEXTLINE(readability-identifier-naming): the name that it looks for
static void PrintTo(const Comparator& comparator, std::ostream* out) {
  *out << comparator.id;
}

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

void ask(CompareRequest& request, CompareOption option) {
  switch (option) {
    case CompareOption::Spreadsheet:
      request.isSpreadsheet = true;
      return;
    case CompareOption::Fuzzy:
      request.isFuzzy = true;
      return;
    case CompareOption::Highlight:
      request.isHighlighted = true;
      return;
    case CompareOption::DataMapping:
      request.dataMapping = "mapping.yaml";
      return;
    case CompareOption::CellMapping:
      request.cellMapping = "mapping.yaml";
      return;
    case CompareOption::Level:
      request.level = "module";
      return;
  }
}

/// What every comparator of the build must do; a new plug-in is checked without an edit here.
class ComparatorContract : public testing::TestWithParam<Comparator> {
 protected:
  /// Of two dumps that do not exist.
  [[nodiscard]] CompareRequest request() const {
    return {.target = m_dir / "my", .golden = m_dir / "golden", .output = m_dir / "out"};
  }

  test::TempDir m_dir;
};

/// Of comparisons within one second, or after the clock was set back.
TEST(ComparatorTimestamp, IsNoneThatResultsBearAlready) {
  const test::TempDir dir;
  const CompareRequest request{.target = {}, .golden = {}, .output = dir.path()};
  std::set<std::string> seen;
  for (const char* folder : {"", "step0/", "step0/rank1/", ""}) {
    const std::string timestamp = timestampOf(request, std::chrono::hours(0));
    EXPECT_EQ(timestamp.size(), std::string("20261121072259").size());
    EXPECT_TRUE(seen.insert(timestamp).second) << timestamp;
    dir.write(folder + ("report_" + timestamp + ".csv"), "");
  }
  CompareRequest given = request;
  given.timestamp = *seen.begin();
  EXPECT_EQ(timestampOf(given, {}), given.timestamp) << "whoever names it means it";
}

TEST_P(ComparatorContract, HasIdAndTitle) {
  EXPECT_FALSE(GetParam().id.empty());
  EXPECT_FALSE(GetParam().title.empty());
  EXPECT_EQ(builtinComparators().find(GetParam().id)->title, GetParam().title);
}

TEST_P(ComparatorContract, AnOptionThatItDoesNotTakeIsRefusedByName) {
  for (const CompareOption option : kCompareOptions) {
    CompareRequest asked = request();
    ask(asked, option);
    const auto outcome = GetParam().compare(asked, {}, {});
    ASSERT_FALSE(outcome) << toString(option);
    const std::string sentence = "has no option for " + std::string(toString(option));
    if (GetParam().find(option) == nullptr) {
      EXPECT_EQ(outcome.error().code(), ErrorCode::InvalidArgument) << toString(option);
      EXPECT_THAT(outcome.error().message(), HasSubstr(sentence));
    } else {
      EXPECT_THAT(outcome.error().message(), Not(HasSubstr("has no option for")));
    }
  }
}

TEST_P(ComparatorContract, SidesThatAreMissingAreNamed) {
  const auto outcome = GetParam().compare(request(), {}, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(outcome.error().message(), HasSubstr(m_dir.path().string()));
  EXPECT_FALSE(fs::exists(m_dir / "out"));
}

TEST_P(ComparatorContract, ATextThatIsNoDumpIsRefused) {
  m_dir.write("golden/notes.txt", "years of work");
  m_dir.write("my/notes.txt", "years of work");
  const auto outcome = GetParam().compare(request(), {}, {});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message(), HasSubstr(m_dir.path().string()));
  EXPECT_FALSE(fs::exists(m_dir / "out"));
}

TEST_P(ComparatorContract, AFileInThePlaceOfTheFolderIsKept) {
  m_dir.write("out", "years of work");
  const auto outcome = GetParam().compare(request(), {}, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::Io);
  EXPECT_THAT(outcome.error().message(), HasSubstr((m_dir / "out").string()));
  EXPECT_TRUE(fs::is_regular_file(m_dir / "out"));
}

TEST_P(ComparatorContract, AStopEndsIt) {
  std::stop_source source;
  source.request_stop();
  const auto outcome = GetParam().compare(request(), source.get_token(), {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::Cancelled);
  EXPECT_FALSE(fs::exists(m_dir / "out"));
}

INSTANTIATE_TEST_SUITE_P(All,
                         ComparatorContract,
                         testing::ValuesIn(builtinComparators().all()),
                         [](const auto& test) {
                           std::string name = test.param.id;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Comparators, AreThoseOfTheManual) {
  for (const char* id :
       {"msit", "msit-logitscmp", "msit-weights", "msprobe-26", "msprobe-26-da", "msprobe-8"}) {
    EXPECT_NE(builtinComparators().find(id), nullptr) << id;
  }
  EXPECT_EQ(builtinComparators().find("none"), nullptr);
}

}  // namespace
}  // namespace ulp::compat
