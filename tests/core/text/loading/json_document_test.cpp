#include <limits>

#include <gtest/gtest.h>

#include "core/json/dump.h"
#include "core/text/loading/tokenizer_json.h"

namespace ulp::text {
namespace {

// Expected: tokenizers.Tokenizer.from_str() of a Unigram model with that score, saved again.
TEST(SerdeNumber, IsRoundedTwice) {
  EXPECT_EQ(serdeNumber("-0.43561181362301915"), -0.4356118136230191);
  EXPECT_EQ(serdeNumber("-12.563669634938593"), -12.563669634938591);
  EXPECT_EQ(serdeNumber("-1.8133493970870962"), -1.813349397087096);
  EXPECT_EQ(serdeNumber("1.5"), 1.5);
  EXPECT_EQ(serdeNumber("-0.25e2"), -25.0);
  EXPECT_EQ(serdeNumber("1E-3"), 0.001);
  EXPECT_EQ(serdeNumber("0.0e99999999999"), 0.0);
  EXPECT_DOUBLE_EQ(serdeNumber("184467440737095516150000000000"), 184467440737095516150000000000.0);
  EXPECT_DOUBLE_EQ(serdeNumber("18446744073709551615.99e1"), 184467440737095516150.0)
      << "digits beyond 64 bits are left out";
  EXPECT_EQ(serdeNumber("1e308"), 1e308);
  EXPECT_EQ(serdeNumber("1e309"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(serdeNumber("1e-308"), 1e-308);
  EXPECT_EQ(serdeNumber("1e-310"), 1e-310);
  EXPECT_EQ(serdeNumber("1e400"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(serdeNumber("1e-400"), 0.0);
}

TEST(SerdeDocument, HoldsWhatTheTextSays) {
  const auto document = parseAsSerde(R"({"a": [1, -2.5, "x"], "b": null})", "file");
  ASSERT_TRUE(document);
  EXPECT_EQ(json::dump(*document), R"({"a":[1,-2.5,"x"],"b":null})");
  const auto broken = parseAsSerde(R"({"a": )", "file");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code(), ErrorCode::CorruptData);
  EXPECT_EQ(broken.error().message().substr(0, 6), "file: ");
}

}  // namespace
}  // namespace ulp::text
