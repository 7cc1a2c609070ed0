#include "core/analysis/depth/site_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/studies/model_outline.h"

namespace ulp::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

std::vector<Site> sitesAt(Level level, bool isEager = false) {
  const ModelOutline model{.architecture = "llama",
                           .layers = 3,
                           .hidden = 8,
                           .intermediate = 16,
                           .heads = 2,
                           .keyValueHeads = 1,
                           .headSize = 4,
                           .vocabulary = 32};
  std::vector<Site> sites;
  for (const OutlineSite& site :
       outlineSites(model, {.level = level, .isEager = isEager, .batch = 1, .length = 4})) {
    sites.push_back(site.site);
  }
  return sites;
}

std::vector<std::pair<std::string, Pass>> inputsOf(const std::vector<Site>& sites,
                                                   const std::string& name,
                                                   Pass pass) {
  return SiteInputs(sites).readBy({name, "", -1, Level::Module, pass});
}

TEST(SiteInputs, AreTheOperationsBeforeIt) {
  const auto sites = sitesAt(Level::Op, true);
  EXPECT_THAT(inputsOf(sites, "model.layers.1.self_attn.scores", Pass::Forward),
              ElementsAre(Pair("model.layers.1.self_attn.rotary.query", Pass::Forward),
                          Pair("model.layers.1.self_attn.rotary.key", Pass::Forward)));
  EXPECT_THAT(inputsOf(sites, "model.rotary_emb.cos", Pass::Forward),
              ElementsAre(Pair("model.rotary_emb.inv_freq", Pass::Forward)));
  EXPECT_THAT(inputsOf(sites, "model.rotary_emb.inv_freq", Pass::Forward), IsEmpty());
  EXPECT_THAT(inputsOf(sites, "embeddings", Pass::Forward), IsEmpty());
}

TEST(SiteInputs, ReachBackOverWhatWasNotCaptured) {
  EXPECT_THAT(inputsOf(sitesAt(Level::Module), "model.layers.0.self_attn.o_proj", Pass::Forward),
              UnorderedElementsAre(Pair("model.layers.0.self_attn.q_proj", Pass::Forward),
                                   Pair("model.layers.0.self_attn.k_proj", Pass::Forward),
                                   Pair("model.layers.0.self_attn.v_proj", Pass::Forward),
                                   Pair("model.rotary_emb.cos", Pass::Forward),
                                   Pair("model.rotary_emb.sin", Pass::Forward)));
  EXPECT_THAT(inputsOf(sitesAt(Level::Layer), "decoder.2", Pass::Forward),
              ElementsAre(Pair("decoder.1", Pass::Forward)));
  EXPECT_THAT(inputsOf(sitesAt(Level::Op), "model.layers.0.self_attn.attn_output", Pass::Forward),
              UnorderedElementsAre(Pair("model.layers.0.self_attn.rotary.query", Pass::Forward),
                                   Pair("model.layers.0.self_attn.rotary.key", Pass::Forward),
                                   Pair("model.layers.0.self_attn.v_proj", Pass::Forward)));
}

/// Of which each would be followed through all layers before it or behind it.
TEST(SiteInputs, OfLayersThatNoModelHasAreNone) {
  for (const char* name : {"decoder.2147483647", "decoder.1000000", "decoder.-1"}) {
    for (const Pass pass : {Pass::Forward, Pass::Backward}) {
      EXPECT_THAT(inputsOf({{"decoder.0", "", 0, Level::Layer, Pass::Forward}}, name, pass),
                  IsEmpty())
          << name;
    }
  }
}

TEST(SiteInputs, LieAsManyLayersBackAsAModelMayHave) {
  EXPECT_THAT(inputsOf({{"embeddings", "", -1, Level::Layer, Pass::Forward},
                        {"decoder.8191", "", 8191, Level::Layer, Pass::Forward}},
                       "decoder.8191",
                       Pass::Forward),
              ElementsAre(Pair("embeddings", Pass::Forward)));
}

TEST(SiteInputs, OfGradientsAreThoseBehindAndWhatWasKept) {
  const auto sites = sitesAt(Level::Module);
  EXPECT_THAT(inputsOf(sites, "model.layers.2.mlp.down_proj", Pass::Backward),
              ElementsAre(Pair("norm", Pass::Backward)));
  EXPECT_THAT(inputsOf(sites, "model.layers.1.mlp.up_proj", Pass::Backward),
              UnorderedElementsAre(Pair("model.layers.1.mlp.down_proj", Pass::Backward),
                                   Pair("model.layers.1.mlp.act_fn", Pass::Forward)));
  EXPECT_THAT(inputsOf(sites, "logits", Pass::Backward),
              ElementsAre(Pair("logits", Pass::Forward)));
  EXPECT_THAT(
      inputsOf(sitesAt(Level::Layer), "decoder.0", Pass::Backward),
      UnorderedElementsAre(Pair("embeddings", Pass::Forward), Pair("decoder.1", Pass::Backward)));
}

TEST(SiteInputs, OfScaledLogitsAreWhatTheHeadGives) {
  auto sites = sitesAt(Level::Layer);
  EXPECT_THAT(inputsOf(sites, "logits", Pass::Forward), ElementsAre(Pair("norm", Pass::Forward)));
  sites.push_back({"lm_head", "lm_head", -1, Level::Module, Pass::Forward});
  EXPECT_THAT(inputsOf(sites, "logits", Pass::Forward),
              ElementsAre(Pair("lm_head", Pass::Forward)));
  EXPECT_THAT(inputsOf(sites, "lm_head", Pass::Forward), ElementsAre(Pair("norm", Pass::Forward)));
}

TEST(SiteInputs, KnowEverySiteOfTheLayout) {
  for (const Site& site : sitesAt(Level::Op, true)) {
    const bool isSource = site.name == "embeddings" || site.name == "model.rotary_emb.inv_freq" ||
                          site.pass == Pass::ParameterGradient;
    EXPECT_EQ(SiteInputs(sitesAt(Level::Op, true)).readBy(site).empty(), isSource) << site.name;
  }
}

TEST(SiteInputs, OfAnUnknownSiteAreNone) {
  EXPECT_THAT(inputsOf(sitesAt(Level::Module), "model.layers.0.mlp.experts", Pass::Forward),
              IsEmpty());
}

}  // namespace
}  // namespace ulp::analysis
