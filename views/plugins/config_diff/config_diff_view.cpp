#include "views/plugins/config_diff/config_diff_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QScopedValueRollback>
#include <QtGui/QAction>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QStackedLayout>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "views/framework/document/selection_context.h"
#include "views/framework/look/icons.h"
#include "views/framework/tables/frozen_column.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"

namespace ulp::views {
namespace {

QString differencesKey() {
  return QStringLiteral("differences");
}

}  // namespace

ConfigDiffView::ConfigDiffView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_model(new ConfigModel(this)),
      m_table(new QuietTableView(this)),
      m_filter(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_differences(
          new QAction(themedIcon(QStringLiteral("differences")), tr("Differences only"), this)),
      m_empty(new EmptyState(this)),
      m_page(new QWidget(this)),
      m_pages(new QStackedLayout(this)) {
  m_differences->setCheckable(true);
  m_differences->setChecked(true);
  m_differences->setToolTip(tr("Show only the keys in which runs differ"));
  addAction(m_differences);
  makePage();
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_page);
  connect(m_differences, &QAction::toggled, this, &ConfigDiffView::showRows);
  connect(m_filter, &QLineEdit::textChanged, this, &ConfigDiffView::showRows);
}

void ConfigDiffView::makePage() {
  setUpTable(*m_table, context().themes);
  m_table->setModel(m_model);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->setAccessibleName(tr("Configuration of the runs"));
  new FrozenColumn(*m_table, context().themes);
  m_bar = new QWidget(m_page);
  m_bar->setMinimumWidth(1);
  QWidget* const row = m_bar;
  auto* bar = new QHBoxLayout(row);
  bar->setContentsMargins(8, 4, 8, 4);
  bar->setSpacing(8);
  m_filter->setPlaceholderText(tr("Filter keys and values"));
  m_filter->setAccessibleName(tr("Filter keys and values"));
  m_filter->setClearButtonEnabled(true);
  m_filter->setMaximumWidth(m_filter->fontMetrics().averageCharWidth() * 40);
  bar->addWidget(m_filter, 1);
  auto* differences = new QToolButton(row);
  differences->setDefaultAction(m_differences);
  differences->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  differences->setAutoRaise(true);
  bar->addWidget(differences);
  bar->addWidget(m_count);
  bar->addStretch(1);
  auto* layout = new QVBoxLayout(m_page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(row);
  layout->addWidget(m_table, 1);
  setFocusProxy(m_table);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &ConfigDiffView::onCurrentChanged);
}

void ConfigDiffView::showEmpty(const QString& title, const QString& text) {
  m_empty->setText(title, text);
  m_empty->hideButton();
  m_pages->setCurrentWidget(m_empty);
}

void ConfigDiffView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_configuration = {};
  if (!document) {
    m_model->setContent({}, nullptr);
    m_empty->setNoReport(tr("Here the runs' configurations stand side by side, with who set each "
                            "key."),
                         context().workspace.requests);
    m_pages->setCurrentWidget(m_empty);
    return;
  }
  auto table = makeConfigTable(*document);
  if (!table) {
    m_model->setContent({}, nullptr);
    showEmpty(tr("The configuration cannot be read"),
              QString::fromStdString(table.error().message()));
    return;
  }
  m_configuration = std::move(*table);
  showRows();
}

