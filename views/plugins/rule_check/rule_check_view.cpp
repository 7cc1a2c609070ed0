#include "views/plugins/rule_check/rule_check_view.h"

#include <memory>
#include <utility>

#include <QtWidgets/QLabel>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/message.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/report_rules.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/rule_check/rules_editor.h"

namespace ulp::views {
namespace {

/// What lies behind the summaries of a report is its table.
constexpr int kAboveTable = 1;

}  // namespace

RuleCheckView::RuleCheckView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_rules(ReportRules::of(context.workspace.reports, context.settings, context.background)),
      m_editor(new RulesEditor(context.background, context.themes, this)),
      m_headline(makeTextLabel(this)),
      m_runModel(new JudgedRunModel(this)),
      m_runs(makeTable(m_runModel, tr("Variants judged by the rules"), context.themes, this)),
      m_ruleModel(new JudgedRuleModel(this)),
      m_ruleTable(makeTable(m_ruleModel, tr("Outcome of each rule"), context.themes, this)) {
  makePage();
  connect(m_editor, &RulesEditor::applied, &m_rules, &ReportRules::apply);
  connect(m_editor, &RulesEditor::failed, this, [this](const Error& error) {
    Q_EMIT this->context().workspace.messages.raise(messageOf(error, QStringLiteral("rules-file")));
  });
  connect(&m_rules, &ReportRules::changed, this, &RuleCheckView::refresh);
  connect(m_runs, &QTableView::clicked, this, &RuleCheckView::showFirst);
  connect(m_runs, &QTableView::activated, this, &RuleCheckView::showFirst);
  refresh();
}

void RuleCheckView::makePage() {
  m_runs->setObjectName(QStringLiteral("judgedRuns"));
  m_ruleTable->setObjectName(QStringLiteral("judgedRules"));
  m_headline->setObjectName(QStringLiteral("ruleHeadline"));
  m_headline->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  auto* results = new QWidget(this);
  columnOf(results,
           {rowOf(nullptr, {{m_headline, 1}}, {.margins = QMargins(12, 4, 12, 0)}),
            {m_runs, 1},
            {m_ruleTable, 1}},
           {.margins = QMargins(0, 8, 0, 0), .spacing = 8});
  auto* split = new QSplitter(Qt::Horizontal, this);
  split->addWidget(m_editor);
  split->addWidget(results);
  split->setChildrenCollapsible(false);
  split->setSizes({1000, 1400});
  setPage(split);
  setFocusProxy(m_editor);
}

void RuleCheckView::setReport(const DocumentPtr& document) {
  m_document = document;
  if (document) {
    pages().showPage();
  } else {
    showNoReport(
        tr("Here you choose rules of what must hold, such as tolerances, and see which "
           "variants pass."));
  }
  refresh();
}

void RuleCheckView::refresh() {
  // Whoever types meanwhile keeps what was typed.
  if (m_rules.choice() != m_shownChoice) {
    m_shownChoice = m_rules.choice();
    m_editor->showChoice(m_shownChoice);
  }
  const RuleVerdictsPtr& verdicts = m_rules.verdicts();
  std::vector<JudgedRun> runs;
  std::vector<JudgedRule> rules;
  if (verdicts) {
    runs = judgedRuns(*verdicts);
    rules = judgedRules(*verdicts);
  }
  m_headline->setText(headline(runs));
  m_runModel->setContent(judgedRunColumns(),
                         std::make_shared<const std::vector<JudgedRun>>(std::move(runs)));
  m_ruleModel->setContent(judgedRuleColumns(),
                          std::make_shared<const std::vector<JudgedRule>>(std::move(rules)));
  m_runs->setVisible(verdicts != nullptr);
  m_ruleTable->setVisible(verdicts != nullptr);
  fitColumns(*m_runs);
  fitColumns(*m_ruleTable, 60);
}

QString RuleCheckView::headline(const std::vector<JudgedRun>& runs) const {
  if (m_rules.problem()) {
    return errorText(*m_rules.problem());
  }
  if (const RuleVerdictsPtr& verdicts = m_rules.verdicts()) {
    const QString known = judgementHeadline(runs);
    if (const std::optional<Error>& unread = verdicts->judgement.unread) {
      return tr("%1\nTensors could not be read: %2").arg(known, errorText(*unread));
    }
    return verdicts->isReadingElements ? tr("%1 · reading elements…").arg(known) : known;
  }
  return m_rules.isJudging()
             ? tr("Asking the rules…")
             : tr("Choose rules at the left, or write some: every row of the table then says "
                  "whether it passes. NaN and infinities that the baseline does not have fail, "
                  "unless a rule allows them.");
}

void RuleCheckView::showFirst(const QModelIndex& index) {
  const JudgedRun& run = m_runModel->row(index.row());
  const bool isLink = index.column() == kFirstFailingColumn && run.first;
  context().findings.showPlace({run.run}, isLink ? run.first : std::nullopt);
  if (isLink) {
    Q_EMIT context().workspace.requests.goDeeper(kAboveTable);
  }
}

std::vector<Exhibit> RuleCheckView::exhibits() const {
  if (!m_rules.verdicts() || m_runModel->rowCount() == 0) {
    return {};
  }
  const QString title = tr("Variants judged by the rules");
  return {{.id = QStringLiteral("judged-variants"),
           .title = title,
           .table = [rows = m_runModel->rows(), columns = m_runModel->columns(), title] {
             return dataOf(title, columns, *rows);
           }}};
}

void registerRuleCheck(ViewRegistry& registry) {
  registry.add<RuleCheckView>(
      {.id = QStringLiteral("rule_check"),
       .title = RuleCheckView::tr("Rules"),
       .toolTip = RuleCheckView::tr("What must hold of every tensor, and what does not"),
       .icon = QStringLiteral("rules"),
       .shortcut = QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_R),
       .order = 95,
       .purpose = ViewPurpose::Rules,
       .shownAtStart = false});
}

}  // namespace ulp::views
