#include "views/mapping/name_rules.h"

#include <memory>

#include <QtCore/QCoreApplication>

#include "views/framework/widgets/severity.h"
#include "views/framework/words/metric_text.h"

namespace ulp::views {
namespace {

struct NameRulesWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::MappingEditor)
};

QString shownEffect(const NameRule& row) {
  if (!row.rule) {
    return {};
  }
  return row.effect ? effectText(*row.effect) : QStringLiteral("…");
}

}  // namespace

QString effectText(const analysis::RuleEffect& effect) {
  if (effect.met == 0) {
    const QString text =
        effect.matched == 0
            ? NameRulesWords::tr("changes no name")
            : NameRulesWords::tr("names changed: %1; none of them is in the baseline then")
                  .arg(countText(effect.matched));
    return severityGlyph(Severity::Look) + QLatin1Char(' ') + text;
  }
  return effect.met == effect.matched
             ? NameRulesWords::tr("names changed: %1; all of them are in the baseline then")
                   .arg(countText(effect.matched))
             : NameRulesWords::tr("names changed: %1; in the baseline then: %2")
                   .arg(countText(effect.matched), countText(effect.met));
}

std::vector<Column<NameRule>> nameRuleColumns() {
  const auto column = [](const QString& title, QString (*text)(const NameRule&)) {
    return Column<NameRule>{.title = title, .roles = textRoles<NameRule>(text)};
  };
  std::vector<Column<NameRule>> columns{
      column(NameRulesWords::tr("Kind"),
             [](const NameRule& row) {
               return row.rule ? NameRulesWords::tr("Rule") : NameRulesWords::tr("Pair");
             }),
      column(NameRulesWords::tr("Name in the candidate"),
             [](const NameRule& row) { return QString::fromStdString(row.name); }),
      column(NameRulesWords::tr("Reads as"),
             [](const NameRule& row) { return QString::fromStdString(row.readsAs); }),
      column(NameRulesWords::tr("Effect"), shownEffect)};
  columns.back().roles[SeverityRole] = [](const NameRule& row) {
    const bool isIdle = row.effect && row.effect->met == 0;
    return isIdle ? QVariant(static_cast<int>(Severity::Look)) : QVariant();
  };
  return columns;
}

NameRuleModel::Rows nameRules(const analysis::SiteMapping& mapping,
                              const std::vector<analysis::RuleEffect>& effects) {
  auto rows = std::make_shared<std::vector<NameRule>>();
  for (std::size_t i = 0; i < mapping.rules().size(); ++i) {
    rows->push_back({.rule = i,
                     .name = mapping.rules()[i].match,
                     .readsAs = mapping.rules()[i].replace,
                     .effect = i < effects.size() ? std::optional(effects[i]) : std::nullopt});
  }
  for (const auto& [name, readsAs] : mapping.pairs()) {
    rows->push_back({.rule = std::nullopt, .name = name, .readsAs = readsAs});
  }
  return rows;
}

}  // namespace ulp::views
