#include "core/dumps/msprobe/dump_json.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/dumps/msprobe/python_text.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::dumps::msprobe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// `data` inside the object that stands around it.
std::string dumpOf(const std::string& data) {
  return R"({"task": "statistics", "level": "mix", "framework": "pytorch", "dump_data_dir": null, )"
         R"("data": )" +
         data + "}";
}

std::vector<std::string> namesOf(const DumpJson& dump) {
  std::vector<std::string> names;
  for (const Record& record : dump.records) {
    names.push_back(record.name);
  }
  return names;
}

const std::string kTensor =
    R"({"type": "torch.Tensor", "dtype": "torch.float32", "shape": [2, 8], "Max": 1.0, "Min": -1, )"
    R"("Mean": NaN, "Norm": Infinity, "requires_grad": true})";

TEST(DumpJsonTest, TensorsKeepWhatTheFileSaysAsPythonPrintsIt) {
  const auto dump = parseDumpJson(
      dumpOf(R"({"Tensor.add.0.forward": {"output": [)" + kTensor + "]}}"), "dump.json");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ(dump->task, "statistics");
  EXPECT_EQ(dump->level, "mix");
  ASSERT_EQ(dump->records.size(), 1U);
  const Record& record = dump->records[0];
  EXPECT_EQ(record.name, "Tensor.add.0.forward.output.0");
  EXPECT_EQ(record.index, "0");
  EXPECT_TRUE(record.isTensor);
  EXPECT_EQ(record.dtype, "torch.float32");
  EXPECT_EQ(record.shape, "[2, 8]");
  EXPECT_THAT(record.dimensions, ElementsAre(2, 8));
  EXPECT_EQ(printed(record.statistics[0]), "1.0");
  EXPECT_EQ(printed(record.statistics[1]), "-1");
  EXPECT_EQ(printed(record.statistics[2]), "nan");
  EXPECT_EQ(printed(record.statistics[3]), "inf");
  EXPECT_EQ(record.requiresGrad, "True");
  EXPECT_EQ(record.checksum, "00000000") << "CRC-32 of nothing";
  EXPECT_FALSE(record.hasChecksum);
}

TEST(DumpJsonTest, NumbersBeyondDoubleAreThoseOfPython) {
  const auto dump = parseDumpJson(
      dumpOf(R"({"Tensor.add.0.forward": {"output": [{"type": "torch.Tensor", "shape": [],)"
             R"( "dtype": "torch.float32", "Max": 1.5e309, "Min": 1.5e-400, "Mean": -1.5e309}]}})"),
      "dump.json");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_EQ(printed(dump->records.at(0).statistics[0]), "inf");
  EXPECT_EQ(printed(dump->records.at(0).statistics[1]), "0.0");
  EXPECT_EQ(printed(dump->records.at(0).statistics[2]), "-inf");
}

TEST(DumpJsonTest, RowsOfAnEntryStandInTheOrderOfTables) {
  const auto dump = parseDumpJson(
      dumpOf(R"({"Module.a.Linear.forward.0": {"input_args": [null], "input_kwargs": {"mask": [)" +
             kTensor + R"(, null]}, "output": [)" + kTensor + R"(], "parameters": {"weight": )" +
             kTensor + R"(}}, "Module.a.Linear.parameters_grad.0": {"weight": [)" + kTensor +
             "]}}"),
      "dump.json");
  ASSERT_TRUE(dump);
  EXPECT_THAT(namesOf(*dump),
              ElementsAre("Module.a.Linear.forward.0.input.0",
                          "Module.a.Linear.forward.0.input.mask.0",
                          "Module.a.Linear.forward.0.input.mask.1",
                          "Module.a.Linear.forward.0.parameters.weight",
                          "Module.a.Linear.forward.0.output.0",
                          "Module.a.Linear.parameters_grad.0.weight"));
  EXPECT_EQ(dump->records[1].index, "mask.0");
  EXPECT_EQ(dump->records[5].index, "weight");
  EXPECT_TRUE(dump->hasNumberedGradients);
  EXPECT_FALSE(dump->records[0].dtype);
  EXPECT_EQ(printed(dump->records[0].statistics[0]), "None");
}

TEST(DumpJsonTest, ArgumentsThatAreNoTensorsArePrintedAsPythonDoes) {
  const auto dump =
      parseDumpJson(dumpOf(R"({"Torch.x.0.forward": {"input_args": [{"type": "int", "value": 2},
        {"type": "float", "value": 1e-5}, {"type": "bool", "value": false},
        {"type": "torch.Size", "value": [1, 2]}, {"type": "slice", "value": [0, null, 1]},
        {"type": "ellipsis", "value": "..."}, {"type": "torch.ProcessGroup", "group_ranks": [0, 1]},
        {"type": "torch.memory_format", "format": "x"}, {"type": "a.new.Kind", "value": "it's"}]}})"),
                    "dump.json");
  ASSERT_TRUE(dump);
  std::vector<std::string> lines;
  for (const Record& record : dump->records) {
    lines.push_back(*record.dtype + " " + *record.shape + " " + printed(record.statistics[0]) +
                    " " + record.checksum);
  }
  EXPECT_THAT(lines,
              ElementsAre("<class 'int'> [] 2 " + crc32Text("2"),
                          "<class 'float'> [] 1e-05 " + crc32Text("1e-05"),
                          "<class 'bool'> [] False " + crc32Text("False"),
                          "torch.Size [1, 2] None " + crc32Text("[1, 2]"),
                          "slice (3,) None " + crc32Text("[0, None, 1]"),
                          "ellipsis [] ... " + crc32Text("..."),
                          "torch.ProcessGroup [] [0, 1] [0, 1]",
                          "<class 'NoneType'> [] None 00000000",
                          "<class 'str'> [] it's " + crc32Text("it's")));
}

