#include "core/comparing/match/mapping_suggestions.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/comparing/match/all_names.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/machine/process_seconds.h"
#include "tests/support/machine/sanitizers.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;
using testing::ElementsAre;
using testing::IsEmpty;

double between(std::string_view a, std::string_view b) {
  return likeness(wordsOf(a), wordsOf(b));
}

/// The one of `others` that is most like `name`.
std::string_view closest(std::string_view name, std::initializer_list<std::string_view> others) {
  std::string_view best;
  double most = -1;
  for (const std::string_view other : others) {
    if (const double alike = between(name, other); alike > most) {
      most = alike;
      best = other;
    }
  }
  return best;
}

TEST(NameLikeness, CutsNamesIntoWordsAndNumbers) {
  const NameWords words = wordsOf("decoder.layers.11.selfAttn.q_proj2.RMSNorm/37");
  EXPECT_THAT(words.words,
              ElementsAre("decoder", "layers", "self", "attn", "q", "proj2", "rms", "norm"));
  EXPECT_THAT(words.numbers, ElementsAre(11, 37));
  EXPECT_THAT(wordsOf("").words, IsEmpty());
  EXPECT_THAT(wordsOf("...").words, IsEmpty());
  EXPECT_THAT(wordsOf("99999999999999999999").numbers, IsEmpty()) << "no layer has such a number";
}

TEST(NameLikeness, HasOneSpellingForWhatToolsNameDifferently) {
  EXPECT_EQ(wordsOf("blk.0.attn_q.weight").words, wordsOf("layers.0.attention.wq.weight").words);
  EXPECT_EQ(wordsOf("input_layernorm").words, wordsOf("attn_norm").words);
  EXPECT_DOUBLE_EQ(between("h.0.mlp", "blocks.5.ffn"), 1);
}

TEST(NameLikeness, IsOneForEqualNamesAndZeroForStrangers) {
  EXPECT_DOUBLE_EQ(between("model.layers.0.mlp.gate_proj", "model.layers.7.mlp.gate_proj"), 1);
  EXPECT_DOUBLE_EQ(between("gate", "rotary"), 0);
  EXPECT_DOUBLE_EQ(between("q", "k"), 0) << "one letter of one is not nearly the same";
  EXPECT_DOUBLE_EQ(between("", ""), 1);
  EXPECT_DOUBLE_EQ(between("", "gate"), 0);
}

TEST(NameLikeness, IsSymmetric) {
  for (const auto& [a, b] : {std::pair("model.layers.0.self_attn.o_proj", "h.0.attn.c_proj"),
                             std::pair("rotary", "rot_emb"),
                             std::pair("a.b.c", "c.b.a")}) {
    EXPECT_DOUBLE_EQ(between(a, b), between(b, a)) << a << ' ' << b;
  }
}

TEST(NameLikeness, CountsAbbreviationsAndTypingErrorsInPart) {
  EXPECT_DOUBLE_EQ(between("rot", "rotary"), 0.75);
  EXPECT_DOUBLE_EQ(between("embeder", "embeddr"), 0.9 * 6 / 7);
  EXPECT_DOUBLE_EQ(between("up", "ud"), 0);
}

TEST(NameLikeness, PutsTheRightPartsOfOtherFamiliesFirst) {
  const auto huggingFace = {std::string_view("model.layers.0.self_attn.q_proj"),
                            std::string_view("model.layers.0.self_attn.k_proj"),
                            std::string_view("model.layers.0.self_attn.o_proj"),
                            std::string_view("model.layers.0.mlp.gate_proj"),
                            std::string_view("model.layers.0.mlp.up_proj"),
                            std::string_view("model.layers.0.mlp.down_proj"),
                            std::string_view("model.layers.0.input_layernorm"),
                            std::string_view("model.layers.0.post_attention_layernorm"),
                            std::string_view("model.norm"),
                            std::string_view("model.embed_tokens"),
                            std::string_view("lm_head")};
  const std::vector<std::pair<const char*, const char*>> known{
      {"blk.0.attn_k", "model.layers.0.self_attn.k_proj"},
      {"blk.0.attn_output", "model.layers.0.self_attn.o_proj"},
      {"blk.0.ffn_down", "model.layers.0.mlp.down_proj"},
      {"blk.0.attn_norm", "model.layers.0.input_layernorm"},
      {"blk.0.ffn_norm", "model.layers.0.post_attention_layernorm"},
      {"token_embd", "model.embed_tokens"},
      {"output_norm", "model.norm"},
      {"layers.0.attention.wq", "model.layers.0.self_attn.q_proj"},
      {"layers.0.feed_forward.w1", "model.layers.0.mlp.gate_proj"},
      {"layers.0.feed_forward.w3", "model.layers.0.mlp.up_proj"},
      {"transformer.h.0.attn.out_proj", "model.layers.0.self_attn.o_proj"},
      {"transformer.h.0.ln_2", "model.layers.0.post_attention_layernorm"},
      {"decoder.layers.0.self_attention.linear_q", "model.layers.0.self_attn.q_proj"},
      {"decoder.final_layernorm", "model.norm"},
      {"output_layer", "lm_head"}};
  for (const auto& [name, meant] : known) {
    EXPECT_EQ(closest(name, huggingFace), meant) << name;
  }
}

