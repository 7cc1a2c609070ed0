#include "views/plugins/findings/findings_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QEvent>
#include <QtCore/QScopedValueRollback>
#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "core/analysis/findings/all_findings.h"
#include "core/report/model/one_dump.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/icons.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/findings/finding_pane.h"
#include "views/plugins/findings/threshold_pane.h"
#include "views/plugins/findings/variant_edit.h"
#include "views/studies/cause_pane.h"
#include "views/studies/cause_prover.h"

namespace ulp::views {
namespace {

using report::Finding;
using report::FindingSeverity;

/// Behind severity, place and variants, by which findings that begin alike are told apart.
constexpr int kFindingColumn = 3;
/// Characters that a finding is at least wide.
constexpr int kLeastFinding = 72;
/// Characters that severity, place and variants are at most wide: the sentence repeats them.
constexpr std::array<int, kFindingColumn> kWidestInFront{12, 28, 14};
/// Most severe first, as buttons stand.
constexpr std::array<FindingSeverity, 3> kSeverityOrder{
    FindingSeverity::Broken, FindingSeverity::Look, FindingSeverity::Note};

}  // namespace

FindingsView::FindingsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_model(new FindingsModel(this)),
      m_table(makeTable(m_model, tr("Findings"), context.themes, this)),
      m_variants(new QComboBox(this)),
      m_count(new QLabel(this)),
      m_note(new QLabel(this)),
      m_pane(new FindingPane(context, this)),
      m_prover(CauseProver::of(context.workspace, context.queue, context.background)),
      m_thresholdPane(new ThresholdPane(context.findings, this)),
      m_side(new QStackedWidget(this)),
      m_split(new QSplitter(Qt::Horizontal, this)) {
  makeActions();
  makePage();
  FindingNavigator& navigator = context.findings;
  connect(&navigator, &FindingNavigator::findingsChanged, this, &FindingsView::showFindings);
  connect(&navigator, &FindingNavigator::currentChanged, this, &FindingsView::followCurrent);
}

void FindingsView::makeActions() {
  m_showMe = makeAction(
      {.icon = "show-me",
       .text = tr("Show me"),
       .toolTip =
           tr("Select what the finding is about and go to the view that shows it (Return)")});
  m_explain = makeAction({.icon = "explain",
                          .text = tr("Explain"),
                          .toolTip = tr("The rule of the finding, its thresholds and numbers")});
  m_cause = makeAction({.icon = "differences",
                        .text = tr("Cause"),
                        .toolTip = tr("Go to the cause of the divergence, or to where it is proved "
                                      "by running both runs again")});
  m_makeVariant = makeAction(
      {.icon = "new",
       .text = tr("Make variant"),
       .toolTip =
           tr("Add a variant to the open study that may do better, as far as one is known")});
  m_thresholds = makeAction({.icon = "thresholds",
                             .text = tr("Thresholds"),
                             .toolTip = tr("Change when rules speak up")});
  m_ofTensor = makeAction({.icon = "pin",
                           .text = tr("This tensor"),
                           .toolTip = tr("Show the findings about the selected tensor only")});
  m_ofTensor->setCheckable(true);
  keep("of tensor", m_ofTensor);
  connect(m_ofTensor, &QAction::toggled, this, &FindingsView::filterTensor);
  m_explain->setCheckable(true);
  m_thresholds->setCheckable(true);
  m_explain->setChecked(true);
  keep("explain", m_explain);
  keep(
      "hidden severities",
      [this] {
        int hidden = 0;
        for (std::size_t i = 0; i < m_filter.severities.size(); ++i) {
          hidden |= m_filter.severities.at(i) ? 0 : 1 << i;
        }
        return hidden;
      },
      [this](const QJsonValue& hidden) {
        for (std::size_t i = 0; i < m_severities.size(); ++i) {
          m_severities.at(i)->setChecked((hidden.toInt(0) & 1 << i) == 0);
        }
      });
  connect(m_showMe, &QAction::triggered, this, &FindingsView::showMe);
  connect(m_cause, &QAction::triggered, this, &FindingsView::showCause);
  connect(m_makeVariant, &QAction::triggered, this, &FindingsView::makeVariant);
  for (const auto& [pane, other] :
       {std::pair(m_explain, m_thresholds), std::pair(m_thresholds, m_explain)}) {
    connect(pane, &QAction::toggled, this, [this, other = other](bool on) {
      if (on) {
        other->setChecked(false);
      }
      showPane();
    });
  }
}

/// Asks for the room that its words need also while they stand aside.
class FilterRow : public QWidget {
 public:
  using QWidget::QWidget;

