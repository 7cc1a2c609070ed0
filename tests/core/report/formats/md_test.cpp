#include "tests/core/report/formats/plugin_test_support.h"

namespace ulp::report {
namespace {

using testing::HasSubstr;

TEST(MdExporter, WritesTables) {
  const std::string text =
      test::exported("md", test::sampleReport(2, {"bf16"}), {{}, {"rms_diff"}, {}});
  EXPECT_THAT(text, testing::StartsWith("# Precision report of SmolLM2-135M\n"));
  EXPECT_THAT(text, HasSubstr("| variant | forward embeddings | forward mid median |"));
  EXPECT_THAT(text, HasSubstr("\n|---|---|---|---|---:|---|\n"));
  EXPECT_THAT(text, HasSubstr("| decoder.1 | forward | 1×8×4 | float32→bfloat16 | 0.0060 |  |"));
}

TEST(MdExporter, EscapesMarkup) {
  const std::string text = test::exported("md", test::sampleReport(1, {"a|b_c*<i>"}));
  EXPECT_THAT(text, HasSubstr("| a\\|b\\_c\\*\\<i\\> |"));
}

}  // namespace
}  // namespace ulp::report
