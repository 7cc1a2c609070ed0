#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/comparing/origin/culprit.h"
#include "tests/support/data/dump_builder.h"

namespace ulp::analysis {
namespace {

using dumps::Role;
using test::BuiltUnit;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// An embedding, and an expert that gets some tokens inside the module that routes them.
struct Routed {
  std::size_t ids = 8;
  std::size_t tokens = 20;
  double hidden = 1;
  double out = 1;

  [[nodiscard]] std::shared_ptr<BuiltUnit> unit() const {
    auto built = std::make_shared<BuiltUnit>();
    built->module("embed_tokens", "Embedding");
    built->recorded(Role::Input, "0", std::vector<double>(ids, 7));
    built->rows.back().dtype = "torch.int64";
    add(*built, Role::Output, {hidden, 2 * hidden});
    const std::size_t expert = built->module("mlp.experts.0", "Expert");
    add(*built, Role::Input, std::vector<double>(tokens, 3));
    add(*built, Role::Output, std::vector<double>(tokens, 5));
    const std::size_t mlp = built->module("mlp", "MoE");
    built->entries[expert].parent = mlp;
    add(*built, Role::Input, {hidden, 2 * hidden});
    add(*built, Role::Output, {out, 3 * out});
    return built;
  }

  /// Against a baseline of none other.
  [[nodiscard]] static std::vector<Culprit> culprits(const Routed& candidate) {
    const auto compared = compareUnits(Routed().unit(), candidate.unit(), {});
    EXPECT_TRUE(compared);
    return findCulprits(*compared).culprits;
  }

 private:
  static void add(BuiltUnit& built, Role role, const std::vector<double>& values) {
    built.recorded(role, "0", values);
    built.rows.back().dtype = "torch.bfloat16";
  }
};

TEST(OtherShapesTest, ATokenThatAnotherExpertGetsIsNotMadeByWhatRoutesIt) {
  EXPECT_THAT(Routed::culprits({.tokens = 19, .hidden = 1.002, .out = 1.25}), IsEmpty());
  const auto nameOfFirst = [](const Routed& candidate) {
    const auto culprits = Routed::culprits(candidate);
    return culprits.empty() ? "" : culprits.front().name;
  };
  const std::string mlp = "Module.mlp.MoE.forward.0";
  EXPECT_EQ(nameOfFirst({.hidden = 1.002, .out = 1.25}), mlp) << "every token is where it was";
  EXPECT_EQ(nameOfFirst({.tokens = 12, .hidden = 1.002, .out = 1.25}), mlp) << "too many tokens";
  EXPECT_EQ(nameOfFirst({.tokens = 19, .hidden = 1.002, .out = 1.85}), mlp) << "too far off";
  EXPECT_EQ(nameOfFirst({.tokens = 19, .out = 1.25}), mlp) << "nothing that came in differs";
}

TEST(OtherShapesTest, IdsOfOtherTokensAreTheCulprit) {
  const auto culprits = Routed::culprits({.ids = 10, .hidden = 1.5, .out = 1.5});
  ASSERT_FALSE(culprits.empty());
  EXPECT_EQ(culprits[0].name, "Module.embed_tokens.Embedding.forward.0");
  EXPECT_EQ(culprits[0].kind, CulpritKind::Source);
  EXPECT_EQ(culprits[0].sureness, Sureness::High);
  EXPECT_THAT(culprits[0].reason.text(),
              StartsWith("its input input.0 is of shape [10] instead of [8]"));
}

TEST(OtherShapesTest, WhatWasNotComparedIsNotSaidToAgree) {
  const auto unitOf = [](std::size_t hidden, double gradient) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("norm", "Norm");
    unit->recorded(Role::Output, "0", std::vector<double>(hidden, 2));
    unit->entry({.name = "norm.parameter_gradient",
                 .kind = dumps::EntryKind::Gradient,
                 .pass = Pass::ParameterGradient,
                 .module = "norm"});
    unit->recorded(Role::ParameterGradient, "weight", {gradient, 1});
    return unit;
  };
  const auto compared = compareUnits(unitOf(8, 1), unitOf(10, 2), {});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_EQ(verdict.culprits.size(), 1U);
  EXPECT_EQ(verdict.culprits[0].sureness, Sureness::Low);
  EXPECT_THAT(verdict.culprits[0].reason.text(),
              HasSubstr("tensors before it are of other shapes, so that what came in was not "
                        "compared"));
}

TEST(OtherShapesTest, WhatChecksumsTellIsNoShapeThatWasGiven) {
  const auto unitOf = [](std::int64_t places, const std::string& sum) {
    auto unit = std::make_shared<BuiltUnit>();
    unit->module("router", "Router");
    unit->checksum(Role::Input, "0", "same");
    unit->checksum(Role::Output, "0", sum);
    unit->shape({places});
    return unit;
  };
  const auto compared =
      compareUnits(unitOf(4, "one"), unitOf(5, "other"), {.checksums = {"crc32", "crc32"}});
  ASSERT_TRUE(compared);
  const Verdict verdict = findCulprits(*compared);
  ASSERT_EQ(verdict.culprits.size(), 1U);
  EXPECT_EQ(verdict.culprits[0].reason.text(),
            "output.0 differs by an unknown amount where at most 0 % came in");
}

}  // namespace
}  // namespace ulp::analysis