  void setWanted(const QSize& wanted) {
    if (wanted != m_wanted) {
      m_wanted = wanted;
      updateGeometry();
    }
  }
  [[nodiscard]] QSize sizeHint() const override { return m_wanted; }

 private:
  QSize m_wanted;
};

FilterRow* FindingsView::makeFilterRow() {
  auto* row = new FilterRow(this);
  // In a narrow window its texts are shortened; it never keeps the window wide.
  row->setMinimumWidth(1);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(8);
  for (const FindingSeverity severity : kSeverityOrder) {
    auto* button = new QToolButton(row);
    button->setCheckable(true);
    button->setChecked(true);
    button->setAutoRaise(true);
    button->setToolTip(tr("Show or hide findings of this severity"));
    layout->addWidget(button);
    m_severities.at(static_cast<std::size_t>(severity)) = button;
    connect(button, &QToolButton::toggled, this, [this, severity](bool on) {
      m_filter.severities.at(static_cast<std::size_t>(severity)) = on;
      showFindings();
    });
  }
  m_variants->setAccessibleName(tr("Findings of variant"));
  m_variants->setToolTip(tr("Show the findings of one variant only"));
  m_variants->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_variants->setMinimumContentsLength(12);
  layout->addWidget(m_variants);
  const auto addButton = [&](QAction* action) {
    auto* button = new QToolButton(row);
    setUpToolButton(*button, *action);
    layout->addWidget(button);
    m_buttons.push_back(button);
  };
  addButton(m_ofTensor);
  layout->addWidget(m_count);
  layout->addStretch(1);
  for (QAction* action : {m_showMe, m_explain, m_cause, m_makeVariant, m_thresholds}) {
    addButton(action);
  }
  connect(m_variants, &QComboBox::currentIndexChanged, this, [this] {
    m_filter.variant = m_variants->currentData().toString();
    showFindings();
  });
  return row;
}

/// Where the words of the buttons have no room, their icons stand alone: tool tips have the words.
void FindingsView::fitBar() {
  for (const auto style : {Qt::ToolButtonTextBesideIcon, Qt::ToolButtonIconOnly}) {
    for (QToolButton* button : m_buttons) {
      button->setToolButtonStyle(style);
    }
    m_bar->layout()->invalidate();
    const QSize needed = m_bar->layout()->sizeHint();
    if (style == Qt::ToolButtonTextBesideIcon) {
      m_bar->setWanted(needed);
    }
    if (needed.width() <= m_bar->width()) {
      return;
    }
  }
}

bool FindingsView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_bar && event->type() == QEvent::Resize) {
    fitBar();
  }
  if (watched == m_table && event->type() == QEvent::Resize && m_findings) {
    // Once the table has its new size.
    QMetaObject::invokeMethod(this, &FindingsView::stretchFinding, Qt::QueuedConnection);
  }
  return View::eventFilter(watched, event);
}

void FindingsView::connectTable() {
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_table->addActions({m_showMe, m_explain, m_cause, m_makeVariant});
  m_table->setTextElideMode(Qt::ElideRight);
  m_table->setObjectName(QStringLiteral("findings"));
  connect(m_table, &QTableView::activated, this, &FindingsView::showMe);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
    updateActions();
    if (!m_isFollowing && currentFinding() != nullptr) {
      const QScopedValueRollback<bool> guard(m_isFollowing, true);
      context().findings.select(m_model->row(m_table->currentIndex().row()).index);
    }
  });
}