void ConfigDiffView::showRows() {
  if (!m_document) {
    return;
  }
  if (m_configuration.rows.empty()) {
    m_model->setContent({}, nullptr);
    showEmpty(tr("No configuration"), tr("This report does not say what its runs used."));
    return;
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  m_pages->setCurrentWidget(m_page);
  auto rows = std::make_shared<const std::vector<ConfigRow>>(
      filterConfig(m_configuration, m_filter->text(), m_differences->isChecked()));
  const auto differing = std::count_if(m_configuration.rows.begin(),
                                       m_configuration.rows.end(),
                                       [](const ConfigRow& row) { return row.differs; });
  const auto all = static_cast<int>(m_configuration.rows.size());
  m_count->setText(differing == 0 && m_differences->isChecked()
                       ? tr("All runs agree in all %1 keys").arg(all)
                       : tr("%1 of %2 keys").arg(rows->size()).arg(all));
  m_model->setContent(configColumns(m_configuration), std::move(rows));
  fitColumns(*m_table, 22);
  showRun();
}

void ConfigDiffView::setSelection(const Selection& selection) {
  m_run = selection.run();
  showRun();
}

void ConfigDiffView::showRun() {
  const auto run = std::find(m_configuration.runs.begin(), m_configuration.runs.end(), m_run);
  if (run == m_configuration.runs.end() || m_model->rowCount() == 0) {
    return;
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  const int column = static_cast<int>(run - m_configuration.runs.begin()) + 1;
  const int row = std::max(0, m_table->currentIndex().row());
  if (m_table->currentIndex().column() != column) {
    m_table->setCurrentIndex(m_model->index(row, column));
  }
}

void ConfigDiffView::onCurrentChanged(const QModelIndex& index) {
  if (m_isFollowing || index.column() < 1) {
    return;
  }
  const QString run = m_configuration.runs[static_cast<std::size_t>(index.column() - 1)];
  if (m_document->findVariant(run) >= 0) {
    context().selection.selectRun(run);
  }
}

QList<QWidget*> ConfigDiffView::titleControls() const {
  return {m_bar};
}

std::vector<Exhibit> ConfigDiffView::exhibits() const {
  if (!m_document || m_model->rowCount() == 0) {
    return {};
  }
  const QString title =
      m_differences->isChecked() ? tr("Differences of the configurations") : tr("Configurations");
  Exhibit exhibit{.id = QStringLiteral("config-diff"), .title = title, .paint = {}, .table = {}};
  exhibit.table = [this, title] {
    std::vector<ConfigRow> rows;
    for (int i = 0; i < m_model->rowCount(); ++i) {
      rows.push_back(m_model->row(i));
    }
    return configData(title, m_configuration, rows);
  };
  return {exhibit};
}

QJsonObject ConfigDiffView::saveState() const {
  return {{differencesKey(), m_differences->isChecked()}};
}

void ConfigDiffView::restoreState(const QJsonObject& state) {
  m_differences->setChecked(state[differencesKey()].toBool(m_differences->isChecked()));
}

namespace {

Result<Exhibit> drawConfigDiff(const DrawRequest& request) {
  report::LoadedReport loaded = request.document->loaded();
  loaded.report = request.chosen;
  auto table = makeConfigTable(*ReportDocument::build(std::move(loaded)));
  if (!table) {
    return tl::unexpected<Error>(std::move(table.error()));
  }
  if (table->rows.empty()) {
    return fail(ErrorCode::NotFound, "the report does not say what its runs used");
  }
  const QString title = ConfigDiffView::tr("Differences of the configurations");
  return Exhibit{
      .id = request.what,
      .title = title,
      .paint = {},
      .table = [table = std::move(*table),
                title] { return configData(title, table, filterConfig(table, {}, true)); },
      .isTableThreadSafe = true};
}

}  // namespace

void registerConfigDiff(ViewRegistry& registry) {
  registry.add(
      {.id = QStringLiteral("config_diff"),
       .title = ConfigDiffView::tr("Config diff"),
       .toolTip = ConfigDiffView::tr("What every run was configured with, and who set it"),
       .icon = QStringLiteral("config-diff"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_0),
       .area = ViewArea::Bottom,
       .order = 20,
       .layouts = {.configure = true},
       .make = [](const ViewContext& context) { return std::make_unique<ConfigDiffView>(context); },
       .subjects = {QStringLiteral("config-diff")},
       .draw = drawConfigDiff});
}

}  // namespace ulp::views
