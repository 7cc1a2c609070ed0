#include "core/json/writer.h"

#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ulp::json {
namespace {

TEST(JsonWriter, PutsCommasBetweenFieldsAndItems) {
  Writer json;
  json.beginObject();
  json.field("a", 1);
  json.key("b");
  json.beginArray();
  json.value(1.5);
  json.null();
  json.beginObject();
  json.endObject();
  json.endArray();
  json.field("c", std::string_view("x"));
  json.endObject();
  EXPECT_EQ(std::move(json).take(), R"({"a":1,"b":[1.5,null,{}],"c":"x"})");
}

TEST(JsonWriter, EscapesText) {
  Writer json;
  json.value(std::string_view("a\"\\\n\x01é"));
  EXPECT_EQ(std::move(json).take(), "\"a\\\"\\\\\\n\\u0001é\"");
}

TEST(JsonWriter, ReplacesBytesThatAreNotUtf8) {
  Writer json;
  json.value(std::string_view("a\xff"));
  EXPECT_EQ(std::move(json).take(), "\"a\xEF\xBF\xBD\"");
}

TEST(JsonWriter, WritesNumbersExactlyAndNonFiniteAsWords) {
  Writer json;
  json.beginArray();
  for (const double value : {0.1, 1e300, -0.0, 3.0, 5e-324}) {
    json.value(value);
  }
  json.value(std::numeric_limits<double>::quiet_NaN());
  json.value(std::numeric_limits<double>::infinity());
  json.value(-std::numeric_limits<double>::infinity());
  json.endArray();
  EXPECT_EQ(std::move(json).take(), R"([0.1,1e+300,-0,3,5e-324,"NaN","Infinity","-Infinity"])");
}

TEST(JsonWriter, BreaksLinesBetweenItems) {
  Writer json;
  json.beginArray();
  json.newLine(1);
  json.value(1);
  json.newLine(1);
  json.value(2);
  json.newLine(0);
  json.endArray();
  EXPECT_EQ(std::move(json).take(), "[\n 1,\n 2\n]");
}

TEST(JsonWriter, WritesObjectsOneALineWhereAsked) {
  const std::vector<int> numbers{1, 2};
  Writer json;
  json.value([&] {
    const auto write = [&](int number) { json.field("n", number); };
    json.objects("short", numbers, write);
    json.objects("long", numbers, write, {.items = 2, .end = 1});
  });
  EXPECT_EQ(std::move(json).take(),
            "{\"short\":[{\"n\":1},{\"n\":2}],\"long\":[\n  {\"n\":1},\n  {\"n\":2}\n ]}");
}

TEST(JsonWriter, LaysOutAndEscapesAsPythonDoesWhereAsked) {
  Writer json({.indent = 2, .isAscii = true});
  json.value([&] {
    json.field("é", std::string_view("é"));
    json.field("none", std::vector<std::string>());
    json.field("some", std::vector<std::string>{"a", "b"});
  });
  EXPECT_EQ(std::move(json).take(),
            "{\n  \"\\u00e9\": \"\\u00e9\",\n  \"none\": [],\n  \"some\": [\n    \"a\",\n    "
            "\"b\"\n  ]\n}");
}

TEST(JsonWriter, GivesWhatItHasWrittenSoFar) {
  Writer json;
  json.beginArray();
  json.value(1);
  EXPECT_EQ(json.size(), 2u);
  EXPECT_EQ(json.drain(), "[1");
  json.value(2);
  json.endArray();
  EXPECT_EQ(json.drain(), ",2]");
}

TEST(JsonWriter, MakesADocumentWithItsSchemaInFront) {
  EXPECT_EQ(document("a/1", [](Writer& json) { json.field("b", 2); }),
            "{\n \"schema\":\"a/1\",\"b\":2\n}\n");
}

}  // namespace
}  // namespace ulp::json