struct Named {
  const char* module;
  std::size_t width;  ///< of its output
};

std::shared_ptr<BuiltUnit> unitOf(const std::vector<Named>& modules) {
  auto unit = std::make_shared<BuiltUnit>();
  for (const Named& named : modules) {
    unit->module(named.module);
    unit->recorded(Role::Output, "0", std::vector<double>(named.width, 1));
  }
  return unit;
}

MappingSuggestions suggestionsOf(const BuiltUnit& baseline, const BuiltUnit& candidate) {
  auto suggestions = suggestPartners(baseline, allNames(baseline), candidate, allNames(candidate));
  EXPECT_TRUE(suggestions);
  return suggestions.value_or(MappingSuggestions{});
}

TEST(MappingSuggestions, FindTheModulesOfAnotherFamilyInTheSameLayer) {
  const auto baseline = unitOf({{"model.layers.0.self_attn.q_proj", 4},
                                {"model.layers.0.mlp.down_proj", 4},
                                {"model.layers.1.self_attn.q_proj", 4},
                                {"model.layers.1.mlp.down_proj", 4},
                                {"lm_head", 9}});
  const auto candidate = unitOf({{"output_layer", 9},
                                 {"blk.1.ffn_down", 4},
                                 {"blk.1.attn_q", 4},
                                 {"blk.0.ffn_down", 4},
                                 {"blk.0.attn_q", 4}});
  const MappingSuggestions found = suggestionsOf(*baseline, *candidate);
  ASSERT_EQ(found.ofBaseline.size(), 5U);
  EXPECT_EQ(found.ofBaseline[0].partner, 4U);
  EXPECT_EQ(found.ofBaseline[1].partner, 3U);
  EXPECT_EQ(found.ofBaseline[2].partner, 2U);
  EXPECT_EQ(found.ofBaseline[3].partner, 1U);
  EXPECT_EQ(found.ofBaseline[4].partner, 0U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_TRUE(found.ofBaseline[i].isMutual) << i;
    EXPECT_EQ(found.ofCandidate[found.ofBaseline[i].partner].partner, i);
    EXPECT_DOUBLE_EQ(found.ofBaseline[i].tensors, 1) << i;
  }
}

TEST(MappingSuggestions, ShapesDecideWhereNamesDoNot) {
  const auto baseline = unitOf({{"layers.0.mlp.first", 8}, {"layers.0.mlp.second", 4}});
  const auto candidate = unitOf({{"layers.0.mlp.a", 4}, {"layers.0.mlp.b", 8}});
  const MappingSuggestions found = suggestionsOf(*baseline, *candidate);
  EXPECT_EQ(found.ofBaseline[0].partner, 1U);
  EXPECT_EQ(found.ofBaseline[1].partner, 0U);
  const double names = found.ofBaseline[0].names;
  EXPECT_NEAR(found.ofBaseline[0].score, 2 * names / 3 + 1.0 / 3, 1e-12);
}

TEST(MappingSuggestions, ADTypeThatDiffersCostsATenthOfTheTensors) {
  const auto baseline = unitOf({{"mlp.one", 4}});
  auto candidate = unitOf({{"mlp.only", 4}});
  candidate->rows[0].dtype = "torch.bfloat16";
  EXPECT_DOUBLE_EQ(suggestionsOf(*baseline, *candidate).ofBaseline[0].tensors, 0.9);
  candidate->rows[0].dtype = "Float";
  EXPECT_DOUBLE_EQ(suggestionsOf(*baseline, *candidate).ofBaseline[0].tensors, 1)
      << "another spelling is no other format";
}

TEST(MappingSuggestions, AmongEqualsTheSamePlaceDecides) {
  const auto build = [](const char* operation) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("model.layers.0.mlp");
    unit->recorded(Role::Output, "0", {1});
    for (std::uint64_t call = 0; call < 3; ++call) {
      unit->api(operation, call, 0);
      unit->recorded(Role::Output, "0", {1});
    }
    return unit;
  };
  const auto baseline = build("Functional.linear");
  const auto candidate = build("NPU.linear");
  const auto own = openNames(*baseline, std::vector<std::size_t>{1, 2, 3});
  const auto others = openNames(*candidate, std::vector<std::size_t>{1, 2, 3});
  const auto found = suggestPartners(*baseline, own, *candidate, others);
  ASSERT_TRUE(found);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found->ofBaseline[i].partner, i);
    EXPECT_TRUE(found->ofBaseline[i].isMutual);
  }
}

