#include "core/compat/msprobe/results/process_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/files/atomic_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::compat::msprobe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ProcessPairsTest : public testing::Test {
 protected:
  void add(const std::string& folder) {
    std::filesystem::create_directories(m_folder / folder);
    ASSERT_TRUE(writeFileAtomically(m_folder / folder / "dump.json", "{}"));
  }
  [[nodiscard]] std::vector<std::string> paired() const {
    std::vector<std::string> names;
    const auto pairs = pairProcesses(m_folder / "target", m_folder / "golden");
    if (!pairs) {
      return {pairs.error().message()};
    }
    for (const ProcessPair& pair : pairs->pairs) {
      names.push_back(pair.target.process + " " + pair.golden.process);
    }
    return names;
  }

  test::TempDir m_folder;
};

TEST_F(ProcessPairsTest, ASingleProcessIsPairedWithAnySingleOne) {
  add("target/step0/proc11");
  add("golden/step0/rank3");
  EXPECT_THAT(paired(), ElementsAre("proc11 rank3"));
}

TEST_F(ProcessPairsTest, ASingleProcessIsNotPairedWithOneOfSeveral) {
  add("target/step0/proc11");
  add("golden/step0/rank3");
  add("golden/step0/rank4");
  EXPECT_THAT(paired(), ElementsAre(HasSubstr("no step and rank is in both")));
}

TEST_F(ProcessPairsTest, AsManyRanksArePairedInTheirOrderAndOthersByNumber) {
  for (const char* folder : {"target/step0/rank0", "target/step0/rank1"}) {
    add(folder);
  }
  add("golden/step0/rank1");
  add("golden/step0/rank2");
  EXPECT_THAT(paired(), ElementsAre("rank0 rank1", "rank1 rank2"));
  add("golden/step0/rank3");
  EXPECT_THAT(paired(), ElementsAre("rank1 rank1"));
}

}  // namespace
}  // namespace ulp::compat::msprobe
