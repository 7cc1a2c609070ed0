#include "core/json/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/stop_scope.h"
#include "core/json/dump.h"
#include "tests/support/data/long_json.h"

namespace ulp::json {
namespace {

using testing::HasSubstr;

TEST(JsonParse, ReadsEveryKindOfValue) {
  const auto value = parse(R"({"b": [1, -2, 3.5, true, null, "é\n"], "a": {}})");
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(dump(*value), "{\"b\":[1,-2,3.5,true,null,\"é\\n\"],\"a\":{}}");
  EXPECT_EQ(value->at("b").items()[1].integer(), -2);
}

TEST(JsonParse, KeepsTheLastOfMembersWithOneNameInThePlaceOfTheFirst) {
  EXPECT_EQ(dump(*parse(R"({"a": 1, "b": 2, "a": {"c": 3}})")), R"({"a":{"c":3},"b":2})");
}

TEST(JsonParse, SaysWhereTextIsNoJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "nul", "1 2", "\"\xff\""}) {
    const auto value = parse(text);
    ASSERT_FALSE(value.has_value()) << text;
    EXPECT_EQ(value.error().code(), ErrorCode::CorruptData);
    EXPECT_THAT(value.error().message(), HasSubstr("line 1, column"));
  }
}

TEST(JsonParse, RefusesNumbersThatNoDoubleHolds) {
  for (const std::string number : {"1.5e400", "-1.5e400", "1e309"}) {
    const auto value = parse("{\"a\": [0, " + number + "]}");
    ASSERT_FALSE(value.has_value()) << number;
    EXPECT_EQ(value.error().message(),
              "byte 11: " + number + " is beyond the range of double numbers");
  }
  EXPECT_EQ(parse("1.5e-400")->number(), 0);
  EXPECT_EQ(parse("1.5e308")->number(), 1.5e308);
}

TEST(JsonParse, IntegersThatNoWordHoldsAreNoIntegers) {
  EXPECT_TRUE(parse("18446744073709551615")->isBeyondInt64());
  for (const char* number : {"18446744073709551616", "-9223372036854775809", "1e19"}) {
    EXPECT_EQ(parse(number)->kind(), Kind::Real) << number;
  }
  EXPECT_EQ(parse("18446744073709551617")->number(), 0x1p64);
}

TEST(JsonParse, RefusesWhatIsNestedTooDeeply) {
  const auto nested = [](std::size_t depth) {
    return parse(std::string(depth, '[') + std::string(depth, ']'));
  };
  EXPECT_TRUE(nested(1000).has_value());
  ASSERT_FALSE(nested(1001).has_value());
  EXPECT_THAT(nested(1001).error().message(), HasSubstr("more than 1000 levels"));
  EXPECT_FALSE(nested(1'000'000).has_value());
}

/// Notes events in a line.
class Notes final : public Events {
 public:
  [[nodiscard]] const std::string& line() const { return m_line; }
  bool null() override { return note("null"); }
  bool boolean(bool value) override { return note(value ? "true" : "false"); }
  bool negative(std::int64_t value) override { return note("-" + std::to_string(-value)); }
  bool natural(std::uint64_t value) override { return note("+" + std::to_string(value)); }
  bool real(double /*value*/, const std::string& spelled) override { return note(spelled); }
  bool text(std::string& value) override { return note(value) && value != "end"; }
  bool beginObject() override { return note("{"); }
  bool key(std::string& name) override { return note(name + ":"); }
  bool endObject() override { return note("}"); }
  bool beginArray() override { return note("["); }
  bool endArray() override { return note("]"); }
  void syntaxError(std::size_t byte, const std::string& /*what*/) override {
    note("error at " + std::to_string(byte));
  }

 private:
  bool note(const std::string& what) {
    m_line += what + " ";
    return true;
  }

  std::string m_line;
};

TEST(JsonEvents, ComeInTheOrderOfTheText) {
  Notes notes;
  EXPECT_TRUE(readEvents(R"({"a": [18446744073709551615, -1, 1.50], "b": null})", notes));
  EXPECT_EQ(notes.line(), "{ a: [ +18446744073709551615 -1 1.50 ] b: null } ");
}

TEST(JsonEvents, EndWhereOneSaysSo) {
  Notes notes;
  EXPECT_FALSE(readEvents(R"(["end", 1])", notes));
  EXPECT_EQ(notes.line(), "[ end ");
}

TEST(JsonEvents, TellOfTheByteThatIsNoJson) {
  Notes notes;
  EXPECT_FALSE(readEvents("[1, x]", notes));
  EXPECT_EQ(notes.line(), "[ +1 error at 5 ");
}

TEST(JsonEvents, OfALongDocumentEndWithAStop) {
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  const auto read = parse(test::longJsonList());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), ErrorCode::Cancelled);
  EXPECT_TRUE(parse("[0]")) << "what is short is read";
}

TEST(JsonParse, OfAnObjectRefusesWhatIsNoneWithTheCallersWords) {
  EXPECT_EQ(parseObject(R"({"a": 1})")->at("a").integer(), 1);
  for (const char* other : {"[1]", "7", "", "{"}) {
    const auto refused = parseObject(other, "has to map names");
    ASSERT_FALSE(refused) << other;
    EXPECT_EQ(refused.error().code(), ErrorCode::CorruptData);
    EXPECT_EQ(refused.error().message(), "has to map names");
  }
  std::stop_source source;
  source.request_stop();
  const StopScope scope(source.get_token());
  const auto stopped = parseObject(R"({"a": )" + test::longJsonList() + "}");
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code(), ErrorCode::Cancelled);
}

TEST(JsonDump, WritesIndentedSortedAndInAscii) {
  const Value value = Object{{"b", "é"}, {"a", Array{1, 2.0}}};
  EXPECT_EQ(dump(value, {.indent = 1}), "{\n \"b\": \"é\",\n \"a\": [\n  1,\n  2.0\n ]\n}");
  EXPECT_EQ(dump(value, {.isAscii = true}), R"({"b":"\u00e9","a":[1,2.0]})");
  EXPECT_EQ(dump(value, {.isSorted = true}), R"({"a":[1,2.0],"b":"é"})");
  EXPECT_EQ(quoted("a\"\xff"), "\"a\\\"\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace ulp::json