void FindingsView::makePage() {
  connectTable();
  m_bar = makeFilterRow();
  m_bar->installEventFilter(this);
  m_table->installEventFilter(this);
  m_note->setText(
      tr("Findings are about the errors of the runs against the reference, not about "
         "their ratios or differences to the baseline."));
  m_note->setWordWrap(true);
  m_note->setForegroundRole(QPalette::PlaceholderText);
  m_note->setContentsMargins(8, 0, 8, 4);
  m_side->addWidget(m_pane);
  m_side->addWidget(m_thresholdPane);
  m_split->addWidget(m_table);
  m_split->addWidget(m_side);
  m_split->setChildrenCollapsible(false);
  m_split->setStretchFactor(0, 5);
  m_split->setStretchFactor(1, 2);
  auto* page = new QWidget(this);
  columnOf(page, {m_bar, m_note, {m_split, 1}}, kTight);
  setPage(page);
  setFocusProxy(m_table);
  m_model->setContent(findingColumns(), nullptr);
}

void FindingsView::setReport(const DocumentPtr& document) {
  m_document = document;
  if (!document) {
    showNoReport(
        tr("Here the rules of the analysis say what they found: where a variant "
           "first diverges, jumps, values that are not finite."));
    clearFindings();
    return;
  }
  m_bar->setEnabled(true);
  m_note->setVisible(document->basis().relation != Relation::Error);
  fillVariants();
  context().findings.request();
  showFindings();
}

void FindingsView::setSelection(const Selection& /*selection*/) {
  // Of several variants that a finding is about, the selected one is asked about.
  askForCause();
  // What a finding of the list selects is among its tensors: the list stays.
  if (!m_isFollowing && m_ofTensor->isChecked()) {
    filterTensor();
  }
}

void FindingsView::filterTensor() {
  FindingFilter filter = m_filter;
  const Selection& selection = context().selection.selection();
  filter.tensor = m_ofTensor->isChecked() ? selection.site : QString();
  filter.pass = m_ofTensor->isChecked() ? selection.pass : Pass::Forward;
  if (filter != m_filter) {
    m_filter = filter;
    showFindings();
  }
}

void FindingsView::clearFindings() {
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  m_model->setContent(findingColumns(), nullptr);
  m_findings = nullptr;
  // It stands in the title of the tab, where it is seen without a report, too.
  m_bar->setEnabled(false);
  updateCounts();
  updateActions();
}

void FindingsView::fillVariants() {
  const QSignalBlocker silent(m_variants);
  const QString before = m_filter.variant;
  m_variants->clear();
  m_variants->addItem(tr("All variants"), QString());
  for (int i = 0; i < m_document->variantCount(); ++i) {
    m_variants->addItem(m_document->variantName(i), m_document->variantName(i));
  }
  m_variants->setCurrentIndex(std::max(0, m_variants->findData(before)));
  m_filter.variant = m_variants->currentData().toString();
}

void FindingsView::sayWhyEmpty() {
  const report::Report& report = m_document->report();
  const bool isCompared = std::ranges::any_of(
      report.runs, [](const report::Run& run) { return !run.comparisons.empty(); });
  // Culprits are looked for once all of a step is compared: before, nobody has asked.
  const bool isJudged = std::ranges::all_of(report.runs, [](const report::Run& run) {
    return run.status == report::RunStatus::Finished;
  });
  if (report::isOfOneDump(report)) {
    sayWhyOneDumpIsClear();
  } else if (!report.dumps && !isCompared) {
    pages().showEmpty(tr("Nothing to look at yet"),
                      tr("Findings appear here as soon as a variant has finished."));
  } else if (!report.dumps) {
    pages().showEmpty(tr("No rule found anything"),
                      tr("Errors stay within what the formats account for, everything is finite, "
                         "and no variant equals another."));
  } else if (!isJudged) {
    pages().showEmpty(tr("Not compared to the end"),
                      tr("Where errors start is told of a step when all of it is compared."));
  } else if (!isCompared) {
    pages().showEmpty(tr("No verdict"),
                      tr("Nothing that both dumps hold of the same tensors can be compared."));
  } else {
    pages().showEmpty(tr("No rule found anything"),
                      tr("No operation makes a larger error than what it read and the formats "
                         "account for, and everything is finite."));
  }
}

