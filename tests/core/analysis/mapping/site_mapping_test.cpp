#include "core/analysis/mapping/site_mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/machine/long_file.h"

namespace ulp::analysis {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string errorOf(std::string_view yaml) {
  const auto mapping = SiteMapping::parse(yaml, "m.yaml");
  return mapping ? "no error" : mapping.error().message();
}

TEST(SiteMapping, AppliesRulesInOrderAndPairsInstead) {
  const auto mapping = SiteMapping::parse(
      "rules:\n"
      "  - {match: '^decoder\\.(\\d+)', replace: 'model.layers.$1'}\n"
      "  - {match: 'attn$', replace: 'self_attn'}\n"
      "pairs:\n"
      "  decoder.0.attn: first\n",
      "m.yaml");
  ASSERT_TRUE(mapping.has_value()) << mapping.error().message();
  EXPECT_EQ(*mapping->map("decoder.11.attn"), "model.layers.11.self_attn");
  EXPECT_EQ(*mapping->map("decoder.0.attn"), "first");
  EXPECT_EQ(*mapping->map("norm"), "norm");
}

TEST(SiteMapping, CopiesShareThePairs) {
  const auto mapping = SiteMapping::make({}, {{"a", "b"}});
  ASSERT_TRUE(mapping);
  const SiteMapping copy = *mapping;
  EXPECT_EQ(&copy.pairs(), &mapping->pairs());
  EXPECT_EQ(*copy.map("a"), "b");
  EXPECT_TRUE(SiteMapping().pairs().empty());
}

TEST(SiteMapping, ReadsWhatItWrites) {
  const auto mapping = SiteMapping::make({{R"(^a\.(\d+)'s "b"$)", "x: $1 #"}, {"", "y"}},
                                         {{"it's", "a: b"}, {"- c", "{d}"}});
  ASSERT_TRUE(mapping.has_value());
  const auto again = SiteMapping::parse(mapping->toYaml(), "again");
  ASSERT_TRUE(again.has_value()) << again.error().message();
  EXPECT_EQ(again->rules(), mapping->rules());
  EXPECT_EQ(again->pairs(), mapping->pairs());
  EXPECT_TRUE(SiteMapping::parse(SiteMapping().toYaml(), "empty")->isEmpty());
}

TEST(SiteMapping, NamesThePlaceOfWhatIsWrong) {
  EXPECT_THAT(errorOf("rules:\n  - {match: '(', replace: x}\n"),
              HasSubstr("m.yaml:2:13: '(' is not a regular expression"));
  EXPECT_EQ(errorOf("rules:\n  - {match: a}\n"),
            "m.yaml:2:5: a rule needs both 'match' and 'replace'");
  EXPECT_EQ(errorOf("rules:\n  - {match: a, with: b}\n"),
            "m.yaml:2:16: unknown key 'with'; a rule has match, replace");
  EXPECT_THAT(errorOf("rules:\n  - {match: a, replace: b, 'match, replace': c}\n"),
              HasSubstr("unknown key 'match, replace'"));
  EXPECT_EQ(errorOf("rules: 3\n"), "m.yaml:1:8: 'rules' must be a list");
  EXPECT_EQ(errorOf("pairs: [a]\n"), "m.yaml:1:8: 'pairs' must be a map of name to name");
  EXPECT_EQ(errorOf("pairs: {a: b, a: c}\n"), "m.yaml:1:15: 'a' is paired twice");
  EXPECT_EQ(
      errorOf("names: {}\n"),
      "m.yaml:1:1: unknown key 'names'; a mapping has rules, pairs, fused, transposed, exchanged, "
      "vocabulary, shapes, loss_scale, ranks, shards, fuzzy, data, cells, layers");
  EXPECT_THAT(errorOf("[]"), HasSubstr("m.yaml:1:1: a mapping is a map; its keys are rules,"));
}

TEST(SiteMapping, WhatItSaysOfDumpsIsReadAndWritten) {
  const std::string yaml =
      "fused:\n"
      "  - {match: 'w13$', parts: [w1, w3], layout: grouped, groups: 8, dim: 0}\n"
      "  - none\n"
      "ranks:\n"
      "  baseline: {tensor: [0, 1]}\n"
      "  candidate: {tensor: 2, pipeline: 2, layers: [0, 12]}\n"
      "shards:\n"
      "  - {match: 'o_proj$', row: '^output', as: sum}\n"
      "  - {match: qkv, dim: -1, parts: [2, 1, 1]}\n"
      "  - {over: data, dim: 1}\n"
      "fuzzy: true\n"
      "data: {a.forward.0: b.forward.0}\n"
      "cells: {m.A: m.B}\n"
      "layers: {Cell: {x: y}}\n";
  const auto mapping = SiteMapping::parse(yaml, "m.yaml");
  ASSERT_TRUE(mapping) << mapping.error().message();
  EXPECT_FALSE(mapping->isEmpty());
  EXPECT_FALSE(mapping->hasNames());
  const DumpRules& dumps = mapping->dumps();
  EXPECT_FALSE(dumps.splitsKnown);
  ASSERT_EQ(dumps.fused.size(), 1U);
  EXPECT_EQ(dumps.fused[0],
            (FusedRule{.match = "w13$",
                       .parts = {"w1", "w3"},
                       .layout = FusedLayout::Grouped,
                       .groups = 8,
                       .dim = 0}));
  EXPECT_EQ(dumps.baselineRanks->tensor, (RankGroups{{0, 1}}));
  EXPECT_EQ(dumps.candidateRanks->tensor, (RankGroups{{0, 1}, {2, 3}}));
  EXPECT_EQ(dumps.candidateRanks->pipeline, (RankGroups{{0, 1}, {2, 3}}));
  EXPECT_EQ(dumps.candidateRanks->data, (RankGroups{{0}, {1}, {2}, {3}}));
  EXPECT_EQ(dumps.candidateRanks->layers, (std::vector<std::int64_t>{0, 12}));
  ASSERT_EQ(dumps.shards.size(), 3U);
  EXPECT_EQ(dumps.shards[0].kind, ShardKind::Sum);
  EXPECT_EQ(dumps.shards[1].parts, (std::vector<std::int64_t>{2, 1, 1}));
  EXPECT_EQ(dumps.shards[2].axis, ShardAxis::Data);
  EXPECT_TRUE(dumps.isFuzzy);
  EXPECT_EQ(dumps.layers[0].type, "TopLayer");
  const auto again = SiteMapping::parse(mapping->toYaml(), "again");
  ASSERT_TRUE(again) << again.error().message() << mapping->toYaml();
  EXPECT_EQ(again->dumps(), dumps);
}

TEST(SiteMapping, FilesOfMsprobeAreKnownByTheirContent) {
  const auto data = SiteMapping::parse(
      "Module.a.B.forward.0.output.0: Module.c.D.forward.0.output.0\n", "data.yaml");
  ASSERT_TRUE(data) << data.error().message();
  EXPECT_EQ(data->dumps().rows.size(), 1U);
  const auto cells = SiteMapping::parse("mlp.MyMLP: mlp.LlamaMLP\n", "cells.yaml");
  ASSERT_TRUE(cells) << cells.error().message();
  EXPECT_EQ(cells->dumps().cells, (NamePairs{{"mlp.MyMLP", "mlp.LlamaMLP"}}));
  const auto layers = SiteMapping::parse("TopLayer:\n  a: b(C)\nNet:\n  d.e: f\n", "layers.yaml");
  ASSERT_TRUE(layers) << layers.error().message();
  EXPECT_EQ(layers->dumps().layers[0], (ClassRenames{"TopLayer", {{"a", "b"}}}));
  EXPECT_EQ(layers->dumps().layers[1], (ClassRenames{"Net", {{"d.e", "f"}}}));
}

TEST(SiteMapping, NamesThePlaceOfWhatIsWrongWithRulesOfDumps) {
  EXPECT_THAT(errorOf("pair: {a: b}\n"), HasSubstr("m.yaml:1:1: unknown key 'pair'"));
  EXPECT_THAT(errorOf("fuzy: true\n"), HasSubstr("m.yaml:1:1: unknown key 'fuzy'"));
  EXPECT_THAT(errorOf("'': {a: b}\n"), HasSubstr("m.yaml:1:1: unknown key ''"));
  EXPECT_EQ(errorOf("fuzzy: maybe\n"), "m.yaml:1:8: 'fuzzy' is true or false");
  EXPECT_EQ(errorOf("fused: some\n"), "m.yaml:1:8: 'fused' is a list of rules, or none");
  EXPECT_EQ(errorOf("fused:\n  - {match: a}\n"),
            "m.yaml:2:5: a fused tensor needs 'match' and 'parts'");
  EXPECT_EQ(errorOf("fused:\n  - {match: a, parts: [b]}\n"),
            "m.yaml:2:23: 'parts' is a list of at least two names");
  EXPECT_EQ(errorOf("fused:\n  - {match: a, parts: [b, c], layout: mixed}\n"),
            "m.yaml:2:39: 'layout' is concat, grouped or found");
  EXPECT_EQ(errorOf("fused:\n  - {match: a, parts: [b, c], groups: 2}\n"),
            "m.yaml:2:39: 'groups' is the number of groups of the layout grouped");
  EXPECT_EQ(errorOf("shards: megatrn\n"),
            "m.yaml:1:9: no rules 'megatrn'; choose megatron, megatron_gated, megatron_sequence, "
            "experts, or list rules of your own");
  EXPECT_THAT(errorOf("shards:\n  - {match: a}\n"),
              HasSubstr("m.yaml:2:5: a rule of shards says either 'dim'"));
  EXPECT_EQ(errorOf("shards:\n  - {match: a, dim: x}\n"),
            "m.yaml:2:21: 'dim' is the number of a dimension");
  EXPECT_EQ(errorOf("shards:\n  - {as: some}\n"),
            "m.yaml:2:10: 'as' is concat, replicated, sum or mean");
  EXPECT_EQ(errorOf("ranks: {tensor: two}\n"),
            "m.yaml:1:17: is neither groups of ranks nor their number");
  EXPECT_EQ(errorOf("ranks: {tensor: [[0, 1], [1]]}\n"),
            "m.yaml:1:8: rank 1 is in two places of one axis");
  EXPECT_EQ(errorOf("ranks: {pipeline: [[0], [1]], layers: [0]}\n"),
            "m.yaml:1:8: 'layers' has 1 numbers for 2 stages of 'pipeline'");
  EXPECT_EQ(errorOf("ranks: {tensor: 2, pipeline: [[0], [1]]}\n"),
            "m.yaml:1:8: give the number of ranks for every axis, or their groups for every axis");
  EXPECT_EQ(errorOf("ranks: {tensor: 60000, data: 60000}\n"),
            "m.yaml:1:8: are more ranks than there can be");
  EXPECT_EQ(errorOf("ranks: {context: 2}\n"),
            "m.yaml:1:9: unknown key 'context'; ranks have tensor, data, pipeline, chunks, layers, "
            "expert and experts");
}

TEST(SiteMapping, ChunksOfStagesAndExpertsAreReadAndWritten) {
  const auto mapping = SiteMapping::parse(
      "ranks: {tensor: 2, data: 4, pipeline: 2, expert: 2, experts: 8, layers: [[0, 4], [2, 6]]}\n"
      "shards:\n"
      "  - {match: experts, over: expert, dim: 1}\n",
      "m.yaml");
  ASSERT_TRUE(mapping) << mapping.error().message();
  const RankLayout& ranks = *mapping->dumps().candidateRanks;
  EXPECT_EQ(ranks.chunks, 2);
  EXPECT_EQ(ranks.layers, (std::vector<std::int64_t>{0, 4, 2, 6}));
  EXPECT_EQ(ranks.experts, 8);
  // The data-parallel ranks 0, 2, 4 and 6 of the first shard of the first stage, two by two.
  ASSERT_EQ(ranks.expert.size(), 8U);
  EXPECT_EQ(ranks.expert[0], (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(ranks.expert[1], (std::vector<std::int64_t>{4, 6}));
  EXPECT_EQ(ranks.expert[7], (std::vector<std::int64_t>{13, 15}));
  EXPECT_EQ(mapping->dumps().shards.front().axis, ShardAxis::Expert);
  const auto again = SiteMapping::parse(mapping->toYaml(), "again");
  ASSERT_TRUE(again) << again.error().message() << mapping->toYaml();
  EXPECT_EQ(again->dumps(), mapping->dumps());
}

TEST(SiteMapping, TransposedWeightsAndTheVocabularyAreReadAndWritten) {
  for (const auto& [yaml, expected] : std::vector<std::pair<std::string, DumpRules>>{
           {"transposed: ['proj$', none]\nvocabulary: 50257\n",
            {.transposed = {"proj$"}, .findsTransposed = false, .vocabulary = 50257}},
           {"transposed: c_fc\n", {.transposed = {"c_fc"}}},
           {"exchanged:\n  - '\\.attn$'\n  - none\n",
            {.exchanged = {"\\.attn$"}, .findsExchanged = false}},
           {"fused: none\n", {.splitsKnown = false}},
           {"shapes: exact\n", {.areShapesExact = true}},
           {"shapes: squeezed\n", {}},
           {"loss_scale: none\n", {.findsLossScale = false}},
           {"loss_scale: found\n", {}},
           {"transposed: none\nvocabulary: none\n", {.findsTransposed = false, .vocabulary = 0}}}) {
    const auto mapping = SiteMapping::parse(yaml, "m.yaml");
    ASSERT_TRUE(mapping) << mapping.error().message();
    EXPECT_EQ(mapping->dumps(), expected) << yaml;
    const auto again = SiteMapping::parse(mapping->toYaml(), "again");
    ASSERT_TRUE(again) << again.error().message() << mapping->toYaml();
    EXPECT_EQ(again->dumps(), expected) << mapping->toYaml();
  }
  EXPECT_EQ(errorOf("vocabulary: many\n"),
            "m.yaml:1:13: 'vocabulary' is the number of its entries, or none");
  EXPECT_EQ(errorOf("shapes: same\n"), "m.yaml:1:9: 'shapes' is exact or squeezed");
  EXPECT_EQ(errorOf("loss_scale: 8\n"), "m.yaml:1:13: 'loss_scale' is none or found");
  EXPECT_THAT(errorOf("transposed: ['(']\n"), HasSubstr("m.yaml:1:14: '(' is not a regular"));
  EXPECT_EQ(errorOf("transposed: {a: b}\n"), "m.yaml:1:13: 'transposed' must be a list");
}

TEST(SiteMapping, NamesWhatIsWrongWithChunksAndExperts) {
  EXPECT_EQ(errorOf("ranks: {pipeline: 2, layers: [[0, 4], [2]]}\n"),
            "m.yaml:1:39: every stage of 'layers' has a number for each chunk");
  EXPECT_EQ(errorOf("ranks: {pipeline: 2, chunks: 3, layers: [[0, 4], [2, 6]]}\n"),
            "m.yaml:1:8: 'layers' has 2 numbers for every stage, and there are 3 chunks");
  EXPECT_EQ(errorOf("ranks: {pipeline: 2, chunks: 2, layers: [0, 4]}\n"),
            "m.yaml:1:8: 'layers' has 2 numbers for 2 stages of 'pipeline' of 2 chunks each, as in "
            "[[0, 4], [2, 6]]");
  EXPECT_EQ(errorOf("ranks: {chunks: 0}\n"), "m.yaml:1:17: 'chunks' is a number from 1 up");
  EXPECT_EQ(errorOf("ranks: {data: 3, expert: 2}\n"),
            "m.yaml:1:8: 'expert' divides the data-parallel ranks, and 3 is no multiple of 2; "
            "groups say otherwise");
  EXPECT_EQ(errorOf("ranks: {experts: 8}\n"),
            "m.yaml:1:8: 'experts' are divided among the ranks that 'expert' says");
  EXPECT_EQ(errorOf("ranks: {expert: [0, 1, 2], experts: 8}\n"),
            "m.yaml:1:8: 8 experts are not divided evenly among 3 ranks");
  EXPECT_EQ(errorOf("shards:\n  - {match: a, over: expert, as: sum}\n"),
            "m.yaml:2:5: over expert, a rule of shards says 'dim'");
}

TEST(SiteMapping, NumbersAreReadUpToTheirLimits) {
  EXPECT_EQ(errorOf("ranks: {tensor: [0, 65535]}\n"), "no error");
  EXPECT_THAT(errorOf("ranks: {tensor: [0, 65536]}\n"),
              HasSubstr("is no number of a rank or layer"));
  EXPECT_EQ(errorOf("ranks: {tensor: 255, data: 256}\n"), "no error");
  EXPECT_EQ(errorOf("ranks: {tensor: 256, data: 256}\n"),
            "m.yaml:1:8: are more ranks than there can be");
  EXPECT_EQ(errorOf("ranks: {tensor: 256, pipeline: 256}\n"),
            "m.yaml:1:8: are more ranks than there can be");
  EXPECT_EQ(errorOf("shards:\n  - {match: a, dim: 2147483647}\n"), "no error");
  EXPECT_EQ(errorOf("shards:\n  - {match: a, dim: -2147483647}\n"), "no error");
  for (const char* const beyond : {"2147483648", "-2147483648"}) {
    EXPECT_THAT(errorOf("shards:\n  - {match: a, dim: " + std::string(beyond) + "}\n"),
                HasSubstr("'dim' is the number of a dimension"));
  }
  EXPECT_THAT(errorOf("shards:\n  - {match: a, dim: 0, parts: [2]}\n"),
              HasSubstr("at least two relative sizes"));
  EXPECT_THAT(errorOf("shards:\n  - {match: a, dim: 0, parts: [2, 0]}\n"),
              HasSubstr("at least two relative sizes"));
  EXPECT_EQ(errorOf("shards:\n  - {match: a, dim: 0, parts: [1, 1]}\n"), "no error");
}

TEST(MappingFile, IsKeptAsItIsWritten) {
  const test::TempDir folder;
  const std::string yaml = "# mine\nrules:\n  - {match: a, replace: b}\n";
  const auto file = readMappingFile(folder.write("m.yaml", yaml));
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(file->text, yaml);
  EXPECT_EQ(file->mapping.map("a").value_or(""), "b");
  EXPECT_THAT(readMappingFile(folder.write("m.yaml", "rules: 1\n")).error().message(),
              HasSubstr("m.yaml:1:"));
}

TEST(MappingFile, HasUpTo16MiB) {
  const test::TempDir folder;
  const auto errorOf = [&](std::uint64_t bytes) {
    return readMappingFile(test::longFile(folder, "m.yaml", "}", bytes)).error().message();
  };
  EXPECT_THAT(errorOf(16U << 20U), Not(HasSubstr(test::kTooLong)));
  EXPECT_THAT(errorOf((16U << 20U) + 1), HasSubstr(test::kTooLong));
}

}  // namespace
}  // namespace ulp::analysis
