#include "core/json/reader.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::json {
namespace {

std::string skipError(std::string_view text) {
  Reader reader(text, "r.json");
  reader.skipValue();
  const auto finished = reader.finish();
  if (finished) {
    return "valid";
  }
  EXPECT_EQ(finished.error().code(), ErrorCode::CorruptData);
  return finished.error().message();
}

TEST(JsonReader, ReadsFieldsAndItems) {
  Reader reader(R"( {"a": 1.5, "b": [1, -2 , 3], "c": {"d": "x"}} )", "r.json");
  double a = 0;
  std::vector<std::int64_t> b;
  std::string d;
  reader.readObject([&](std::string_view key) {
    if (key == "a") {
      a = reader.readNumber();
    } else if (key == "b") {
      reader.readArray([&] { b.push_back(reader.readInteger()); });
    } else {
      reader.readObject([&](std::string_view) { d = reader.readString(); });
    }
  });
  EXPECT_TRUE(reader.finish().has_value());
  EXPECT_EQ(a, 1.5);
  EXPECT_THAT(b, testing::ElementsAre(1, -2, 3));
  EXPECT_EQ(d, "x");
}

TEST(JsonReader, DecodesEscapes) {
  Reader reader(R"("a\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00z")", "r.json");
  EXPECT_EQ(reader.readString(), "a\"\\/\b\f\n\r\té€😀z");
  EXPECT_TRUE(reader.finish().has_value());
}

TEST(JsonReader, DecodesEscapedKeys) {
  Reader reader(R"({"a\u0062":1,"c":2})", "r.json");
  std::vector<std::string> keys;
  reader.readObject([&](std::string_view key) {
    keys.emplace_back(key);
    reader.skipValue();
  });
  EXPECT_THAT(keys, testing::ElementsAre("ab", "c"));
}

TEST(JsonReader, ReadsNonFiniteNumbersAsWords) {
  Reader reader(R"(["NaN", "Infinity", "-Infinity", null, 1e300, -0.0])", "r.json");
  std::vector<double> numbers;
  reader.readArray([&] { numbers.push_back(reader.readNumber()); });
  ASSERT_TRUE(reader.finish().has_value());
  EXPECT_TRUE(std::isnan(numbers[0]));
  EXPECT_EQ(numbers[1], INFINITY);
  EXPECT_EQ(numbers[2], -INFINITY);
  EXPECT_TRUE(std::isnan(numbers[3]));
  EXPECT_EQ(numbers[4], 1e300);
  EXPECT_TRUE(std::signbit(numbers[5]));
}

TEST(JsonReader, SkipGivesTheTextOfTheValue) {
  Reader reader(R"({"a": {"x": [1, "]}"]} , "b": true})", "r.json");
  std::string a;
  reader.readObject([&](std::string_view key) {
    const std::string_view raw = reader.skipValue();
    if (key == "a") {
      a = raw;
    }
  });
  EXPECT_EQ(a, R"({"x": [1, "]}"]})");
}

TEST(JsonReader, GivesNumbersAsTheyAreSpelled) {
  Reader reader("[1e05, -0, 123456789012345678901, NaN, -Infinity, Inf, 0.10]",
                "r.json",
                {.hasNonFinite = true});
  std::vector<std::string> numbers;
  reader.readArray([&] { numbers.emplace_back(reader.readNumberText()); });
  ASSERT_TRUE(reader.finish().has_value());
  EXPECT_THAT(numbers,
              testing::ElementsAre(
                  "1e05", "-0", "123456789012345678901", "NaN", "-Infinity", "Inf", "0.10"));
}

TEST(JsonReader, TellsWhatIsWrongWithANumber) {
  const auto problemOf = [](std::string_view text) {
    Reader reader(text, "r.json");
    static_cast<void>(reader.readNumberText());
    return reader.syntaxProblem();
  };
  EXPECT_EQ(problemOf("12.5e-3"), std::nullopt);
  EXPECT_EQ(problemOf("-"), SyntaxProblem::NoValue);
  EXPECT_EQ(problemOf("NaN"), SyntaxProblem::NoValue);
  EXPECT_EQ(problemOf("1."), SyntaxProblem::NoFraction);
  EXPECT_EQ(problemOf("1e+"), SyntaxProblem::NoExponent);
  EXPECT_EQ(problemOf("1e309"), SyntaxProblem::NumberTooBig);
  EXPECT_EQ(problemOf("1" + std::string(310, '0')), SyntaxProblem::NumberTooBig);
}

