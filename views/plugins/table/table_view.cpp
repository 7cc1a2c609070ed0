#include "views/plugins/table/table_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QJsonArray>
#include <QtCore/QScopedValueRollback>
#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QMenu>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "views/framework/document/selection_context.h"
#include "views/framework/look/icons.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/search_line.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/report_rules.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/table/table_filter.h"

namespace ulp::views {
namespace {

/// Below this a query takes a few milliseconds and is answered at once.
constexpr std::size_t kSmallTable = 5000;
/// With which a filter asks for what rules say.
constexpr QLatin1String kRulesWord("rules:");

}  // namespace

TableView::TableView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_rules(ReportRules::of(context.workspace.reports, context.settings, context.background)),
      m_model(new TensorTableModel(this)),
      m_table(makeTable(m_model, tr("All tensors"), context.themes, this)),
      m_filter(makeSearchLine(tr("Filter tensors"), this)),
      m_regex(new QToolButton(this)),
      m_scope(new QComboBox(this)),
      m_columns(new QToolButton(this)),
      m_count(new QLabel(this)),
      m_hint(new QWidget(this)),
      m_hintText(makeTextLabel(m_hint)),
      m_asExpression(new QToolButton(m_hint)) {
  makePage();
  keep(
      "hidden",
      [this] { return QJsonArray::fromStringList(m_hidden); },
      [this](const QJsonValue& hidden) {
        m_hidden = QVariant(hidden.toArray().toVariantList()).toStringList();
      });
  keep(
      "allVariants",
      [this] { return m_scope->currentData().toBool(); },
      [this](const QJsonValue& all) { m_scope->setCurrentIndex(all.toBool() ? 1 : 0); });
  keep(
      "regex",
      [this] { return m_regex->isChecked(); },
      [this](const QJsonValue& regex) { m_regex->setChecked(regex.toBool()); });
}

void TableView::makePage() {
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setObjectName(QStringLiteral("tensors"));
  setUpHeader();
  auto* page = new QWidget(this);
  columnOf(page, {makeFilterRow(), makeHint(), {m_table, 1}}, kTight);
  addRowActions();
  setPage(page);
  setFocusProxy(m_table);
  connect(&m_rules, &ReportRules::changed, this, &TableView::showVerdicts);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &TableView::onCurrentChanged);
  connect(m_table, &QTableView::activated, this, [this] {
    context().workspace.requests.goDeeper(kDrillLevel);
  });
}

void TableView::setUpHeader() {
  sortElsewhere(*m_table, [this](int column, Qt::SortOrder order) {
    m_sortColumn = column;
    m_sortOrder = order;
    query();
  });
  QHeaderView* header = m_table->horizontalHeader();
  header->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(header, &QHeaderView::customContextMenuRequested, this, [this, header](const QPoint& at) {
    m_columns->menu()->popup(header->mapToGlobal(at));
  });
}

QWidget* TableView::makeFilterRow() {
  auto* row = new QWidget(this);
  m_filter->addAction(themedIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  m_filter->setToolTip(
      tr("Words of the name or module; variant:fp16, pass:backward, format:bf, kernel:gemm, "
         "rules:fail; values in the unit of their column: rms_rel > 5, nan>0, layer <= 3"));
  m_regex->setText(QStringLiteral(".*"));
  m_regex->setCheckable(true);
  m_regex->setAutoRaise(true);
  m_regex->setToolTip(tr("Regular expression"));
  m_regex->setAccessibleName(tr("Regular expression"));
  m_scope->addItem(tr("Current variant"), false);
  m_scope->addItem(tr("All variants"), true);
  m_scope->setAccessibleName(tr("Variants in the table"));
  m_count->setForegroundRole(QPalette::PlaceholderText);
  makeColumnMenu();
  rowOf(row,
        {{m_filter, 1}, m_regex, m_count, m_scope, m_columns},
        {.margins = QMargins(8, 4, 8, 4), .spacing = 8});
  leadToFilter(*m_table, *m_filter, tr("Filter tensors"));
  connect(m_filter, &QLineEdit::textChanged, this, &TableView::query);
  connect(m_regex, &QToolButton::toggled, this, &TableView::query);
  connect(m_scope, &QComboBox::currentIndexChanged, this, [this] {
    updateVariantColumn();
    query();
  });
  return row;
}

QWidget* TableView::makeHint() {
  m_hint->setObjectName(QStringLiteral("filterHint"));
  m_hint->hide();
  m_asExpression->setText(tr("Use as regular expression"));
  connect(m_asExpression, &QToolButton::clicked, this, [this] { m_regex->setChecked(true); });
  rowOf(m_hint, {{m_hintText, 1}, m_asExpression}, {.margins = QMargins(8, 0, 8, 4), .spacing = 8});
  return m_hint;
}

void TableView::addRowActions() {
  auto* open = new QAction(tr("Open the tensor"), this);
  open->setShortcut(Qt::CTRL | Qt::Key_Return);
  open->setShortcutContext(Qt::WidgetShortcut);
  // Enter leads to the view before it.
  connect(open, &QAction::triggered, this, [this] {
    context().workspace.requests.goDeeper(kDrillLevel + 1);
  });
  auto* copyName = new QAction(tr("Copy name"), this);
  connect(copyName, &QAction::triggered, this, [this] {
    QStringList names;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
      const int site = m_model->row(index.row()).site;
      names << QString::fromStdString(m_document->sites()[static_cast<std::size_t>(site)].name);
    }
    if (!names.isEmpty()) {
      QGuiApplication::clipboard()->setText(names.join(u'\n'));
    }
  });
  m_table->addActions({copyName, open});
}