/// It has no errors: of its numbers alone something can be said.
void FindingsView::sayWhyOneDumpIsClear() {
  std::uint64_t unknown = 0;
  std::uint64_t broken = 0;
  for (const report::Run& run : m_document->report().runs) {
    for (const report::Comparison& row : run.comparisons) {
      const bool isBroken = row.variantNonFinite.total() > 0;
      broken += isBroken ? 1 : 0;
      unknown += !isBroken && row.compared < row.count ? 1 : 0;
    }
  }
  const QString told =
      broken > 0 ? tr("%n tensor(s) hold NaN or infinity, and no call makes it of finite numbers.",
                      nullptr,
                      static_cast<int>(broken))
      : unknown > 0 ? tr("Nothing of it is NaN or infinite, as far as was recorded.")
                    : tr("Nothing of it is NaN or infinite.");
  pages().showEmpty(tr("No rule found anything"),
                    told + QLatin1Char(' ') +
                        tr("It is compared with nothing, so that nothing is known of errors."));
}

void FindingsView::showFindings() {
  if (!m_document) {
    return;
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  const FindingNavigator::Findings found = context().findings.findings();
  if (!found) {
    m_model->setContent(findingColumns(), nullptr);
    m_findings = nullptr;
    pages().showEmpty(tr("Looking for findings…"), {});
    updateActions();
    return;
  }
  if (found->empty() && !context().findings.hasChangedThresholds()) {
    sayWhyEmpty();
  } else {
    pages().showPage();
  }
  std::vector<int> shown = filterFindings(*found, m_filter);
  auto rows = std::make_shared<const std::vector<FindingRow>>(
      makeFindingRows(*found, shown, context().findings.rules()));
  m_model->setContent(findingColumns(), std::move(rows));
  m_findings = found;  // rows point into it: the old ones have to go first
  context().findings.setShown(std::move(shown));
  fitColumns(*m_table, 24);
  const int em = m_table->fontMetrics().averageCharWidth();
  for (int column = 0; column < kFindingColumn; ++column) {
    const int widest = kWidestInFront.at(static_cast<std::size_t>(column)) * em;
    m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), widest));
  }
  stretchFinding();
  updateCounts();
  followCurrent(context().findings.current());
  showPane();
}

void FindingsView::stretchFinding() {
  const QHeaderView& header = *m_table->horizontalHeader();
  const int others = header.length() - header.sectionSize(kFindingColumn);
  m_table->setColumnWidth(kFindingColumn,
                          std::max(kLeastFinding * m_table->fontMetrics().averageCharWidth(),
                                   m_table->viewport()->width() - others));
}

void FindingsView::updateCounts() {
  const std::array<int, 3> counts =
      m_findings ? countBySeverity(*m_findings, m_filter) : std::array<int, 3>{};
  for (const FindingSeverity severity : kSeverityOrder) {
    const auto place = static_cast<std::size_t>(severity);
    m_severities.at(place)->setText(
        QStringLiteral("%1  %2").arg(findingSeverityText(severity)).arg(counts.at(place)));
  }
  m_count->setText(m_findings
                       ? tr("%1 of %2 findings").arg(m_model->rowCount()).arg(m_findings->size())
                       : QString());
  fitBar();
}

void FindingsView::followCurrent(int index) {
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  int row = -1;
  for (int i = 0; i < m_model->rowCount() && row < 0; ++i) {
    row = m_model->row(i).index == index ? i : -1;
  }
  if (row < 0) {
    m_table->setCurrentIndex({});
    m_table->clearSelection();
  } else if (m_table->currentIndex().row() != row) {
    m_table->setCurrentIndex(m_model->index(row, kFindingColumn));
  }
  updateActions();
}

const Finding* FindingsView::currentFinding() const {
  const QModelIndex index = m_table->currentIndex();
  return index.isValid() ? m_model->row(index.row()).finding : nullptr;
}

void FindingsView::updateActions() {
  const Finding* finding = currentFinding();
  m_showMe->setEnabled(finding != nullptr);
  m_makeVariant->setEnabled(finding != nullptr && !finding->overrides.empty());
  m_pane->setFinding(finding);
  askForCause();
}

void FindingsView::askForCause() {
  const Finding* finding = currentFinding();
  const analysis::FindingRule* rule =
      finding == nullptr ? nullptr : context().findings.rules().find(finding->rule);
  std::optional<CauseQuestion> question;
  if (rule != nullptr && rule->isOfDivergence && !finding->runs.empty() &&
      !finding->sites.empty()) {
    const QString selected = context().selection.selection().run();
    const bool isOfSelected = std::ranges::count(finding->runs, selected.toStdString()) > 0;
    question = m_prover.questionOf(isOfSelected ? selected
                                                : QString::fromStdString(finding->runs.front()));
  }
  m_cause->setEnabled(question.has_value());
  m_pane->setQuestion(question);
}

