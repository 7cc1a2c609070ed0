#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/cli_process.h"
#include "tests/support/data/special_numbers.h"

namespace ulp::cli {
namespace {

using test::kFloatInfinity;
using test::kFloatNan;
using test::runCli;
using testing::HasSubstr;

/// Two files of elements without a header, which `compare` takes for one tensor.
class ComparedElements {
 public:
  explicit ComparedElements(std::string type) : m_type(std::move(type)) {}
  [[nodiscard]] const test::TempDir& dir() const { return m_dir; }
  template <class Element>
  [[nodiscard]] test::CliOutcome compare(const std::vector<Element>& left,
                                         const std::vector<Element>& right,
                                         std::vector<std::string> options = {}) const {
    std::vector<std::string> arguments{"compare", fileOf("a.bin", left), fileOf("b.bin", right)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return runCli(arguments);
  }

 private:
  template <class Element>
  [[nodiscard]] std::string fileOf(const std::string& name,
                                   const std::vector<Element>& values) const {
    const std::string bytes(reinterpret_cast<const char*>(values.data()),
                            values.size() * sizeof(Element));
    return m_dir.write(name, bytes).string() + ":" + m_type + "[" + std::to_string(values.size()) +
           "]";
  }

  test::TempDir m_dir;
  std::string m_type;
};

TEST(CompareElements, NonFiniteElementsThatDifferAreNamedAndBreakARule) {
  const ComparedElements files("float32");
  const auto rules = files.dir().write(
      "rules.yaml", "rules:\n  - {metric: non_finite, comparison: '<=', value: 0}\n");
  const auto lost =
      files.compare<float>({kFloatNan, 2, 3}, {1, kFloatNan, 3}, {"--rules", rules.string()});
  EXPECT_EQ(lost.exitCode, 1) << lost.err;
  EXPECT_THAT(lost.out, HasSubstr("holds NaN or infinity where the baseline has numbers"));
  const auto turned = files.compare<float>(
      {kFloatInfinity, 2, 3}, {-kFloatInfinity, 2, 3}, {"--rules", rules.string()});
  EXPECT_EQ(turned.exitCode, 1) << turned.err;
  EXPECT_THAT(turned.out, HasSubstr("holds another NaN or infinity than the baseline"));
  const auto regained = files.compare<float>({kFloatNan, 2, 3}, {7, 2, 3});
  EXPECT_THAT(regained.out, HasSubstr("holds numbers where the baseline has NaN or infinity"));
  const auto same = files.compare<float>({kFloatNan, 2, 3}, {kFloatNan, 2, 3});
  EXPECT_THAT(same.out, HasSubstr("1 of 1 pairs equal"));
}

TEST(CompareElements, TheTableHasWhatIsNotEqualAndNothingElse) {
  const ComparedElements files("float64");
  const auto rowsOf = [&](const std::vector<double>& left, const std::vector<double>& right) {
    const std::string csv = files.compare<double>(left, right, {"--format", "csv"}).out;
    return csv.substr(csv.find('\n') + 1);
  };
  EXPECT_EQ(rowsOf({0, 0}, {0, 0.5}), "a,forward,,,,0.5,,50,0\n");
  EXPECT_THAT(rowsOf({test::kNan, 2}, {7, 2}), HasSubstr(",50,0\n"));
  EXPECT_THAT(rowsOf({3e200, 4e200}, {3e200, 5e200}), HasSubstr(",forward,,20.0"));
  EXPECT_EQ(rowsOf({test::kNan, 2}, {test::kNan, 2}), "");
}

TEST(CompareElements, IdenticalIsSaidOfNumbers) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 53;
  const ComparedElements integers("int64");
  EXPECT_THAT(integers.compare<std::int64_t>({kLarge + 1, 5}, {kLarge, 5}).out,
              HasSubstr("0 of 1 pairs equal"));
  const ComparedElements zeros("float32");
  EXPECT_THAT(zeros.compare<float>({0, 1}, {-0.0F, 1}).out,
              HasSubstr("  identical: every number is the same\n"));
}

}  // namespace
}  // namespace ulp::cli
