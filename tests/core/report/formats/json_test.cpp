#include "tests/core/report/formats/plugin_test_support.h"

namespace ulp::report {
namespace {

TEST(JsonExporter, WritesTheReportAsItIsOnDisk) {
  const Report report = test::sampleReport(2, {"a"});
  EXPECT_EQ(test::exported("json", report), toJson(report));
}

TEST(JsonExporter, WritesAReportOfTheSelection) {
  const Report report = test::sampleReport(2, {"a", "b"});
  const auto part = parseReport(
      test::exported("json", report, {{Pass::Backward}, {"ulp.max", "cosine"}, {"b"}}), "part");
  ASSERT_TRUE(part.has_value()) << part.error().message();
  ASSERT_EQ(part->runs.size(), 2U);
  EXPECT_EQ(part->runs[0].name, "reference");
  EXPECT_EQ(part->runs[1].name, "b");
  EXPECT_EQ(part->runs[1].comparisons.size(), 4U);
  EXPECT_EQ(part->runs[1].comparisons[0].site.pass, Pass::Backward);
  ASSERT_EQ(part->metrics.size(), 2U);
  EXPECT_EQ(part->metrics[0].id, "ulp.max");
}

}  // namespace
}  // namespace ulp::report