TEST(JsonReader, RefusesHalfASurrogatePairWhereAsked) {
  const auto problemOf = [](std::string_view text, bool needsPairs) {
    Reader reader(text, "r.json", {.needsSurrogatePairs = needsPairs});
    static_cast<void>(reader.readString());
    return reader.syntaxProblem();
  };
  EXPECT_EQ(problemOf(R"("\ud83d\n")", true), SyntaxProblem::NoSurrogatePair);
  EXPECT_EQ(problemOf(R"("\ud83d\u0041")", true), SyntaxProblem::NoSurrogatePair);
  EXPECT_EQ(problemOf(R"("\ud83d\ude00")", true), std::nullopt);
  EXPECT_EQ(problemOf(R"("\ud83d\n")", false), std::nullopt);
}

TEST(JsonReader, NamesPlaceAndPathOfAWrongType) {
  Reader reader("{\"rows\": [{\"count\": 1},\n  {\"count\": \"x\"}]}", "r.json");
  reader.readObject([&](std::string_view) {
    reader.readArray([&] {
      reader.readObject([&](std::string_view) { static_cast<void>(reader.readCount()); });
    });
  });
  const auto finished = reader.finish();
  ASSERT_FALSE(finished.has_value());
  EXPECT_EQ(finished.error().message(),
            "r.json:2:13: rows[1].count: expected a whole number, found text");
}

TEST(JsonReader, RefusesNumbersThatDoNotFit) {
  const auto errorOf = [](std::string_view text, auto read) {
    Reader reader(text, "r.json");
    static_cast<void>(read(reader));
    return reader.finish().error().message();
  };
  EXPECT_EQ(errorOf("1.5", [](Reader& r) { return r.readInteger(); }),
            "r.json:1:1: expected a whole number, found 1.5");
  EXPECT_EQ(errorOf("-1", [](Reader& r) { return r.readCount(); }),
            "r.json:1:1: expected a count, found -1");
  EXPECT_EQ(errorOf("1e999", [](Reader& r) { return r.readNumber(); }),
            "r.json:1:1: '1e999' is not a number of double range");
  EXPECT_EQ(errorOf("1-2", [](Reader& r) { return r.readNumber(); }),
            "r.json:1:1: '1-2' is not a number of double range");
  EXPECT_EQ(errorOf("\"one\"", [](Reader& r) { return r.readNumber(); }),
            "r.json:1:1: expected a number, found \"one\"");
}

TEST(JsonReader, RefusesInfinityAsABareWord) {
  for (const std::string_view text : {"-inf", "-nan", "-infinity", "1inf"}) {
    Reader reader(text, "r.json");
    static_cast<void>(reader.readNumber());
    EXPECT_FALSE(reader.finish().has_value()) << text;
  }
}

TEST(JsonReader, PlacesSyntaxErrors) {
  EXPECT_EQ(skipError("{\"a\": 1,\n \"b\" 2}"), "r.json:2:6: a: not valid JSON: expected ':'");
  EXPECT_EQ(skipError("[1 2]"), "r.json:1:4: [1]: not valid JSON: expected ',' or ']'");
  EXPECT_EQ(skipError("{} x"), "r.json:1:4: not valid JSON: something follows the document");
  EXPECT_EQ(skipError("[tru]"), "r.json:1:2: [0]: not valid JSON: expected a value");
  EXPECT_THAT(skipError("[\"\\x\"]"), testing::HasSubstr("unknown escape"));
  EXPECT_THAT(skipError("[\"\\u12\"]"), testing::HasSubstr("four hexadecimal digits"));
  EXPECT_THAT(skipError("[\"a\nb\"]"), testing::HasSubstr("without a closing"));
  EXPECT_THAT(skipError("{1: 2}"), testing::HasSubstr("expected a field name"));
}

TEST(JsonReader, AnErrorInAKeyDoesNotNameTheOneBeforeWhoseMemoryItTook) {
  const std::string first = "\\u0061" + std::string(40, 'b');
  const std::string longer = "\\u0061" + std::string(400, 'c');
  EXPECT_EQ(skipError("{\"" + first + "\": 1, \"" + longer + "\\q\": 2}"),
            "r.json:1:464: not valid JSON: unknown escape in text");
}

