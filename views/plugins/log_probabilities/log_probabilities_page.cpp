#include <QtGui/QAction>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTabBar>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>

#include "views/charts/histogram/histogram_view.h"
#include "views/framework/tables/frozen_column.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/workspace/empty_state.h"
#include "views/plugins/log_probabilities/epsilon_box.h"
#include "views/plugins/log_probabilities/log_probabilities_view.h"

/// The widgets of the view and what they are called.
namespace ulp::views {

void LogProbabilitiesView::makeActions() {
  m_close->setEnabled(false);
  keep("worst first", m_worstFirst);
  keep("log scale", m_logScale);
  keep("all runs", m_allRuns);
  connect(m_worstFirst, &QAction::toggled, this, [this] {
    m_tokenTable->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    showTokens();
  });
  connect(m_logScale, &QAction::toggled, this, &LogProbabilitiesView::showHistogram);
  connect(m_allRuns, &QAction::toggled, this, &LogProbabilitiesView::showHistogram);
  connect(m_open, &QAction::triggered, this, &LogProbabilitiesView::askForFile);
  connect(m_close, &QAction::triggered, this, [this] {
    m_files.clear();
    load();
  });
}

QWidget* LogProbabilitiesView::makeHeading() {
  m_epsilon->setAccessibleName(tr("ε, nats"));
  m_epsilon->setToolTip(tr("Tokens whose log-probability differs by more than this are counted"));
  connect(m_epsilon, &QDoubleSpinBox::valueChanged, this, &LogProbabilitiesView::load);
  keep(
      "epsilon",
      [this] { return m_epsilon->value(); },
      [this](const QJsonValue& epsilon) {
        m_epsilon->setValue(epsilon.toDouble(m_epsilon->value()));
      });
  auto* label = new QLabel(tr("ε, nats"), m_gapPage);
  label->setBuddy(m_epsilon);
  auto* row = new QWidget(m_gapPage);
  rowOf(
      row, {{m_headline, 1}, label, m_epsilon}, {.margins = QMargins(12, 0, 12, 0), .spacing = 8});
  return row;
}

QWidget* LogProbabilitiesView::makeProgressRow() {
  rowOf(m_progressRow,
        {m_progress, m_stop, BoxItem::stretch()},
        {.margins = QMargins(12, 0, 12, 4), .spacing = 8});
  m_progress->setForegroundRole(QPalette::PlaceholderText);
  m_stop->setToolTip(tr("Stops comparing the kept logits; what is shown stays"));
  connect(m_stop, &QPushButton::clicked, this, [this] {
    context().background.cancel(workTag("logits"));
    m_progressRow->hide();
  });
  m_progressRow->hide();
  return m_progressRow;
}

void LogProbabilitiesView::makeTables() {
  m_gapOrder->setSourceModel(m_gaps);
  m_lossOrder->setSourceModel(m_losses);
  for (QTableView* table : {m_gapTable, m_tokenTable, m_lossTable}) {
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    sortOnClick(*table);
  }
  m_gapTable->setObjectName(gapsId());
  m_tokenTable->setObjectName(tokensId());
  m_lossTable->setObjectName(lossesId());
  new FrozenColumn(*m_gapTable, context().themes);
  connect(m_gapTable->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &LogProbabilitiesView::onRunChosen);
  connect(m_tokenTable->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &LogProbabilitiesView::onTokenChosen);
  connect(m_tokenTable->horizontalHeader(),
          &QHeaderView::sortIndicatorChanged,
          this,
          &LogProbabilitiesView::sortTokens);
}

void LogProbabilitiesView::nameTokens() {
  const auto place = chosenRun();
  if (!place || m_data->runs[*place].gap) {
    m_tokensOf->setText(place ? tr("Tokens of %1").arg(m_data->runs[*place].name) : QString());
    m_tokenPages->showPage();
    return;
  }
  const GapRun& run = m_data->runs[*place];
  if (run.notFinite) {
    m_tokenPages->showEmpty(tr("%1: no token has a finite log-probability").arg(run.name),
                            tr("None of %n token(s) is finite both here and in %1.",
                               nullptr,
                               static_cast<int>(run.notFinite->nonFinite))
                                .arg(run.baseline->name));
  } else {
    m_tokenPages->showEmpty(tr("%1 cannot be compared").arg(run.name), run.problem);
  }
}

void LogProbabilitiesView::makePage() {
  m_histogram->setObjectName(differencesId());
  m_histogram->setAccessibleName(tr("Histogram of the differences of log-probabilities"));
  m_below->addWidget(m_histogram);
  auto* tokens = new QWidget(m_below);
  auto* tokenPage = new QWidget(tokens);
  columnOf(
      tokenPage, {m_tokensOf, {m_tokenTable, 1}}, {.margins = QMargins(0, 0, 0, 0), .spacing = 4});
  m_tokenPages = new PageStack(tokens, tokenPage);
  m_tokenPages->showPage();
  m_below->addWidget(tokens);
  m_below->setChildrenCollapsible(false);
  m_split->addWidget(m_gapTable);
  m_split->addWidget(m_below);
  m_split->setStretchFactor(1, 1);
  m_split->setChildrenCollapsible(false);
  columnOf(m_gapPage,
           {makeHeading(), {m_split, 1}, makeProgressRow()},
           {.margins = QMargins(0, 8, 0, 0), .spacing = 8});
  auto* gaps = new QWidget(m_tabs);
  m_gapPages = new PageStack(gaps, m_gapPage);
  m_tabs->setDocumentMode(true);
  m_tabs->setAccessibleName(tr("Parts of the view"));
  m_tabs->tabBar()->setAccessibleName(tr("Parts of the view"));
  m_tabs->addTab(gaps, tr("Log-probabilities"));
  m_tabs->addTab(m_lossTable, tr("Losses and clips"));
  setPage(m_tabs);
  setFocusProxy(m_gapTable);
}

}  // namespace ulp::views
