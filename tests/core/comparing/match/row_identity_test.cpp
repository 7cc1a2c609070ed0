#include "core/comparing/match/row_identity.h"

#include <gtest/gtest.h>

#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::EntryKind;
using dumps::Role;
using test::BuiltUnit;

TEST(LayerOfTest, IsTheNumberBehindAListOfLayers) {
  EXPECT_EQ(layerOf("model.layers.11.mlp"), 11);
  EXPECT_EQ(layerOf("transformer.h.3"), 3);
  EXPECT_EQ(layerOf("model.norm"), -1);
  EXPECT_EQ(layerOf("experts.4.up"), -1) << "a number that counts no layers";
  EXPECT_EQ(layerOf("model.layers.8191.mlp"), 8191);
  EXPECT_EQ(layerOf("model.layers.2147483647.mlp"), -1) << "a number that no layer has";
  EXPECT_EQ(layerOf(""), -1);
}

TEST(SiteOfTest, ProductsOfADecodersPartsHaveTheNamesOfEveryReport) {
  BuiltUnit unit;
  const auto nameOf = [&](const std::string& path, Role role, const std::string& index) {
    const std::size_t entry = unit.module(path);
    unit.recorded(role, index, {1});
    return siteOf(unit, entry, unit.rows.size() - 1);
  };
  EXPECT_EQ(nameOf("model.layers.4", Role::Output, "0"),
            (Site{"decoder.4", "model.layers.4", 4, Level::Layer, Pass::Forward}));
  EXPECT_EQ(nameOf("model.embed_tokens", Role::Output, "0").name, "embeddings");
  EXPECT_EQ(nameOf("model.norm", Role::Output, "").name, "norm");
  EXPECT_EQ(nameOf("lm_head", Role::Output, "0").name, "logits");
  EXPECT_EQ(nameOf("model", Role::Output, "0.last_hidden_state").name, "model");
  EXPECT_EQ(nameOf("model.layers.4.mlp", Role::Output, "0"),
            (Site{"model.layers.4.mlp", "model.layers.4.mlp", 4, Level::Module, Pass::Forward}));
}

TEST(SiteOfTest, AHeadBesideTheLogitsOfTheModelIsNotThey) {
  BuiltUnit unit;
  unit.module("lm_head");
  unit.tensor(Role::Output, "", {1, 2});
  EXPECT_EQ(siteOf(unit, 0, 0).name, "logits");
  unit.tensor(Role::Output, "", {3, 4});
  unit.rows[0].name = "lm_head";
  unit.rows[1].name = "logits";
  EXPECT_EQ(siteOf(unit, 0, 0).name, "lm_head");
  EXPECT_EQ(siteOf(unit, 0, 0).level, Level::Module);
  EXPECT_EQ(siteOf(unit, 0, 1).name, "logits");
  EXPECT_TRUE(isLogits(siteOf(unit, 0, 1)));
  EXPECT_FALSE(isLogits(siteOf(unit, 0, 0)));
}

TEST(SiteOfTest, OtherRowsSayWhatTheyAre) {
  BuiltUnit unit;
  const std::size_t entry = unit.module("model.layers.0.self_attn");
  unit.recorded(Role::Input, "0", {1});
  unit.recorded(Role::Input, "position_embeddings.1", {1});
  unit.recorded(Role::Parameter, "weight", {1});
  unit.recorded(Role::Output, "1", {1});
  unit.recorded(Role::InputGradient, "0", {1});
  std::vector<std::string> names;
  for (std::size_t row = 0; row < unit.rows.size(); ++row) {
    names.push_back(siteOf(unit, entry, row).name);
  }
  const std::string path = "model.layers.0.self_attn";
  EXPECT_EQ(names,
            (std::vector<std::string>{path + "[input]",
                                      path + "[input.position_embeddings.1]",
                                      path + ".weight",
                                      path + "[output.1]",
                                      path}));
}

TEST(SiteOfTest, GradientsOfTheLogitsAndOfParametersFollowTheReport) {
  BuiltUnit unit;
  const std::size_t head = unit.entry(
      {.name = "head", .kind = EntryKind::Module, .pass = Pass::Backward, .module = "lm_head"});
  unit.recorded(Role::OutputGradient, "0", {1});
  EXPECT_EQ(siteOf(unit, head, 0), (Site{"logits", "lm_head", -1, Level::Layer, Pass::Backward}));
  const std::size_t norm = unit.entry({.name = "norm",
                                       .kind = EntryKind::Gradient,
                                       .pass = Pass::ParameterGradient,
                                       .module = "model.norm"});
  unit.recorded(Role::ParameterGradient, "weight", {1});
  const Site site = siteOf(unit, norm, 1);
  EXPECT_EQ(site.name, "model.norm.weight");
  EXPECT_EQ(site.pass, Pass::ParameterGradient);
}

TEST(SiteOfTest, CallsOfAnApiKeepTheirNumberAndTheirLayer) {
  BuiltUnit unit;
  const std::size_t scope = unit.module("model.layers.1.mlp");
  const std::size_t call = unit.api("Functional.linear", 13, scope);
  unit.recorded(Role::Input, "1", {1});
  unit.recorded(Role::Output, "0", {1});
  EXPECT_EQ(siteOf(unit, call, 0).name, "Functional.linear.13[input.1]");
  EXPECT_EQ(siteOf(unit, call, 1),
            (Site{"Functional.linear.13", "model.layers.1.mlp", 1, Level::Op, Pass::Forward}));
}

TEST(ElementTypeName, IsTorchsWhateverAToolCallsIt) {
  for (const auto* const name : {"float32", "torch.float32", "FP32", "F32"}) {
    EXPECT_EQ(elementTypeName({.name = "t", .dtype = name}), "float32") << name;
  }
  EXPECT_EQ(elementTypeName({.name = "t", .dtype = "F8_E4M3"}), "float8_e4m3fn");
  EXPECT_EQ(elementTypeName({.name = "t", .dtype = "BOOL"}), "bool");
  EXPECT_EQ(elementTypeName({.name = "t", .dtype = "U16"}), "U16") << "read as another type";
  EXPECT_EQ(elementTypeName({.name = "t", .dtype = "Q4_1"}), "Q4_1");
}

}  // namespace

}  // namespace ulp::analysis
