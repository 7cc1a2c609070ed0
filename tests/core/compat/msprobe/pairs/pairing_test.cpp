#include "core/compat/msprobe/pairs/pairing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/long_file.h"
#include "tests/support/machine/temp_dir.h"

namespace ulp::compat::msprobe {
namespace {

using dumps::msprobe::DumpJson;
using testing::ElementsAre;

/// Entries with one output each.
DumpJson dumpOf(const std::vector<std::string>& entries,
                const std::string& dtype = "torch.float32") {
  DumpJson dump;
  for (const std::string& entry : entries) {
    dump.entries.push_back({entry, dump.records.size(), 1});
    dump.records.push_back({.name = entry + ".output.0",
                            .section = dumps::msprobe::Section::Output,
                            .isTensor = true,
                            .dtype = dtype,
                            .shape = "[2]"});
  }
  return dump;
}

/// "target>golden" of each pair, by what is behind the first dot of the entries.
std::vector<std::string> pairsOf(const DumpJson& target,
                                 const DumpJson& golden,
                                 const PairingRule& rule) {
  std::vector<std::string> texts;
  for (const Pair& pair : pairRecords(target, golden, rule)) {
    texts.push_back(target.entries[pair.target].name + ">" +
                    (pair.golden == dumps::kNone ? "" : golden.entries[pair.golden].name));
  }
  return texts;
}

TEST(MsprobePairingTest, BackwardCallsAreCountedAgainIn26Only) {
  const DumpJson target = dumpOf({"Torch.a.1.backward", "Torch.a.0.backward"});
  const DumpJson golden = dumpOf({"Torch.a.0.backward", "Torch.a.1.backward"});
  EXPECT_THAT(pairsOf(target, golden, {}),
              ElementsAre("Torch.a.1.backward>Torch.a.0.backward",
                          "Torch.a.0.backward>Torch.a.1.backward"));
  EXPECT_THAT(pairsOf(target, golden, {.generation = Generation::V8}),
              ElementsAre("Torch.a.1.backward>Torch.a.1.backward",
                          "Torch.a.0.backward>Torch.a.0.backward"));
}

TEST(MsprobePairingTest, OnlyFloatingPointTypesMayDiffer) {
  const DumpJson half = dumpOf({"Torch.a.0.forward"}, "torch.float16");
  const DumpJson full = dumpOf({"Torch.a.0.forward"}, "torch.float64");
  const DumpJson whole = dumpOf({"Torch.a.0.forward"}, "torch.int64");
  const std::string matched = "Torch.a.0.forward>Torch.a.0.forward";
  const std::string unmatched = "Torch.a.0.forward>";
  EXPECT_THAT(pairsOf(half, full, {}), ElementsAre(matched));
  EXPECT_THAT(pairsOf(half, full, {.generation = Generation::V8}), ElementsAre(unmatched));
  EXPECT_THAT(pairsOf(half, whole, {}), ElementsAre(unmatched));
  EXPECT_THAT(pairsOf(half, whole, {.dataMapping = {{"x", "y"}}}), ElementsAre(matched));
}

TEST(MsprobePairingTest, FuzzyMatchingForgivesAShiftedCallAndAnotherClass) {
  const DumpJson target = dumpOf(
      {"Torch.b.0.forward", "Torch.a.3.forward", "Module.x.Mine.forward.0", "Torch.z.0.forward"});
  const DumpJson golden = dumpOf({"Torch.a.0.forward", "Module.x.Theirs.forward.0"});
  EXPECT_THAT(pairsOf(target, golden, {.isFuzzy = true}),
              ElementsAre("Torch.b.0.forward>",
                          "Torch.a.3.forward>Torch.a.0.forward",
                          "Module.x.Mine.forward.0>Module.x.Theirs.forward.0",
                          "Torch.z.0.forward>"));
}

TEST(MsprobePairingTest, FuzzyMatchingTakesBackwardCallsAsTheyAreNumbered) {
  const DumpJson target = dumpOf({"Module.x.C.backward.1", "Module.x.C.backward.0"});
  const DumpJson golden = dumpOf({"Module.x.C.backward.0", "Module.x.C.backward.1"});
  EXPECT_THAT(pairsOf(target, golden, {.isFuzzy = true}),
              ElementsAre("Module.x.C.backward.1>", "Module.x.C.backward.0>Module.x.C.backward.0"));
}

TEST(MsprobePairingTest, TheFuzzyWalkEndsWithTheFirstRowThatHasNothingToWaitFor) {
  const DumpJson target =
      dumpOf({"Torch.a.0.forward", "Torch.y.0.forward", "Torch.z.0.forward", "Torch.z.1.forward"});
  EXPECT_THAT(pairsOf(target, dumpOf({"Torch.a.1.forward"}), {.isFuzzy = true}),
              ElementsAre("Torch.a.0.forward>Torch.a.1.forward", "Torch.y.0.forward>"));
  EXPECT_THAT(
      pairsOf(target, dumpOf({"Torch.b.1.forward"}), {.isFuzzy = true}),
      ElementsAre(
          "Torch.a.0.forward>", "Torch.y.0.forward>", "Torch.z.0.forward>", "Torch.z.1.forward>"));
}

TEST(MsprobePairingTest, MappingsTakeTheTargetsNamesAsTheyAre) {
  const DumpJson dump = dumpOf({"Torch.a.1.backward", "Torch.a.0.backward"});
  const auto crossed =
      ElementsAre("Torch.a.1.backward>Torch.a.0.backward", "Torch.a.0.backward>Torch.a.1.backward");
  EXPECT_THAT(pairsOf(dump, dump, {.dataMapping = {{"x", "y"}}}), crossed);
  EXPECT_THAT(pairsOf(dump, dump, {.cellMapping = {{"x", "y"}}}), crossed);
}

TEST(MsprobePairingTest, OfTwoMappingsThatOfCellsCounts) {
  const DumpJson target = dumpOf({"Module.a.L.forward.0"});
  const DumpJson golden = dumpOf({"Module.b.L.forward.0", "Module.c.L.forward.0"}, "torch.int64");
  EXPECT_THAT(
      pairsOf(target,
              golden,
              {.dataMapping = {{"Module.a.L.forward.0.output.0", "Module.c.L.forward.0.output.0"}},
               .cellMapping = {{"a.L", "b.L"}}}),
      ElementsAre("Module.a.L.forward.0>Module.b.L.forward.0"));
}

TEST(MsprobePairingTest, OfMindSporeBesidePyTorchOnlyTheKindOfADtypeCounts) {
  const auto pairsWith = [](const std::string& left, const std::string& right) {
    DumpJson target = dumpOf({"Mint.a.0.forward"}, left);
    target.framework = "mindspore";
    return pairsOf(target, dumpOf({"Mint.a.0.forward"}, right), {});
  };
  const std::string matched = "Mint.a.0.forward>Mint.a.0.forward";
  EXPECT_THAT(pairsWith("Int64", "torch.int32"), ElementsAre(matched));
  EXPECT_THAT(pairsWith("BFloat16", "torch.float64"), ElementsAre(matched));
  EXPECT_THAT(pairsWith("Bool", "torch.bool"), ElementsAre(matched));
  EXPECT_THAT(pairsWith("Bool", "torch.uint8"), ElementsAre("Mint.a.0.forward>"));
  EXPECT_THAT(pairsWith("<class 'int'>", "<class 'float'>"), ElementsAre("Mint.a.0.forward>"));
}

TEST(MsprobePairingTest, NamesAreShortenedBeforeTheDirection) {
  EXPECT_EQ(shortened("Tensor.add.3.forward.input.0"), "Tensor.add.forward.input.0");
  EXPECT_EQ(shortened("Module.a.b.Linear.backward.0.input.0"), "Module.a.b.backward.0.input.0");
  EXPECT_EQ(shortened("nothing"), "nothing");
  EXPECT_EQ(shortened("a.forward.0"), "a.forward.0");
  // What msprobe's rename_api() gives of a module whose own name has the word in it.
  EXPECT_EQ(shortened("Module.layers.0.feed_forward.FeedForward.forward.0.input.0"),
            "Module.layers.forward.FeedForward.");
  EXPECT_EQ(shortened("Module.layers.0.feed_forward.FeedForward.backward.0.input.0"),
            "Module.layers.forward.FeedForward.backward.0.input.0");
}

TEST(MsprobePairingTest, CellsAreReplacedWholeElseInPart) {
  const NameMapping mapping{{"a.Linear", "b.Linear"}, {"w1", "gate"}, {"w1.x", "never"}};
  EXPECT_EQ(cellMapped("Cell.a.Linear.forward.0.output.0", mapping),
            "Module.b.Linear.forward.0.output.0");
  EXPECT_EQ(cellMapped("Module.m.w1.x.Linear.backward.0.output.0", mapping),
            "Module.m.gate.x.Linear.backward.0.output.0");
  EXPECT_EQ(cellMapped("v.0.debug", mapping), "N/A");
  EXPECT_EQ(cellMapped("Module.forward_w1.Linear.forward.0.input.0", mapping),
            "Module.forward_gate.Linear.forward.0.input.0");
  EXPECT_EQ(cellMapped("Module.rnn.LSTMCell.forward.0.input.0", mapping),
            "Module.rnn.LSTMModule.forward.0.input.0");
  EXPECT_EQ(cellMapped("Module.w1.Linear.parameters_grad.weight", mapping),
            "Module.gate.Linear.parameters_grad.weight");
}

TEST(MsprobePairingTest, MappingFilesThatAreNoneAreRefused) {
  const ulp::test::TempDir dir;
  EXPECT_EQ(readNameMapping(dir.write("good.yaml", "a.b: c.d\n"))->front().second, "c.d");
  for (const std::string text : {"", "- a\n", "a: [1, 2]\n", "a: b: c\n"}) {
    EXPECT_FALSE(readNameMapping(dir.write("bad.yaml", text))) << text;
  }
  EXPECT_FALSE(readNameMapping(dir / "none.yaml"));
}

TEST(MsprobePairingTest, MappingFilesHaveUpTo64MiB) {
  const ulp::test::TempDir dir;
  const auto errorOf = [&](std::uint64_t bytes) {
    return readNameMapping(ulp::test::longFile(dir, "m.yaml", "}", bytes)).error().message();
  };
  EXPECT_THAT(errorOf(64U << 20U), testing::Not(testing::HasSubstr(ulp::test::kTooLong)));
  EXPECT_THAT(errorOf((64U << 20U) + 1), testing::HasSubstr(ulp::test::kTooLong));
}

}  // namespace
}  // namespace ulp::compat::msprobe
