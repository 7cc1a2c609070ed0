#include "core/json/value.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/json/dump.h"

namespace ulp::json {
namespace {

TEST(JsonValue, KnowsItsKindAndContent) {
  EXPECT_EQ(Value().kind(), Kind::Null);
  EXPECT_EQ(Value(true).kind(), Kind::Boolean);
  EXPECT_TRUE(Value(true).boolean());
  EXPECT_EQ(Value(-3).integer(), -3);
  EXPECT_EQ(Value(std::size_t{7}).kind(), Kind::Integer);
  EXPECT_EQ(Value(2.5).kind(), Kind::Real);
  EXPECT_EQ(Value(2.5).number(), 2.5);
  EXPECT_EQ(Value(4).number(), 4.0);
  EXPECT_EQ(Value("a").text(), "a");
  EXPECT_EQ(Value(Array{1, 2}).items().size(), 2u);
}

TEST(JsonValue, GivesNothingOfAnotherKind) {
  const Value number(1);
  EXPECT_EQ(number.text(), "");
  EXPECT_TRUE(number.items().empty());
  EXPECT_TRUE(number.members().empty());
  EXPECT_FALSE(number.boolean());
  EXPECT_TRUE(number.at("a").at("b").isNull());
  EXPECT_EQ(Value("5").integer(), 0);
  EXPECT_EQ(Value(5.0).integer(), 0);
}

TEST(JsonValue, SaysWhichIntegersNeedTheSixtyFourthBit) {
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE(Value(most).isBeyondInt64());
  EXPECT_TRUE(Value(most + 1).isBeyondInt64());
  EXPECT_EQ(dump(Value(most + 1)), "9223372036854775808");
  EXPECT_FALSE(Value(-1).isBeyondInt64());
}

TEST(JsonValue, KeepsMembersInTheOrderInWhichTheyWereFirstSet) {
  Value value;
  value["b"] = 1;
  value["a"] = 2;
  value["b"] = 3;
  EXPECT_EQ(dump(value), R"({"b":3,"a":2})");
  value.erase("b");
  value.erase("missing");
  value["b"] = 4;
  EXPECT_EQ(dump(value), R"({"a":2,"b":4})");
}

TEST(JsonValue, FindsEachOfManyMembersAlsoInCopies) {
  Value value;
  for (int i = 0; i < 1000; ++i) {
    value[std::to_string(i)] = i;
  }
  value.erase("500");
  Value copy = value;
  copy["1"] = "changed";
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(value.contains(std::to_string(i)), i != 500) << i;
    EXPECT_EQ(value.at(std::to_string(i)).integer(), i == 500 ? 0 : i);
  }
  EXPECT_EQ(copy.at("1").text(), "changed");
  EXPECT_EQ(copy.at("999").integer(), 999);
  EXPECT_EQ(copy.members().size(), 999u);
}

TEST(JsonValue, BecomesAnObjectOrArrayWhereOneIsFilled) {
  Value value("text");
  value["a"] = {};
  EXPECT_EQ(dump(value), R"({"a":null})");
  value.append(1);
  value.append("two");
  EXPECT_EQ(dump(value), R"([1,"two"])");
}

TEST(JsonValue, IsPatchedAsRfc7396Says) {
  Value target = Object{{"a", "b"}, {"c", Object{{"d", "e"}, {"f", "g"}}}};
  mergePatch(target, Object{{"a", "z"}, {"c", Object{{"f", {}}}}, {"n", Object{{"m", {}}}}});
  EXPECT_EQ(dump(target), R"({"a":"z","c":{"d":"e"},"n":{}})");
  mergePatch(target, Array{1});
  EXPECT_EQ(dump(target), "[1]");
}

}  // namespace
}  // namespace ulp::json