/// What an exporter writes from the printed value alone is not kept in memory a second time.
TEST(DumpJsonTest, ArgumentsAreKeptWholeWhereTheirPrintDoesNotTellThem) {
  const auto dump =
      parseDumpJson(dumpOf(R"({"Torch.x.0.forward": {"input_args": [{"type": "int", "value": 2},
        {"type": "float", "value": 1e-5}, {"type": "float", "value": -Infinity},
        {"type": "bool", "value": false}, {"type": "float", "value": 2},
        {"type": "int", "value": 2, "x": null}, {"value": 2, "type": "int"}, {"type": "int"},
        {"type": "str", "value": "2"}, {"type": "str", "value": "\"a\\\u007f\u00e9~"}]}})"),
                    "dump.json");
  ASSERT_TRUE(dump);
  std::vector<std::string> arguments;
  for (const Record& record : dump->records) {
    arguments.push_back(record.argument);
  }
  EXPECT_THAT(arguments,
              ElementsAre("",
                          "",
                          "",
                          "",
                          R"({"type": "float", "value": 2})",
                          R"({"type": "int", "value": 2, "x": null})",
                          R"({"value": 2, "type": "int"})",
                          R"({"type": "int"})",
                          R"({"type": "str", "value": "2"})",
                          R"({"type": "str", "value": "\"a\\\u007f\u00e9~"})"));
}

TEST(DumpJsonTest, AFileThatBreaksOffGivesWhatIsCompleteAndSaysWhere) {
  const std::string whole = dumpOf(R"({"Tensor.add.0.forward": {"output": [)" + kTensor + R"(]},
"Tensor.mul.0.forward": {"output": [)" +
                                   kTensor + "]}}");
  const auto dump = parseDumpJson(whole.substr(0, whole.size() - 60), "x/dump.json");
  ASSERT_TRUE(dump) << dump.error().message();
  EXPECT_THAT(namesOf(*dump), ElementsAre("Tensor.add.0.forward.output.0"));
  ASSERT_EQ(dump->notes.size(), 1U);
  EXPECT_THAT(dump->notes[0], HasSubstr("x/dump.json: line 2: the file ends here"));
  EXPECT_THAT(dump->notes[0], HasSubstr("within 'Tensor.mul.0.forward'"));
  const auto nothing = parseDumpJson(whole.substr(0, 150), "x/dump.json");
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code(), ErrorCode::CorruptData);
}

TEST(DumpJsonTest, HostileFilesAreRefusedOrReadWithinTheirLimits) {
  const std::string deep(100'000, '[');
  const auto nested = parseDumpJson(dumpOf(R"({"a.0.forward": {"output": )" + deep), "dump.json");
  ASSERT_FALSE(nested);
  EXPECT_THAT(nested.error().message(), HasSubstr("nested deeper than 400 levels"));

  std::string digits;
  digits.resize(10'000'000, '7');
  const auto large = parseDumpJson(
      dumpOf(R"({"a.0.forward": {"output": [null]}, "b.0.forward": {"output": [{"type": "int",
             "value": )" +
             digits + "}]}}"),
      "dump.json");
  ASSERT_TRUE(large);
  EXPECT_THAT(namesOf(*large), ElementsAre("a.0.forward.output.0"));
  EXPECT_THAT(large->notes, ElementsAre(HasSubstr("Number too big")));

  const auto shape = parseDumpJson(
      dumpOf(R"({"a.0.forward": {"output": [{"type": "torch.Tensor", "dtype": "torch.float32",
             "shape": [9223372036854775807, -4, 99999999999999999999]}]}})"),
      "dump.json");
  ASSERT_TRUE(shape);
  EXPECT_THAT(shape->records[0].dimensions, ElementsAre(-1, -1, -1));
}

