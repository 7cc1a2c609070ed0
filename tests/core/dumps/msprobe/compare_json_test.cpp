#include "core/dumps/msprobe/compare_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps::msprobe {
namespace {

using testing::HasSubstr;

TEST(CompareJsonTest, PathsAreFoundBesideTheFile) {
  const test::TempDir dir;
  dir.write("npu/dump.json", "{}");
  dir.write("golden side/dump.json", "{}");
  const auto path = dir.write("compare.json",
                              R"({"npu_path": "npu/dump.json", "bench_path": "./golden side",
                                  "stack_path": "npu/stack.json", "is_print_compare_log": true})");
  EXPECT_TRUE(isCompareJson(path));
  const auto read = readCompareJson(path);
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_EQ(read->target, dir / "npu/dump.json");
  EXPECT_TRUE(std::filesystem::equivalent(read->golden, dir / "golden side"));
}

TEST(CompareJsonTest, WhatIsMissingIsNamed) {
  const test::TempDir dir;
  dir.write("npu/dump.json", "{}");
  const auto path = dir.write("compare.json", R"({"npu_path": "npu", "bench_path": "gone"})");
  EXPECT_TRUE(isCompareJson(path));
  const auto gone = readCompareJson(path);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code(), ErrorCode::NotFound);
  EXPECT_THAT(gone.error().message(), AllOf(HasSubstr("bench_path"), HasSubstr("gone")));

  for (const char* text : {R"({"npu_path": "npu"})",
                           R"({"npu_path": "npu", "bench_path": 5})",
                           R"({"npu_path": "npu", "bench_path": {"0": "x"}})"}) {
    const auto other = dir.write("other.json", text);
    EXPECT_FALSE(isCompareJson(other)) << text;
    const auto wrong = readCompareJson(other);
    ASSERT_FALSE(wrong) << text;
    EXPECT_THAT(wrong.error().message(), HasSubstr("bench_path"));
  }
}

TEST(CompareJsonTest, OtherFilesAreNone) {
  const test::TempDir dir;
  EXPECT_FALSE(isCompareJson(dir / "none.json"));
  EXPECT_FALSE(isCompareJson(dir.path()));
  EXPECT_FALSE(isCompareJson(dir.write("a.json", "[1, 2]")));
  EXPECT_FALSE(isCompareJson(dir.write("b.json", "")));
  EXPECT_FALSE(isCompareJson(dir.write("c.json", R"({"npu_path": "x", "bench_)")));
  EXPECT_FALSE(isCompareJson(dir.write("dump.json", std::string(100'000, ' ') + "{}")));
  EXPECT_FALSE(readCompareJson(dir.write("d.json", R"({"npu_path": "x", "bench_)")));
}

TEST(CompareJsonTest, HasUpTo64KiB) {
  const test::TempDir dir;
  std::string text = R"({"npu_path": "npu", "bench_path": "bench"})";
  text.resize(std::size_t{64} << 10U, ' ');
  EXPECT_TRUE(isCompareJson(dir.write("compare.json", text)));
  EXPECT_FALSE(isCompareJson(dir.write("compare.json", text + " ")));
}

}  // namespace
}  // namespace ulp::dumps::msprobe