void FindingsView::showCause() {
  m_explain->setChecked(true);
  m_pane->showCause();
}

void FindingsView::showPane() {
  m_side->setVisible(m_explain->isChecked() || m_thresholds->isChecked());
  m_side->setCurrentWidget(m_thresholds->isChecked() ? static_cast<QWidget*>(m_thresholdPane)
                                                     : m_pane);
}

void FindingsView::showMe() {
  if (const QModelIndex index = m_table->currentIndex(); index.isValid()) {
    const QScopedValueRollback<bool> guard(m_isFollowing, true);
    context().findings.show(m_model->row(index.row()).index);
  }
}

void FindingsView::makeVariant() {
  const Finding* finding = currentFinding();
  if (finding == nullptr || finding->overrides.empty() || finding->runs.empty()) {
    return;
  }
  const QString selected = context().selection.selection().run();
  const int variant = m_document->findVariant(selected);
  const int base = variant >= 0 && std::ranges::count(finding->runs, selected.toStdString()) > 0
                       ? variant
                       : m_document->findVariant(QString::fromStdString(finding->runs.front()));
  if (base < 0) {
    return;  // of a report that is being replaced
  }
  const report::Run& run = m_document->variant(base);
  Overrides overrides = run.overrides;
  for (const auto& [path, value] : finding->overrides) {
    overrides[path] = value;
  }
  Workspace& workspace = context().workspace;
  const std::string text = workspace.study.isOpen() ? workspace.study.finished().text.toStdString()
                                                    : m_document->report().studyYaml;
  const std::string name = newVariantName(text, run.name, finding->overrides);
  const auto made = withVariant(text, name, overrides);
  if (!made) {
    workspace.messages.raise(messageOf(made.error(), QStringLiteral("make-variant")));
    return;
  }
  if (!workspace.study.isOpen()) {
    workspace.study.openNew();
  }
  workspace.study.setText(QString::fromStdString(*made));
  workspace.messages.raise(
      {.severity = Severity::Fine,
       .text = tr("The open study has the new variant %1.").arg(QString::fromStdString(name)),
       .topic = QStringLiteral("make-variant")});
}

QList<QWidget*> FindingsView::titleControls() const {
  return {m_bar};
}

std::vector<Exhibit> FindingsView::exhibits() const {
  if (!m_document || !m_findings || m_model->rowCount() == 0) {
    return {};
  }
  const QString title =
      m_filter.variant.isEmpty() ? tr("Findings") : tr("Findings of %1").arg(m_filter.variant);
  std::vector<Exhibit> shown{{.id = QStringLiteral("findings"),
                              .title = title,
                              .table = [rows = m_model->rows(), title, alive = m_findings] {
                                return findingTable(title, *rows);
                              }}};
  if (std::optional<Exhibit> cause = m_pane->cause().exhibit()) {
    shown.push_back(*std::move(cause));
  }
  return shown;
}

namespace {

Result<Exhibit> drawFindings(const DrawRequest& request) {
  auto all = ULP_TRY(analysis::allFindings(*request.chosen));
  analysis::eraseFindingsOfOthers(
      all, [&](const std::string& run) { return request.chosen->findRun(run) != nullptr; });
  const auto found = std::make_shared<const std::vector<Finding>>(std::move(all));
  const QString title = FindingsView::tr("Findings");
  return Exhibit{.id = request.what,
                 .title = title,
                 .table =
                     [found, title] {
                       const analysis::FindingRuleRegistry rules = analysis::builtinFindingRules();
                       return findingTable(
                           title, makeFindingRows(*found, filterFindings(*found, {}), rules));
                     },
                 .isTableThreadSafe = true};
}

}  // namespace

void registerFindings(ViewRegistry& registry) {
  registry.add<FindingsView>(
      {.id = QStringLiteral("findings"),
       .title = FindingsView::tr("Findings"),
       .toolTip = FindingsView::tr("What the rules of the analysis found, in order of execution"),
       .icon = QStringLiteral("findings"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_9),
       .area = ViewArea::Bottom,
       .order = 5,
       .subjects = {QStringLiteral("findings")},
       .draw = drawFindings});
}

}  // namespace ulp::views
