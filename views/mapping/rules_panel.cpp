#include "views/mapping/rules_panel.h"

#include <algorithm>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtGui/QShortcut>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QTableView>

#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/mapping/mapping_widgets.h"

namespace ulp::views {
namespace {

struct RulesPanelWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::MappingEditor)
};

QLineEdit* makeField(const QString& name, const QString& placeholder) {
  auto* field = new QLineEdit;
  field->setPlaceholderText(placeholder);
  field->setAccessibleName(name);
  return field;
}

}  // namespace

RulesPanel::RulesPanel(MappingHistory& history, Background& background, const ThemeManager& themes)
    : m_history(history),
      m_background(background),
      m_tag(workTagOf(this, "mapping-effect")),
      m_rules(new NameRuleModel(this)),
      m_table(makeMappingTable(m_rules, RulesPanelWords::tr("Rules and pairs of names"), themes)),
      m_from(makeField(RulesPanelWords::tr("Regular expression of names"),
                       RulesPanelWords::tr("Names that match, as ^h\\.(\\d+)"))),
      m_to(makeField(RulesPanelWords::tr("What matching names read as"),
                     RulesPanelWords::tr("read as, as model.layers.$1"))),
      m_effect(new QLabel),
      m_add(makeMappingButton(RulesPanelWords::tr("&Add rule"),
                              RulesPanelWords::tr("Adds the rule behind the others"))),
      m_change(
          makeMappingButton(RulesPanelWords::tr("&Change rule"),
                            RulesPanelWords::tr("Puts the rule in the place of the chosen one"))),
      m_remove(makeMappingButton(RulesPanelWords::tr("&Remove"),
                                 RulesPanelWords::tr("Removes the chosen rules and pairs"))) {
  m_rules->setContent(nameRuleColumns(), nullptr);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_effect->setTextFormat(Qt::PlainText);
  m_effect->setAccessibleName(RulesPanelWords::tr("Effect of the rule"));
  auto* heading = new QLabel(RulesPanelWords::tr("Rules and pairs"));
  heading->setBuddy(m_table);
  auto* fields = rowOf(nullptr, {{m_from, 1}, {m_to, 1}, m_add, m_change, m_remove}, kMappingBox);
  columnOf(this, {heading, {m_table, 1}, fields, m_effect}, kMappingBox);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::selectionChanged,
          this,
          &RulesPanel::editChosenRule);
  for (QLineEdit* field : {m_from, m_to}) {
    connect(field, &QLineEdit::textChanged, this, &RulesPanel::showEffect);
    connect(field, &QLineEdit::returnPressed, this, [this] {
      (m_change->isEnabled() ? m_change : m_add)->click();
    });
  }
  connect(m_add, &QPushButton::clicked, this, &RulesPanel::addRule);
  connect(m_change, &QPushButton::clicked, this, &RulesPanel::changeRule);
  connect(m_remove, &QPushButton::clicked, this, &RulesPanel::removeChosen);
  auto* erase = new QShortcut(QKeySequence::Delete, m_table);
  erase->setContext(Qt::WidgetShortcut);
  connect(erase, &QShortcut::activated, this, &RulesPanel::removeChosen);
}

std::optional<std::size_t> RulesPanel::chosenRule() const {
  const QModelIndexList rows = m_table->selectionModel()->selectedRows();
  return rows.size() == 1 ? m_rules->row(rows.front().row()).rule : std::nullopt;
}

analysis::RenameRule RulesPanel::typedRule() const {
  return {m_from->text().toStdString(), m_to->text().toStdString()};
}

bool RulesPanel::isCounting() const {
  return m_background.isBusy(m_tag);
}

void RulesPanel::updateButtons() {
  const bool isTyped = !m_from->text().isEmpty();
  m_add->setEnabled(isTyped);
  m_change->setEnabled(isTyped && chosenRule().has_value());
  m_remove->setEnabled(m_table->selectionModel()->hasSelection());
}

void RulesPanel::showRules(const MappingPicturePtr& picture) {
  const analysis::SiteMapping& mapping = m_history.mapping();
  // Effects are those of the picture; while another one is being drawn they may be of other rules.
  const bool isCounted = picture != nullptr && picture->effects.size() == mapping.rules().size();
  m_rules->setRows(
      nameRules(mapping, isCounted ? picture->effects : std::vector<analysis::RuleEffect>()));
  widenColumns(*m_table, 2 * kWidestNameColumn);
}

void RulesPanel::showEffect() {
  updateButtons();
  m_background.cancel(m_tag);
  if (m_from->text().isEmpty() || !m_units) {
    m_effect->clear();
    return;
  }
  std::vector<analysis::RenameRule> rules = m_history.mapping().rules();
  const std::size_t place = chosenRule().value_or(rules.size());
  rules.resize(std::max(rules.size(), place + 1));
  rules[place] = typedRule();
  auto tried = analysis::SiteMapping::make(std::move(rules), m_history.mapping().pairs());
  if (!tried) {
    m_effect->setText(QString::fromStdString(tried.error().message()));
    return;
  }
  using Effect = Result<analysis::RuleEffect>;
  m_background.run<Effect>(
      m_tag,
      this,
      [tried = *std::move(tried), place, units = m_units](const std::stop_token& stop) {
        return analysis::effectOf(
            tried, place, *units->candidateNames, *units->baselineNames, stop);
      },
      [this](const Effect& effect) {
        m_effect->setText(effect ? effectText(*effect)
                                 : QString::fromStdString(effect.error().message()));
      });
}

void RulesPanel::editChosenRule() {
  if (const auto rule = chosenRule()) {
    m_from->setText(QString::fromStdString(m_history.mapping().rules()[*rule].match));
    m_to->setText(QString::fromStdString(m_history.mapping().rules()[*rule].replace));
  }
  showEffect();
}

void RulesPanel::addRule() {
  const Result<> added = m_history.addRule(typedRule());
  Q_EMIT tried(added ? nullptr : &added.error());
  if (added) {
    m_from->clear();
    m_to->clear();
  }
}

void RulesPanel::changeRule() {
  if (const auto rule = chosenRule()) {
    const Result<> changed = m_history.changeRule(*rule, typedRule());
    Q_EMIT tried(changed ? nullptr : &changed.error());
  }
}

void RulesPanel::removeChosen() {
  std::vector<std::size_t> rules;
  std::vector<std::string> pairs;
  for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
    const NameRule& row = m_rules->row(index.row());
    if (row.rule) {
      rules.push_back(*row.rule);
    } else {
      pairs.push_back(row.name);
    }
  }
  std::ranges::sort(rules);
  m_table->clearSelection();
  m_history.remove(rules, pairs);
}

}  // namespace ulp::views