TEST(MappingSuggestions, StrangersAndOtherPassesHaveNone) {
  const auto baseline = unitOf({{"rotary", 4}, {"mlp.gate", 4}});
  BuiltUnit candidate;
  candidate.module("conv");
  candidate.recorded(Role::Output, "0", {1, 2});
  candidate.entry({.name = "mlp.gate.backward",
                   .kind = EntryKind::Module,
                   .pass = Pass::Backward,
                   .module = "mlp.gate.inner"});
  candidate.recorded(Role::Output, "0", {1, 2, 3, 4});
  const MappingSuggestions found = suggestionsOf(*baseline, candidate);
  for (const PartnerSuggestion& suggestion : found.ofBaseline) {
    EXPECT_TRUE(suggestion.isEmpty());
    EXPECT_EQ(suggestion.score, 0);
  }
  EXPECT_TRUE(found.ofCandidate[0].isEmpty());
}

TEST(MappingSuggestions, NamesAloneDoWhereADumpHasNoShapes) {
  auto baseline = unitOf({{"model.layers.3.mlp.up_proj", 4}});
  baseline->rows[0].shape.clear();
  baseline->rows[0].dtype.clear();
  const auto candidate = unitOf({{"model.layers.3.ffn.up", 4}});
  const MappingSuggestions found = suggestionsOf(*baseline, *candidate);
  EXPECT_TRUE(std::isnan(found.ofBaseline[0].tensors));
  EXPECT_EQ(found.ofBaseline[0].score, found.ofBaseline[0].names);
  EXPECT_GT(found.ofBaseline[0].score, 0.8);
}

TEST(MappingSuggestions, AnotherLayerIsWorthLessThanTheSame) {
  const auto baseline = unitOf({{"model.layers.2.mlp.up_proj", 4}});
  const auto shifted = unitOf({{"model.layers.9.mlp.up_proj", 4}});
  const auto same = unitOf({{"model.layers.2.mlp.up", 4}});
  EXPECT_DOUBLE_EQ(suggestionsOf(*baseline, *shifted).ofBaseline[0].names, 0.7);
  EXPECT_GT(suggestionsOf(*baseline, *same).ofBaseline[0].names, 0.7);
}

/// How a dump of a large mixture of experts calls its projections.
struct ExpertNames {
  std::string layers;
  std::string expert;
  std::string projection;
};

std::shared_ptr<BuiltUnit> mixtureOfExperts(const ExpertNames& names) {
  constexpr int kLayers = 60;
  constexpr int kManyExperts = 256;
  auto unit = std::make_shared<BuiltUnit>();
  for (int number = 0; number < kLayers * kManyExperts; ++number) {
    const std::string expert = names.layers + "." + std::to_string(number / kManyExperts) +
                               names.expert + std::to_string(number % kManyExperts);
    for (const char* part : {"gate", "up", "down"}) {
      unit->module(expert + "." + part + names.projection);
      for (const Role role : {Role::Input, Role::Parameter, Role::Output}) {
        unit->recorded(role, role == Role::Parameter ? "weight" : "0", {1, 2, 3});
      }
    }
  }
  return unit;
}

TEST(MappingSuggestions, AHundredThousandRowsTakeSecondsWhereEveryNameDiffers) {
  const auto baseline = mixtureOfExperts({"model.layers", ".mlp.experts.", "_proj"});
  const auto candidate = mixtureOfExperts({"blk", ".ffn.expert.", ""});
  ASSERT_EQ(baseline->rows.size(), 138'240U);
  const double begin = test::processSeconds();
  const MappingSuggestions found = suggestionsOf(*baseline, *candidate);
  const double took = test::processSeconds() - begin;
  for (std::size_t i = 0; i < found.ofBaseline.size(); ++i) {
    ASSERT_EQ(found.ofBaseline[i].partner, i);
  }
  EXPECT_LT(took, 10 * test::sanitizerFactor());
}

TEST(MappingSuggestions, CanBeStopped) {
  const auto unit = unitOf({{"a", 1}});
  std::stop_source stop;
  stop.request_stop();
  const auto found =
      suggestPartners(*unit, allNames(*unit), *unit, allNames(*unit), stop.get_token());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code(), ErrorCode::Cancelled);
}

}  // namespace

}  // namespace ulp::analysis
