#include <gtest/gtest.h>

#include "core/comparing/match/entry_matching.h"
#include "tests/support/data/dump_builder.h"
#include "tests/support/window/model_checks.h"
#include "views/framework/look/theme.h"
#include "views/framework/tables/table_roles.h"
#include "views/mapping/mapping_history.h"
#include "views/mapping/name_rules.h"
#include "views/mapping/open_names_model.h"

namespace ulp::views {
namespace {

using dumps::Role;
using test::BuiltUnit;

OpenUnits unitsOf(const std::vector<const char*>& baseline,
                  const std::vector<const char*>& candidate) {
  const auto unit = [](const std::vector<const char*>& modules) {
    auto built = std::make_shared<BuiltUnit>();
    for (const char* module : modules) {
      built->module(module);
      built->recorded(Role::Output, "0", {1, 2});
    }
    return built;
  };
  const auto names = [](const BuiltUnit& built) {
    return std::make_shared<const std::vector<std::string>>(analysis::mappableNames(built));
  };
  const auto own = unit(baseline);
  const auto other = unit(candidate);
  return {.sides = {.baseline = own, .candidate = other},
          .baselineNames = names(*own),
          .candidateNames = names(*other)};
}

struct Pictures {
  MappingPicturePtr partial;
  MappingPicturePtr whole;
};

Pictures pictures(const OpenUnits& units, const analysis::SiteMapping& mapping = {}) {
  Pictures drawn;
  auto whole = drawMapping(
      units, mapping, [&drawn](MappingPicturePtr first) { drawn.partial = std::move(first); }, {});
  EXPECT_TRUE(whole);
  drawn.whole = whole.value_or(nullptr);
  return drawn;
}

TEST(OpenNamesModel, FillsInWhatIsSuggestedWithoutMovingRows) {
  const Pictures drawn = pictures(unitsOf({"mlp.gate", "rotary"}, {"ffn.gate", "conv"}));
  ASSERT_EQ(drawn.partial->suggestions, nullptr);
  OpenNamesModel model(OpenNamesModel::Side::Baseline);
  const test::ModelChecks checks(&model);
  EXPECT_EQ(model.rowCount(), 0);
  model.setPicture(drawn.partial);
  ASSERT_EQ(model.rowCount(), 2);
  const QPersistentModelIndex partner = model.index(0, OpenNamesModel::Partner);
  EXPECT_EQ(partner.data().toString(), QStringLiteral("…"));
  model.complete(drawn.whole);
  ASSERT_TRUE(partner.isValid());
  EXPECT_EQ(partner.data().toString(), QStringLiteral("ffn.gate"));
  EXPECT_FALSE(partner.data(DimRole).toBool()) << "each suggests the other";
  EXPECT_EQ(model.index(0, OpenNamesModel::Score).data().toString(), QStringLiteral("1.00"));
  EXPECT_EQ(model.index(1, OpenNamesModel::Partner).data().toString(), QStringLiteral("–"));
  EXPECT_EQ(model.index(1, OpenNamesModel::Score).data().toString(), QString());
  EXPECT_EQ(model.suggestionAt(1), std::nullopt);
  model.setPicture(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(OpenNamesModel, ShowsAPartOfTheNames) {
  const Pictures drawn = pictures(unitsOf({"a.x", "b.y", "c.z"}, {}));
  OpenNamesModel model(OpenNamesModel::Side::Baseline);
  const test::ModelChecks checks(&model);
  model.setPicture(drawn.whole);
  model.setShown({0, 2});
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.index(1, OpenNamesModel::Name).data().toString(), QStringLiteral("c.z"));
  EXPECT_EQ(model.nameAt(1), 2);
  EXPECT_EQ(model.nameAt(2), -1);
  EXPECT_EQ(model.nameAt(-1), -1);
  EXPECT_EQ(model.rowOf(2), 1);
  EXPECT_EQ(model.rowOf(1), -1);
}

TEST(NameRuleModel, ListsRulesThenPairsWithWhatRulesDo) {
  const auto mapping = analysis::SiteMapping::make({{"^ffn", "mlp"}, {"^none", "x"}, {"gate", "g"}},
                                                   {{"conv", "rotary"}});
  ASSERT_TRUE(mapping);
  const Pictures drawn = pictures(unitsOf({"mlp.g", "rotary"}, {"ffn.gate", "conv"}), *mapping);
  EXPECT_EQ(drawn.whole->matchedCalls, 2U);
  NameRuleModel model;
  const test::ModelChecks checks(&model);
  model.setContent(nameRuleColumns(), nameRules(*mapping, {}));
  ASSERT_EQ(model.rowCount(), 4);
  EXPECT_EQ(model.index(0, 3).data().toString(), QStringLiteral("…"));
  model.setRows(nameRules(*mapping, drawn.whole->effects));
  EXPECT_EQ(model.index(0, 3).data().toString(),
            QStringLiteral("names changed: 1; all of them are in the baseline then"));
  EXPECT_EQ(model.index(1, 3).data().toString(), QStringLiteral("▲ changes no name"));
  EXPECT_EQ(model.index(1, 3).data(SeverityRole).toInt(), static_cast<int>(Severity::Look));
  EXPECT_EQ(model.index(3, 1).data().toString(), QStringLiteral("conv"));
  EXPECT_EQ(model.index(3, 3).data().toString(), QString());
  EXPECT_EQ(model.row(3).rule, std::nullopt);
}

TEST(MappingPicture, PairsAllThatSuggestEachOther) {
  const Pictures drawn =
      pictures(unitsOf({"layers.0.mlp", "layers.1.mlp", "x"}, {"h.1.ffn", "h.0.ffn", "y"}));
  EXPECT_EQ(
      mutualPairs(*drawn.whole),
      (std::vector<analysis::NamePair>{{"h.0.ffn", "layers.0.mlp"}, {"h.1.ffn", "layers.1.mlp"}}));
}

TEST(MappingPicture, CountsTensorsThatNoNameCanPair) {
  const OpenUnits units = unitsOf({"a"}, {"a"});
  auto extended = std::make_shared<BuiltUnit>();
  extended->module("a");
  extended->recorded(Role::Input, "0", {1});
  extended->recorded(Role::Output, "0", {1, 2});
  extended->recorded(Role::Output, "1", {1, 2});
  OpenUnits other = units;
  other.sides.candidate = extended;
  EXPECT_EQ(pictures(other).whole->loneTensors, 2U);
  EXPECT_EQ(pictures(units).whole->loneTensors, 0U);
}

TEST(MappingHistory, EveryChangeIsAStep) {
  MappingHistory history(*analysis::SiteMapping::make({{"a", "b"}}, {}));
  history.addPairs({});
  EXPECT_EQ(history.steps().count(), 0) << "nothing was changed";
  history.addPairs({{"x", "y"}});
  ASSERT_TRUE(history.addRule({"c", "d"}));
  ASSERT_TRUE(history.changeRule(0, {"a", "bb"}));
  ASSERT_TRUE(history.changeRule(0, {"a", "bb"}));
  EXPECT_EQ(history.steps().count(), 3) << "the same once more is no change";
  const Result<> bad = history.changeRule(0, {"(", ""});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), ErrorCode::InvalidArgument);
  EXPECT_FALSE(history.addRule({"[", ""}));
  history.remove({0, 1}, {"x"});
  EXPECT_TRUE(history.mapping().isEmpty());
  EXPECT_EQ(history.steps().undoText(), QStringLiteral("removal"));
  for (int i = 0; i < 4; ++i) {
    history.steps().undo();
  }
  EXPECT_EQ(history.mapping().rules(), (std::vector<analysis::RenameRule>{{"a", "b"}}));
  EXPECT_TRUE(history.mapping().pairs().empty());
}

TEST(MappingHistory, OldStepsGoWhereThereAreMany) {
  MappingHistory history(analysis::SiteMapping{});
  for (int pair = 0; pair < 300; ++pair) {
    history.addPairs({{.candidate = "c" + std::to_string(pair), .baseline = "b"}});
  }
  EXPECT_EQ(history.mapping().pairs().size(), 300U);
  EXPECT_EQ(history.steps().count(), 200);
  while (history.steps().canUndo()) {
    history.steps().undo();
  }
  EXPECT_EQ(history.mapping().pairs().size(), 100U);
}

TEST(MappingHistory, KeepsWhatTheMappingSaysOfDumpsAlone) {
  MappingHistory history(*analysis::SiteMapping::make({{"a", "b"}}, {}, {.isFuzzy = true}));
  history.addPairs({{"x", "y"}});
  ASSERT_TRUE(history.addRule({"c", "d"}));
  history.remove({0}, {"x"});
  EXPECT_TRUE(history.mapping().dumps().isFuzzy);
  EXPECT_EQ(history.mapping().rules(), (std::vector<analysis::RenameRule>{{"c", "d"}}));
}

}  // namespace
}  // namespace ulp::views