TEST(JsonReader, SaysThatAFileIsTruncated) {
  constexpr std::string_view kText = R"({"a": [1, {"b": "c\n"}, true, null], "d": "e"})";
  for (std::size_t size = 0; size < kText.size(); ++size) {
    EXPECT_NE(skipError(kText.substr(0, size)), "valid") << size;
  }
  EXPECT_THAT(skipError(kText.substr(0, 12)),
              testing::HasSubstr("the file ends here: it is cut off"));
  EXPECT_EQ(skipError(kText), "valid");
}

TEST(JsonReader, RefusesEndlessNesting) {
  EXPECT_THAT(skipError(std::string(100'000, '[')), testing::HasSubstr("nested too deep"));
}

TEST(JsonReader, LimitsAreReachedAndNotExceeded) {
  const auto nested = [](std::size_t depth) {
    return skipError(std::string(depth, '[') + std::string(depth, ']'));
  };
  EXPECT_EQ(nested(256), "valid");
  EXPECT_THAT(nested(257), testing::HasSubstr("nested too deep"));
  const auto problemOf = [](const std::string& number) {
    Reader reader(number, "r.json");
    static_cast<void>(reader.readNumberText());
    return reader.syntaxProblem();
  };
  const std::string zeros(307, '0');
  EXPECT_EQ(problemOf("1e308"), std::nullopt);
  EXPECT_EQ(problemOf("1E+308"), std::nullopt);
  EXPECT_EQ(problemOf("1e-999"), std::nullopt);
  EXPECT_EQ(problemOf("10" + zeros), std::nullopt) << "309 digits";
  EXPECT_EQ(problemOf("90" + zeros), SyntaxProblem::NumberTooBig) << "309 digits";
  EXPECT_EQ(problemOf("0.1e309"), std::nullopt) << "a digit behind the point is one more";
  EXPECT_EQ(problemOf("0.1e310"), SyntaxProblem::NumberTooBig);
  EXPECT_EQ(problemOf("0.12345678901234567e325"), std::nullopt);
  EXPECT_EQ(problemOf("0.123456789012345678e326"), SyntaxProblem::NumberTooBig);
  EXPECT_EQ(problemOf("1e99999999999999999999"), SyntaxProblem::NumberTooBig);
}

TEST(JsonReader, DecodesTheFirstAndTheLastSurrogatePair) {
  const auto textOf = [](std::string_view text) {
    Reader reader(text, "r.json", {.needsSurrogatePairs = true});
    std::string read = reader.readString();
    return reader.syntaxProblem() ? "refused" : read;
  };
  EXPECT_EQ(textOf(R"("\ud800\udc00")"), "\xF0\x90\x80\x80");
  EXPECT_EQ(textOf(R"("\udbff\udfff")"), "\xF4\x8F\xBF\xBF");
  EXPECT_EQ(textOf(R"("\ud800\udbff")"), "refused");
  EXPECT_EQ(textOf(R"("\ud800\ue000")"), "refused");
  EXPECT_EQ(textOf(R"("\ue000")"), "\xEE\x80\x80");
  EXPECT_EQ(textOf(R"("\ud7ff")"), "\xED\x9F\xBF");
}

TEST(JsonReader, KeepsWhatStandsBehindHalfASurrogatePair) {
  Reader reader(R"("\ud83d\n!")", "r.json", {.needsSurrogatePairs = false});
  const std::string text = reader.readString();
  EXPECT_TRUE(text.ends_with("\n!")) << text;
  EXPECT_EQ(text.size(), 5U);
}

TEST(JsonReader, AControlCharacterIsNoEndOfTheText) {
  const auto problemOf = [](std::string_view text) {
    Reader reader(text, "r.json");
    static_cast<void>(reader.readString());
    return reader.syntaxProblem();
  };
  EXPECT_EQ(problemOf("\"a"), SyntaxProblem::NoClosingQuote);
  EXPECT_EQ(problemOf("\"a\x1f\""), SyntaxProblem::ControlCharacter);
  EXPECT_EQ(problemOf("\"a \""), std::nullopt);
  EXPECT_EQ(problemOf("\"\\u00e\""), SyntaxProblem::NoHexDigits);
  EXPECT_EQ(problemOf("\"\\q\""), SyntaxProblem::UnknownEscape);
}

}  // namespace
}  // namespace ulp::json