TEST(DumpJsonTest, AShortFileDoesNotFillTheMemory) {
  std::string nulls = "null";
  for (std::size_t each = 0; each < 100'000; ++each) {
    nulls += ",null";
  }
  const std::string longName(1'000'000, 'x');
  const auto named = parseDumpJson(
      dumpOf(R"({"a.0.forward": {"output": {")" + longName + R"(": [)" + nulls + "]}}}"),
      "dump.json");
  ASSERT_TRUE(named);
  EXPECT_THAT(named->records, IsEmpty());
  EXPECT_THAT(named->notes, ElementsAre(HasSubstr("names of more than 4096 characters")));

  std::string many = "0";
  for (std::size_t each = 0; each < 5'000'000; ++each) {
    many += ",0";
  }
  const auto crowded =
      parseDumpJson(dumpOf(R"({"a.0.forward": {"output": [)" + many + "]}}"), "dump.json");
  ASSERT_FALSE(crowded);
  EXPECT_THAT(crowded.error().message(), HasSubstr("more than 4194304 values in one member"));
}

TEST(DumpJsonTest, OfTheSameKeyTwiceTheLastOneCountsInThePlaceOfTheFirst) {
  const auto dump = parseDumpJson(
      dumpOf(R"({"a.0.forward": {"output": [null, null]}, "b.0.forward": {"output": [null]},
        "a.0.forward": {"output": [{"type": "int", "value": 1, "value": 2}]}})"),
      "dump.json");
  ASSERT_TRUE(dump);
  EXPECT_THAT(namesOf(*dump), ElementsAre("a.0.forward.output.0", "b.0.forward.output.0"));
  EXPECT_EQ(dump->records[0].value, "2");
  ASSERT_EQ(dump->entries.size(), 2U);
  EXPECT_EQ(dump->entries[1].first, 1U);
  EXPECT_THAT(dump->notes, ElementsAre(HasSubstr("'a.0.forward' stands there twice")));
}

TEST(DumpJsonTest, FileNamesThatLeaveTheFolderAreNotFollowed) {
  for (const std::string name : {"../../etc/passwd", "/etc/passwd", "..", "a/b.pt"}) {
    const auto dump = parseDumpJson(
        dumpOf(R"({"a.0.forward": {"output": [{"type": "torch.Tensor", "dtype": "torch.float32",
               "shape": [1], "data_name": ")" +
               name + R"("}]}})"),
        "dump.json");
    ASSERT_TRUE(dump);
    EXPECT_EQ(dump->records[0].fileName, "") << name;
    EXPECT_EQ(dump->records[0].name, "a.0.forward.output.0");
    EXPECT_THAT(dump->notes, ElementsAre(HasSubstr("points out of the dump"))) << name;
  }
}

TEST(DumpJsonTest, OtherJsonIsNoDump) {
  for (const std::string text : {"", "[]", "{}", R"({"data": {"a": 1}})", R"({"task": "x")"}) {
    EXPECT_FALSE(parseDumpJson(text, "dump.json")) << text;
  }
}

TEST(PythonTextTest, NumbersAndTextsArePrintedAsReprDoes) {
  EXPECT_EQ(pythonFloat(1), "1.0");
  EXPECT_EQ(pythonFloat(-0.0), "-0.0");
  EXPECT_EQ(pythonFloat(1e16), "1e+16");
  EXPECT_EQ(pythonFloat(1e15), "1000000000000000.0");
  EXPECT_EQ(pythonFloat(123456789012345.0), "123456789012345.0");
  EXPECT_EQ(pythonFloat(0.0001), "0.0001");
  EXPECT_EQ(pythonFloat(static_cast<double>(0.1F)), "0.10000000149011612");
  EXPECT_EQ(pythonFloat(0.00001), "1e-05");
  EXPECT_EQ(pythonFloat(5e-324), "5e-324");
  EXPECT_EQ(pythonFloat(1.5e300), "1.5e+300");
  EXPECT_EQ(jsonFloat(1e-5), "1e-05");
  EXPECT_EQ(jsonFloat(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(jsonFloat(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(jsonFloat(-std::numeric_limits<double>::infinity()), "-Infinity");
  EXPECT_EQ(pythonQuoted("it's"), "\"it's\"");
  EXPECT_EQ(pythonQuoted("it's \"so\""), "'it\\'s \"so\"'");
  EXPECT_EQ(pythonQuoted("a\n\t\\\x01\xC3\xA9\xC2\xAD"), "'a\\n\\t\\\\\\x01\xC3\xA9\\xad'");
  EXPECT_EQ(pythonQuoted("\r\u00ff\u0100"), "'\\r\u00ff\u0100'") << "letters stay";
  EXPECT_EQ(pythonQuoted("\u0085\u2028\U000E0001"), "'\\x85\\u2028\\U000e0001'");
  EXPECT_EQ(pythonQuoted("\uFFFE\U0001F600"), "'\\ufffe\U0001F600'");
  EXPECT_EQ(pythonQuoted("a\xFF"
                         "b"),
            "'a\\xffb'")
      << "no UTF-8";
  EXPECT_EQ(pythonList(std::vector<std::string>{"a", "b"}), "['a', 'b']");
  EXPECT_EQ(pythonList(std::vector<std::string>{}), "[]");
  EXPECT_EQ(crc32Text("123456789"), "cbf43926");
}

}  // namespace
}  // namespace ulp::dumps::msprobe
