#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/comparator.h"
#include "tests/core/compat/msit/msit_fixture.h"

namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const Comparator& msit() {
  static const ComparatorRegistry kRegistry = builtinComparators();
  return *kRegistry.find("msit");
}

/// Paths of other machines agree from the folder of the process on.
std::string tailOf(const std::string& path) {
  for (const std::string_view mark : {"/torch_tensors/", "/tensors/"}) {
    if (const std::size_t place = path.find(mark); place != std::string::npos) {
      return path.substr(place);
    }
  }
  return path;
}

bool isEqualCell(const std::string& column, const std::string& ours, const std::string& theirs) {
  if (column.ends_with("_path")) {
    return tailOf(ours) == tailOf(theirs);
  }
  if (ours == theirs || ours.empty() || theirs.empty()) {
    return ours == theirs;
  }
  // PyTorch's exp() and sqrt() differ from the C library's in the last bit.
  const bool isKl = column == "kl_divergence";
  if (!isKl && column != "relative_euclidean_distance") {
    return false;
  }
  const double other = std::stod(theirs);
  return std::abs(std::stod(ours) - other) <= (isKl ? 5e-7 : 2e-7 * std::abs(other));
}

/// Column of a row.
const std::string& cell(const test::Table& table, std::size_t row, const std::string& column) {
  const auto place = std::find(table.front().begin(), table.front().end(), column);
  return table[row][static_cast<std::size_t>(place - table.front().begin())];
}

/// Where each tensor of one operation meets each of another, msit takes them in the order of the
/// file system, and so are they numbered.
bool isEachWithEach(const test::Table& table, std::size_t row) {
  return cell(table, row, "my_data_path").find("QKVLinearSplitPack") != std::string::npos;
}

/// The first cell that differs, in words; empty: none.
std::string firstDifference(const test::Table& ours, const test::Table& theirs) {
  if (ours.empty() || theirs.empty() || ours.front() != theirs.front()) {
    return "the columns differ";
  }
  const std::vector<std::string>& columns = theirs.front();
  for (std::size_t row = 1; row < std::min(ours.size(), theirs.size()); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool isFree = columns[i] == "data_id" && isEachWithEach(theirs, row);
      if (!isFree && !isEqualCell(columns[i], ours[row][i], theirs[row][i])) {
        return "row " + std::to_string(row) + ", " + columns[i] + ": " + ours[row][i] +
               " instead of " + theirs[row][i];
      }
    }
  }
  return ours.size() == theirs.size()
             ? ""
             : std::to_string(ours.size()) + " rows instead of " + std::to_string(theirs.size());
}

/// msit's order of the tokens is that of a set, and that of files the file system's; ours is by
/// number and by name.
void sortAsOurs(test::Table& table) {
  const test::Table original = table;
  std::vector<std::size_t> order;
  for (std::size_t row = 1; row < table.size(); ++row) {
    order.push_back(row);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
    return std::stoi(original[one].front()) < std::stoi(original[other].front());
  });
  const auto isOneGroup = [&](std::size_t one, std::size_t other) {
    return isEachWithEach(original, one) && original[one].front() == original[other].front() &&
           cell(original, one, "golden_data_path") == cell(original, other, "golden_data_path") &&
           fs::path(cell(original, one, "my_data_path")).parent_path() ==
               fs::path(cell(original, other, "my_data_path")).parent_path();
  };
  for (auto first = order.begin(); first != order.end();) {
    const auto end = std::find_if(first, order.end(), [&](std::size_t row) {
      return row != *first && !isOneGroup(*first, row);
    });
    std::sort(first, end, [&](std::size_t one, std::size_t other) {
      return cell(original, one, "my_data_path") < cell(original, other, "my_data_path");
    });
    first = end;
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    table[i + 1] = original[order[i]];
  }
}

class MsitCompareTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto root = test::msitFixtures();
    if (!root) {
      GTEST_SKIP() << "ULP_FIXTURES is not set";
    }
    m_root = *root;
  }

  /// A case of the archives, unpacked.
  fs::path unpacked(const std::string& name) const {
    const fs::path archive = m_root / "more" / (name + ".tar.xz");
    const std::string command =
        "tar -xf '" + archive.string() + "' -C '" + m_dir.path().string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
    return m_dir / name;
  }

  test::Table compared(const fs::path& folder, const std::string& level) const {
    const auto outcome = msit().compare({.target = folder / "my",
                                         .golden = folder / "golden",
                                         .output = m_dir / "out",
                                         .level = level,
                                         .timestamp = "20260101000000"},
                                        {},
                                        {});
    EXPECT_TRUE(outcome) << outcome.error().message();
    if (!outcome) {
      return {};
    }
    EXPECT_THAT(outcome->notes, testing::IsEmpty());
    EXPECT_EQ(outcome->files.front(), m_dir / "out/msit_cmp_report_20260101000000.csv");
    return test::readCsv(outcome->files.front());
  }

  void expectEqual(const fs::path& folder, const std::string& expected, const std::string& level) {
    const test::Table ours = compared(folder, level);
    test::Table theirs = test::readCsv(test::onlyFile(folder / expected, ".csv"));
    sortAsOurs(theirs);
    EXPECT_EQ(firstDifference(ours, theirs), "") << level;
  }

  fs::path m_root;
  test::TempDir m_dir;
};

TEST_F(MsitCompareTest, LogitsAreComparedAsTheOriginalDoes) {
  expectEqual(m_root / "msit_logits", "expected", "logits");
}

TEST_F(MsitCompareTest, AWholeModelIsComparedAsTheOriginalDoesAtEveryLevel) {
  const fs::path folder = unpacked("msit_full");
  expectEqual(folder, "expected_layer", "layer");
  expectEqual(folder, "expected_module", "module");
  expectEqual(folder, "expected_api", "api");
  expectEqual(folder, "expected_logits", "logits");
}

TEST_F(MsitCompareTest, OptionsThatTheOriginalDoesNotHaveAreRefused) {
  const fs::path folder = m_root / "msit_logits";
  const auto outcome = msit().compare({.target = folder / "my",
                                       .golden = folder / "golden",
                                       .output = m_dir.path(),
                                       .level = "operator"},
                                      {},
                                      {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(outcome.error().message(), HasSubstr("layer, module, api and logits"));
}

TEST_F(MsitCompareTest, AFileThatWasCutOffIsNotedAndItsRowsLeftOut) {
  const fs::path folder = m_dir / "copy";
  fs::copy(m_root / "msit_logits", folder, fs::copy_options::recursive);
  const fs::path file =
      folder / "my/msit_dump_20261121_080000/tensors/0_4242/1/14_LmHead/after/outtensor0.bin";
  fs::permissions(file, fs::perms::owner_all);
  fs::resize_file(file, fs::file_size(file) - 1);
  const auto outcome = msit().compare({.target = folder / "my",
                                       .golden = folder / "golden",
                                       .output = m_dir / "out",
                                       .level = "logits"},
                                      {},
                                      {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes, testing::ElementsAre(HasSubstr("14_LmHead/after/outtensor0.bin")));
  EXPECT_EQ(test::readCsv(outcome->files.front()).size(), 6U);
}

TEST_F(MsitCompareTest, DifferentTokensAreComparedOnlyWhereBothAreNamed) {
  const fs::path golden =
      m_root / "msit_logits/golden/msit_dump_20261121_073010/torch_tensors/cpu_22230";
  const fs::path my = m_root / "msit_logits/my/msit_dump_20261121_080000/tensors/0_4242";
  const auto named = msit().compare(
      {.target = my / "1", .golden = golden / "0", .output = m_dir / "out", .level = "logits"},
      {},
      {});
  ASSERT_TRUE(named) << named.error().message();
  const test::Table table = test::readCsv(named->files.front());
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[1].front(), "1");
  const auto other = msit().compare(
      {.target = my, .golden = m_dir.path(), .output = m_dir / "out", .level = "logits"}, {}, {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(other.error().message(), HasSubstr("neither a dump of ATB nor one of PyTorch"));
}

TEST_F(MsitCompareTest, WithoutALevelAWorkbookOfAllIsWritten) {
  const auto outcome = msit().compare({.target = m_root / "msit_logits/my",
                                       .golden = m_root / "msit_logits/golden",
                                       .output = m_dir / "out",
                                       .timestamp = "20260101000000"},
                                      {},
                                      {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->files.front(), m_dir / "out/msit_cmp_report_20260101000000.xlsx");
  std::ifstream book(outcome->files.front(), std::ios::binary);
  std::string start(2, ' ');
  book.read(start.data(), 2);
  EXPECT_EQ(start, "PK");
}

}  // namespace
}  // namespace ulp::compat
