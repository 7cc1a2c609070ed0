#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/compat/msprobe/results/overflow.h"
#include "tests/core/compat/expected_table.h"
#include "tests/core/compat/literal_dump.h"

namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using test::cutOff;
using test::dumpOf;
using test::kPlain;
using test::withMax;
using testing::AllOf;
using testing::HasSubstr;

TEST(Msprobe26OverflowTest, TheFirstOneIsTheOriginalsByteForByte) {
  const ulp::test::TempDir out;
  const auto outcome =
      msprobe::findOverflow(test::msprobeCase("v26_stat_nan") / "target", out.path(), "1", {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->files, std::vector{out / "anomaly_analyze_1.json"});
  EXPECT_EQ(test::contentOf(outcome->files[0]),
            test::contentOf(test::onlyFile(
                test::msprobeCase("v26_overflow") / "expected", "anomaly", ".json")));
  const auto none =
      msprobe::findOverflow(test::msprobeCase("v26_stat_w") / "target", out.path(), "2", {});
  ASSERT_TRUE(none);
  EXPECT_THAT(none->files, testing::IsEmpty());
}

TEST(Msprobe26OverflowTest, ADumpThatWasCutShortIsNoted) {
  const ulp::test::TempDir dir;
  const fs::path cut = dir.write("cut/dump.json", cutOff(kPlain));
  const auto outcome = msprobe::findOverflow(cut, dir / "out", "1", {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->files, testing::IsEmpty());
  EXPECT_THAT(outcome->notes,
              testing::ElementsAre(AllOf(HasSubstr(cut.string()),
                                         HasSubstr("only the 1 calls before it were searched")),
                                   HasSubstr("no call makes NaN")));
  const fs::path none = dir.write("none/dump.json", R"({"task": "statistics", "data": {"Torch.a)");
  const auto refused = msprobe::findOverflow(none, dir / "out", "1", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::CorruptData);
}

TEST(Msprobe26OverflowTest, TheFileIsIndentedAsPythonDoes) {
  const ulp::test::TempDir dir;
  const fs::path dump = dir.write("dump.json", dumpOf("statistics", withMax("NaN")));
  const auto outcome = msprobe::findOverflow(dump, dir / "out", "1", {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->files, std::vector{dir / "out/anomaly_analyze_1.json"});
  EXPECT_EQ(test::contentOf(outcome->files[0]), R"({
  "rank_0": [
    {
      "op_name": "Torch.a.0.forward",
      "data_info": {
        "input_args": [],
        "input_kwargs": {},
        "output": [
          {
            "type": "torch.Tensor",
            "dtype": "torch.float32",
            "shape": [
              2
            ],
            "Max": NaN,
            "Min": 0.5
          }
        ]
      },
      "construct_info": [
        "Torch.a.0.forward"
      ],
      "stack_info": {}
    }
  ]
})");
}

TEST(Msprobe26OverflowTest, WhatHoldsWhateverWasInMemoryAndNestedResultsAreNotLookedAt) {
  const ulp::test::TempDir dir;
  const std::string bad = withMax("NaN");
  const fs::path dump = dir.write(
      "dump.json",
      R"({"task": "statistics", "level": "L1", "data": {"Torch.empty.0.forward": {"output": [)" +
          bad + R"(]}, "Module.m.M.forward.0": {"output": [{"logits": )" + bad +
          R"(}]}, "Torch.a.0.backward": {"output": [)" + bad + "]}}}");
  const auto outcome = msprobe::findOverflow(dump, dir / "out", "1", {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->files.size(), 1U);
  EXPECT_THAT(test::contentOf(outcome->files[0]),
              AllOf(HasSubstr(R"("op_name": "Torch.a.0.backward")"),
                    HasSubstr(R"("input": [],)"),
                    Not(HasSubstr("input_args"))));
}

TEST(Msprobe26OverflowTest, ARankThatCannotBeReadIsNamedAndTheOthersAreSearched) {
  const ulp::test::TempDir dir;
  dir.write("dump/rank0/dump.json", R"({"task": "stat)");
  dir.write("dump/rank1/dump.json", dumpOf("statistics", withMax("NaN")));
  const auto outcome = msprobe::findOverflow(dir / "dump", dir / "out", "1", {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  ASSERT_EQ(outcome->failures.size(), 1U);
  EXPECT_THAT(outcome->failures[0].message(), HasSubstr((dir / "dump/rank0/dump.json").string()));
  ASSERT_EQ(outcome->files, std::vector{dir / "out/anomaly_analyze_1.json"});
  EXPECT_THAT(test::contentOf(outcome->files[0]), HasSubstr(R"("rank_1": [)"));
  const auto none = msprobe::findOverflow(dir / "dump/rank0", dir / "out", "2", {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), ErrorCode::CorruptData);
}

TEST(Msprobe26OverflowTest, ProcessesWithoutARankAreToldApartAndStepsAreNotMixed) {
  const ulp::test::TempDir dir;
  for (const std::string process : {"step0/proc11", "step0/proc12", "step1/proc11"}) {
    dir.write("dump/" + process + "/dump.json", dumpOf("statistics", withMax("NaN")));
  }
  const auto outcome = msprobe::findOverflow(dir / "dump/step0", dir / "out", "1", {});
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_THAT(outcome->notes, testing::IsEmpty());
  ASSERT_EQ(outcome->files, std::vector{dir / "out/anomaly_analyze_1.json"});
  EXPECT_THAT(test::contentOf(outcome->files[0]),
              AllOf(HasSubstr(R"("proc11": [)"), HasSubstr(R"("proc12": [)")));
  const auto several = msprobe::findOverflow(dir / "dump", dir / "out", "2", {});
  ASSERT_FALSE(several);
  EXPECT_EQ(several.error().code(), ErrorCode::InvalidArgument);
  EXPECT_THAT(several.error().message(), HasSubstr("several steps"));
}

}  // namespace
}  // namespace ulp::compat