void TableView::makeColumnMenu() {
  setUpToolButton(*m_columns, {.icon = QStringLiteral("columns"), .name = tr("Columns")});
  m_columns->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(tr("Columns"), m_columns);
  m_columns->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, &TableView::fillColumnMenu);
}

void TableView::fillColumnMenu() {
  QMenu* menu = m_columns->menu();
  menu->clear();
  for (int column = 1; column < m_model->columnCount(); ++column) {
    if (column == static_cast<int>(TensorColumn::Variant) ||
        (column == static_cast<int>(TensorColumn::Rules) && !m_verdicts)) {
      continue;
    }
    QAction* action =
        menu->addAction(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    action->setCheckable(true);
    action->setChecked(!m_table->isColumnHidden(column));
    connect(action, &QAction::toggled, this, [this, column](bool shown) {
      if (!m_document) {
        return;
      }
      m_table->setColumnHidden(column, !shown);
      m_hidden = hiddenColumns();
    });
  }
}

void TableView::setReport(const DocumentPtr& document) {
  const bool sameMetrics = m_document && document &&
                           m_document->report().metrics.size() == document->report().metrics.size();
  m_document = document;
  m_shownQuery.reset();
  m_shownMetric = -1;
  if (document) {
    pages().showPage();
  } else {
    showNoReport(tr("Here every tensor has a row with all its metrics, to filter, sort and copy."));
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  m_model->setDocument(document);
  m_columnsFitted = m_columnsFitted && sameMetrics;
  m_verdicts = nullptr;
  if (document) {
    applyHiddenColumns();
    showVerdicts();
  }
}

void TableView::setSelection(const Selection& selection) {
  m_selection = selection;
  if (!m_document) {
    return;
  }
  showMetric();
  if (m_shownQuery != wantedQuery()) {
    query();
  }
  showSelection();
}

void TableView::showVerdicts() {
  const RuleVerdictsPtr& verdicts = m_rules.verdicts();
  m_verdicts = verdicts && verdicts->document == m_document ? verdicts : nullptr;
  m_model->setVerdicts(m_verdicts);
  updateRulesColumn();
  if (m_shownQuery && *m_shownQuery != wantedQuery()) {
    query();
  }
}

void TableView::updateRulesColumn() {
  constexpr int kColumn = static_cast<int>(TensorColumn::Rules);
  const bool wasHidden = m_table->isColumnHidden(kColumn);
  m_table->setColumnHidden(kColumn, !m_verdicts || m_hidden.contains(QStringLiteral("rules")));
  if (wasHidden && m_verdicts) {
    m_table->resizeColumnToContents(kColumn);
  }
}

/// Its interval and its noise floor stand beside it.
void TableView::showMetric() {
  const int metric = m_document->findMetric(m_selection.metric);
  m_model->setMetric(metric, noiseRuns(*m_document, m_selection));
  if (metric < 0 || metric == m_shownMetric) {
    return;
  }
  m_shownMetric = metric;
  QHeaderView& header = *m_table->horizontalHeader();
  int before = kFirstMetric + metric;
  const std::vector<TensorTableColumn> columns = tensorColumns(*m_document);
  for (int column = kFirstMetric; column < std::ssize(columns); ++column) {
    if (!columns[static_cast<std::size_t>(column)].isOfShownMetric) {
      continue;
    }
    const int from = header.visualIndex(column);
    const int behind = header.visualIndex(before);
    header.moveSection(from, from > behind ? behind + 1 : behind);
    before = column;
  }
}

TableQuery TableView::wantedQuery() const {
  const bool all = m_scope->currentData().toBool();
  const bool dependsOnRules = m_sortColumn == static_cast<int>(TensorColumn::Rules) ||
                              (!m_regex->isChecked() && m_filter->text().contains(kRulesWord));
  return {.variant = all ? -1 : std::max(0, m_document->findVariant(m_selection.run())),
          .shown = m_selection.shown,
          .filter = m_filter->text(),
          .regex = m_regex->isChecked(),
          .sortColumn = m_sortColumn,
          .metric = m_sortColumn >= firstSampleColumn(*m_document)
                        ? m_document->findMetric(m_selection.metric)
                        : -1,
          .verdicts = dependsOnRules ? m_verdicts : nullptr,
          .order = m_sortOrder};
}

void TableView::query() {
  if (!m_document) {
    return;
  }
  if (m_document->variantCount() == 0) {
    showRows({});
    return;
  }
  const TableQuery wanted = wantedQuery();
  m_pendingQuery = wanted;
  const auto variants = static_cast<std::size_t>(m_document->variantCount());
  // Nobody knows how long an expression takes.
  const bool isQuick = !wanted.regex || wanted.filter.isEmpty();
  if (isQuick && m_document->sites().size() * variants <= kSmallTable) {
    context().background.cancel(workTag("table-query"));
    m_shownQuery = wanted;
    showRows(queryTable(*m_document, wanted));
    return;
  }
  m_pending = true;
  context().background.run<TableRows>(
      workTag("table-query"),
      this,
      [document = m_document, wanted](const std::stop_token& stop) {
        return queryTable(*document, wanted, stop);
      },
      [this, document = m_document, wanted](TableRows rows) {
        if (document == m_document && wanted == m_pendingQuery) {
          m_shownQuery = wanted;
          showRows(std::move(rows));
        }
      });
}

void TableView::showRows(TableRows rows) {
  m_pending = false;
  m_total = rows.total;
  m_problem = std::move(rows.problem);
  m_ofNamedVariants = rows.ofNamedVariants;
  {
    const QScopedValueRollback<bool> guard(m_isFollowing, true);
    const int scrolled = m_table->verticalScrollBar()->value();
    m_model->setRows(std::move(rows.rows));
    m_table->verticalScrollBar()->setValue(scrolled);
    if (!m_columnsFitted && m_model->rowCount() > 0) {
      fitColumns(*m_table);
      m_columnsFitted = true;
    }
  }
  updateVariantColumn();
  updateCount();
  updateHint();
  showSelection();
  seekFurther();
}

Sight TableView::bringIntoSight() {
  if (!m_document) {
    return Sight::Absent;
  }
  if (m_pending) {
    return Sight::Awaited;
  }
  int row = selectedRow();
  if (const QString filter = m_filter->text(); row < 0 && !filter.isEmpty()) {
    m_filter->clear();
    noteChange(tr("the tensors that the filter “%1” left out").arg(filter),
               [this, filter] { m_filter->setText(filter); });
    if (m_pending) {
      return Sight::Awaited;
    }
    row = selectedRow();
  }
  if (row < 0) {
    return Sight::Absent;
  }
  m_table->scrollTo(m_model->index(row, std::max(0, m_table->currentIndex().column())));
  return Sight::Seen;
}

std::optional<PlaceMark> TableView::placeMark() const {
  const int row = m_document && !m_pending && pages().showsPage() ? selectedRow() : -1;
  const QRect area = seenOf(*m_table->viewport(), areaOfSelected(*m_table, row));
  if (area.isEmpty()) {
    return std::nullopt;
  }
  const TensorRow& shown = m_model->row(row);
  return PlaceMark{.site = m_selection.site,
                   .pass = m_selection.pass,
                   .run = m_document->variantName(shown.variant),
                   .area = area};
}

void TableView::updateHint() {
  QString text;
  const QString filter = m_filter->text();
  const bool isExpression = m_regex->isChecked();
  const bool offersExpression =
      !m_problem && !isExpression && m_model->rowCount() == 0 && looksLikeExpression(filter);
  if (m_problem) {
    const QString why = QString::fromStdString(m_problem->message());
    text = isExpression && m_problem->code() == ErrorCode::InvalidArgument
               ? tr("“%1” is no regular expression: %2").arg(filter, why)
               : why;
  } else if (offersExpression) {
    text = tr("No tensor has “%1” in its name, letter by letter.").arg(filter);
  }
  m_hintText->setText(text);
  m_asExpression->setVisible(offersExpression);
  m_hint->setVisible(!text.isEmpty());
}

void TableView::updateCount() {
  m_count->setToolTip(m_problem ? QString::fromStdString(m_problem->message()) : QString());
  if (m_problem) {
    m_count->setText(m_problem->code() != ErrorCode::InvalidArgument
                         ? tr("the expression takes too long")
                     : m_regex->isChecked() ? tr("not a valid expression")
                                            : tr("not understood"));
  } else if (m_filter->text().isEmpty()) {
    m_count->setText(tr("%1 tensors").arg(m_total));
  } else {
    m_count->setText(tr("%1 of %2").arg(m_model->rowCount()).arg(m_total));
  }
}

void TableView::updateVariantColumn() {
  m_table->setColumnHidden(static_cast<int>(TensorColumn::Variant), !showsSeveralVariants());
}

int TableView::selectedRow() const {
  const int site = m_document->findSite(m_selection.site.toStdString(), m_selection.pass);
  return m_model->find(std::max(0, m_document->findVariant(m_selection.run())), site);
}

void TableView::showSelection() {
  if (m_pending || !m_document) {
    return;
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  selectOnly(*m_table, selectedRow());
}

void TableView::onCurrentChanged(const QModelIndex& index) {
  if (m_isFollowing || !index.isValid()) {
    return;
  }
  const TensorRow& row = m_model->row(index.row());
  const Site& site = m_document->sites()[static_cast<std::size_t>(row.site)];
  Selection next = m_selection;
  next.runs = QStringList{m_document->variantName(row.variant)};
  next.site = QString::fromStdString(site.name);
  next.pass = site.pass;
  context().selection.select(next);
}

bool TableView::showsSeveralVariants() const {
  return m_scope->currentData().toBool() || m_ofNamedVariants;
}

QStringList TableView::hiddenColumns() const {
  const std::vector<TensorTableColumn> columns = tensorColumns(*m_document);
  QStringList hidden;
  for (int column = 0; column < std::ssize(columns); ++column) {
    const bool isOptional = column == static_cast<int>(TensorColumn::Variant) ||
                            (column == static_cast<int>(TensorColumn::Rules) && !m_verdicts);
    if (m_table->isColumnHidden(column) && !isOptional) {
      hidden << columns[static_cast<std::size_t>(column)].id;
    }
  }
  return hidden;
}

void TableView::applyHiddenColumns() {
  const std::vector<TensorTableColumn> columns = tensorColumns(*m_document);
  for (int column = 1; column < std::ssize(columns); ++column) {
    m_table->setColumnHidden(column,
                             m_hidden.contains(columns[static_cast<std::size_t>(column)].id));
  }
  updateVariantColumn();
  updateRulesColumn();
}

void TableView::restoreState(const QJsonObject& state) {
  View::restoreState(state);
  if (m_document) {
    applyHiddenColumns();
  }
}

std::vector<int> TableView::shownColumns() const {
  const QHeaderView& header = *m_table->horizontalHeader();
  std::vector<int> columns;
  for (int place = 0; place < header.count(); ++place) {
    const int column = header.logicalIndex(place);
    if (!m_table->isColumnHidden(column)) {
      columns.push_back(column);
    }
  }
  return columns;
}

std::vector<Exhibit> TableView::exhibits() const {
  if (!m_document || m_model->rowCount() == 0) {
    return {};
  }
  const QString title = showsSeveralVariants() ? tr("Tensors of all variants")
                                               : tr("Tensors of %1").arg(m_selection.run());
  return {{.id = m_table->objectName(),
           .title = title,
           .table =
               [document = m_document,
                rows = m_model->rows(),
                columns = shownColumns(),
                title,
                metric = m_document->findMetric(m_selection.metric),
                verdicts = m_verdicts] {
                 return tensorTable(*document, *rows, columns, title, metric, verdicts);
               },
           .isTableThreadSafe = true}};
}

void registerTable(ViewRegistry& registry) {
  registry.add<TableView>({.id = QStringLiteral("table"),
                           .title = TableView::tr("Table"),
                           .toolTip = TableView::tr("Every tensor with every metric"),
                           .icon = QStringLiteral("table"),
                           .shortcut = QKeySequence(Qt::ALT | Qt::Key_3),
                           .order = 30,
                           .listsTensors = true});
}

}  // namespace ulp::views
