#include "core/dumps/serving/dump_shelf.h"

#include <gtest/gtest.h>

#include "tests/support/data/dump_files.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps {
namespace {

/// A dump of one tensor, as somebody elsewhere looks at it.
class DumpShelfTest : public testing::Test {
 protected:
  void record(const std::vector<float>& values) {
    test::writeNpy(m_folder / "new.npy", {2}, values);
    std::filesystem::create_directories(m_folder / "dump");
    std::filesystem::rename(m_folder / "new.npy", m_folder / "dump/a.npy");
  }
  json::Object question(const char* ask, const std::string& state = {}) {
    return {{"ask", ask},
            {"path", (m_folder / "dump").string()},
            {"unit", 0},
            {"row", 0},
            {"state", state}};
  }
  void open() { ASSERT_TRUE(m_shelf.answer(question("dump"))); }
  std::string state() {
    const auto answer = m_shelf.answer(question("tensor"));
    EXPECT_TRUE(answer) << answer.error().message();
    return answer ? answer->head.at("state").text() : std::string();
  }
  /// The first element of the tensor in that state; nothing: it is refused.
  std::optional<double> first(const std::string& state) {
    const auto tensor = m_shelf.tensor(question("pieces", state));
    EXPECT_TRUE(tensor || tensor.error().code() == ErrorCode::InvalidArgument);
    return tensor ? std::optional(numerics::elementAt(tensor->view, 0)) : std::nullopt;
  }

  test::TempDir m_folder;
  DumpShelf m_shelf;
};

TEST_F(DumpShelfTest, GivesNobodyElementsOfAnotherState) {
  record({1, 2});
  open();
  const std::string before = state();
  EXPECT_EQ(first(before), 1);
  record({3, 4});
  open();
  const std::string after = state();
  EXPECT_NE(after, before);
  EXPECT_EQ(first(after), 3);
  EXPECT_EQ(first(before), std::nullopt);
}

TEST_F(DumpShelfTest, TellsTheStateOfWhatItHas) {
  record({1, 2});
  open();
  const std::string before = state();
  record({3, 4});
  EXPECT_EQ(state(), before);
  EXPECT_EQ(first(before), 1);
}

TEST_F(DumpShelfTest, SaysWhatIsNotThere) {
  record({1, 2});
  json::Object other = question("tensor");
  other["row"] = 1;
  EXPECT_FALSE(m_shelf.tensor(other));
  other["unit"] = -1;
  EXPECT_FALSE(m_shelf.tensor(other));
  std::filesystem::remove_all(m_folder / "dump");
  EXPECT_FALSE(m_shelf.answer(question("dump")));
}

}  // namespace
}  // namespace ulp::dumps
