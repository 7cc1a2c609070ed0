#include "views/plugins/config_diff/config_diff_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QScopedValueRollback>
#include <QtGui/QAction>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "views/framework/document/selection_context.h"
#include "views/framework/tables/frozen_column.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/search_line.h"
#include "views/framework/workspace/empty_state.h"

namespace ulp::views {

ConfigDiffView::ConfigDiffView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_model(new ConfigModel(this)),
      m_table(makeTable(m_model, tr("Configuration of the runs"), context.themes, this)),
      m_filter(makeSearchLine(tr("Filter keys and values"), this)),
      m_count(new QLabel(this)),
      m_differences(makeAction({.icon = "differences",
                                .text = tr("Differences only"),
                                .toolTip = tr("Show only the keys in which runs differ")})),
      m_bar(new QWidget(this)) {
  m_differences->setCheckable(true);
  m_differences->setChecked(true);
  keep("differences", m_differences);
  makePage();
  connect(m_differences, &QAction::toggled, this, &ConfigDiffView::showRows);
  connect(m_filter, &QLineEdit::textChanged, this, &ConfigDiffView::showRows);
}

void ConfigDiffView::makePage() {
  new FrozenColumn(*m_table, context().themes);
  m_bar->setMinimumWidth(1);
  m_filter->setMaximumWidth(m_filter->fontMetrics().averageCharWidth() * 40);
  auto* differences = new QToolButton(m_bar);
  differences->setDefaultAction(m_differences);
  differences->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  differences->setAutoRaise(true);
  rowOf(m_bar,
        {{m_filter, 1}, differences, m_count, BoxItem::stretch()},
        {.margins = QMargins(8, 4, 8, 4), .spacing = 8});
  auto* page = new QWidget(this);
  columnOf(page, {m_bar, {m_table, 1}}, kTight);
  setPage(page);
  setFocusProxy(m_table);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &ConfigDiffView::onCurrentChanged);
}

void ConfigDiffView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_configuration = {};
  if (!document) {
    m_model->setContent({}, nullptr);
    showNoReport(tr("Here the runs' configurations stand side by side, with who set each key."));
    return;
  }
  auto table = makeConfigTable(*document);
  if (!table) {
    m_model->setContent({}, nullptr);
    pages().showEmpty(tr("The configuration cannot be read"),
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
    pages().showEmpty(tr("No configuration"), tr("This report does not say what its runs used."));
    return;
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  pages().showPage();
  auto rows = std::make_shared<const std::vector<ConfigRow>>(
      filterConfig(m_configuration, m_filter->text(), m_differences->isChecked()));
  const bool allAgree = std::ranges::none_of(m_configuration.rows, &ConfigRow::differs);
  const auto all = static_cast<int>(m_configuration.rows.size());
  m_count->setText(allAgree && m_differences->isChecked()
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
  const auto run = std::ranges::find(m_configuration.runs, m_run);
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

std::vector<Exhibit> ConfigDiffView::exhibits() const {
  if (!m_document || m_model->rowCount() == 0) {
    return {};
  }
  const QString title =
      m_differences->isChecked() ? tr("Differences of the configurations") : tr("Configurations");
  return {{.id = QStringLiteral("config-diff"), .title = title, .table = [this, title] {
             return configData(title, m_configuration, *m_model->rows());
           }}};
}

namespace {

Result<Exhibit> drawConfigDiff(const DrawRequest& request) {
  report::LoadedReport loaded = request.document->loaded();
  loaded.report = request.chosen;
  auto table = ULP_TRY(makeConfigTable(*ReportDocument::build(std::move(loaded))));
  if (table.rows.empty()) {
    return fail(ErrorCode::NotFound, "the report does not say what its runs used");
  }
  const QString title = ConfigDiffView::tr("Differences of the configurations");
  return Exhibit{
      .id = request.what,
      .title = title,
      .table = [table = std::move(table),
                title] { return configData(title, table, filterConfig(table, {}, true)); },
      .isTableThreadSafe = true};
}

}  // namespace

void registerConfigDiff(ViewRegistry& registry) {
  registry.add<ConfigDiffView>(
      {.id = QStringLiteral("config_diff"),
       .title = ConfigDiffView::tr("Config diff"),
       .toolTip = ConfigDiffView::tr("What every run was configured with, and who set it"),
       .icon = QStringLiteral("config-diff"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_0),
       .area = ViewArea::Bottom,
       .order = 20,
       .layouts = {.configure = true},
       .subjects = {QStringLiteral("config-diff")},
       .draw = drawConfigDiff});
}

}  // namespace ulp::views
