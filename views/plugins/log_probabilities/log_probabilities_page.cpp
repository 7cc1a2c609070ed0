#include <QtGui/QAction>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QPushButton>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QTabBar>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>

#include "views/charts/histogram/histogram_view.h"
#include "views/framework/tables/frozen_column.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/workspace/empty_state.h"
#include "views/plugins/log_probabilities/epsilon_box.h"
#include "views/plugins/log_probabilities/log_probabilities_view.h"

/// The widgets of the view and what they are called.
namespace ulp::views {

void LogProbabilitiesView::makeActions() {
  m_worstFirst->setToolTip(
      tr("Tokens by the size of their difference instead of as they stand in the text"));
  m_logScale->setToolTip(
      tr("Counts on a logarithmic axis, on which single tokens far out can be seen"));
  m_allRuns->setToolTip(tr("Draw every run, not the selected one alone"));
  m_open->setToolTip(tr(
      "Compare log-probabilities of the same tokens from another engine (.safetensors, .npy, .pt) "
      "with the baseline"));
  m_close->setToolTip(tr("Take away what was opened from other engines"));
  for (QAction* action : {m_worstFirst, m_logScale, m_allRuns}) {
    action->setCheckable(true);
  }
  m_logScale->setChecked(true);
  m_allRuns->setChecked(true);
  m_close->setEnabled(false);
  addActions({m_worstFirst, m_logScale, m_allRuns, m_open, m_close});
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
  m_headline->setTextFormat(Qt::PlainText);
  m_headline->setWordWrap(true);
  m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_epsilon->setAccessibleName(tr("ε, nats"));
  m_epsilon->setToolTip(tr("Tokens whose log-probability differs by more than this are counted"));
  connect(m_epsilon, &QDoubleSpinBox::valueChanged, this, &LogProbabilitiesView::load);
  auto* label = new QLabel(tr("ε, nats"), m_gapPage);
  label->setBuddy(m_epsilon);
  auto* row = new QWidget(m_gapPage);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(12, 0, 12, 0);
  layout->setSpacing(8);
  layout->addWidget(m_headline, 1);
  layout->addWidget(label);
  layout->addWidget(m_epsilon);
  return row;
}

QWidget* LogProbabilitiesView::makeProgressRow() {
  auto* layout = new QHBoxLayout(m_progressRow);
  layout->setContentsMargins(12, 0, 12, 4);
  layout->setSpacing(8);
  m_progress->setForegroundRole(QPalette::PlaceholderText);
  layout->addWidget(m_progress);
  layout->addWidget(m_stop);
  layout->addStretch(1);
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
  m_gapTable->setModel(m_gapOrder);
  m_tokenTable->setModel(m_tokens);
  m_lossOrder->setSourceModel(m_losses);
  m_lossTable->setModel(m_lossOrder);
  for (QTableView* table : {m_gapTable, m_tokenTable, m_lossTable}) {
    setUpTable(*table, context().themes);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setSortingEnabled(true);
    table->horizontalHeader()->setSortIndicatorClearable(true);
    table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  }
  m_gapTable->setObjectName(gapsId());
  m_gapTable->setAccessibleName(tr("Log-probabilities of the runs against the baseline"));
  m_tokenTable->setObjectName(tokensId());
  m_tokenTable->setAccessibleName(tr("Log-probabilities by token"));
  m_lossTable->setObjectName(lossesId());
  m_lossTable->setAccessibleName(tr("Losses and clip decisions"));
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

void LogProbabilitiesView::makePage() {
  m_histogram->setObjectName(differencesId());
  m_histogram->setAccessibleName(tr("Histogram of the differences of log-probabilities"));
  m_below->addWidget(m_histogram);
  m_below->addWidget(m_tokenTable);
  m_below->setChildrenCollapsible(false);
  m_split->addWidget(m_gapTable);
  m_split->addWidget(m_below);
  m_split->setStretchFactor(1, 1);
  m_split->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(m_gapPage);
  layout->setContentsMargins(0, 8, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(makeHeading());
  layout->addWidget(m_split, 1);
  layout->addWidget(makeProgressRow());
  auto* gaps = new QWidget(m_tabs);
  gaps->setLayout(m_gapPages);
  m_gapPages->addWidget(m_noGaps);
  m_gapPages->addWidget(m_gapPage);
  m_tabs->setDocumentMode(true);
  m_tabs->setAccessibleName(tr("Parts of the view"));
  m_tabs->tabBar()->setAccessibleName(tr("Parts of the view"));
  m_tabs->addTab(gaps, tr("Log-probabilities"));
  m_tabs->addTab(m_lossTable, tr("Losses and clips"));
  setFocusProxy(m_gapTable);
}

}  // namespace ulp::views
