#include "core/comparing/match/name_likeness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ulp::analysis {
namespace {

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

}  // namespace
}  // namespace ulp::analysis
