#include "views/plugins/dump/dump_view.h"

#include <algorithm>
#include <utility>

#include <QtCore/QScopedValueRollback>
#include <QtCore/QSignalBlocker>
#include <QtGui/QAction>
#include <QtGui/QClipboard>
#include <QtGui/QGuiApplication>
#include <QtWidgets/QComboBox>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QTableView>
#include <QtWidgets/QToolButton>

#include "core/comparing/align/dump_sides.h"
#include "views/framework/document/one_dump.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/document/tensor_pair_source.h"
#include "views/framework/look/icons.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/threads/background.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/search_line.h"
#include "views/framework/words/utf8_text.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/finding_navigator.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/dump/finding_line.h"

namespace ulp::views {
namespace {

/// Below this a query takes a few milliseconds and is answered at once.
constexpr std::size_t kSmallDump = 3000;
/// Where what is selected is shown element by element.
constexpr int kAboveElements = 3;

/// Where NaN and infinity start, or whatever else was found.
enum class Kind : std::uint8_t { Overflow, Other };

/// The first finding of a kind about a run, else about any; -1: there is none.
int findingOf(const FindingNavigator::Findings& findings, Kind kind, const QString& run) {
  int found = -1;
  for (std::size_t i = 0; i < findings->size(); ++i) {
    const report::Finding& finding = (*findings)[i];
    if ((finding.rule == report::kOverflowRule) != (kind == Kind::Overflow)) {
      continue;
    }
    if (finding.isAbout(run.toStdString())) {
      return static_cast<int>(i);
    }
    found = found < 0 ? static_cast<int>(i) : found;
  }
  return found;
}

}  // namespace

DumpView::DumpView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_model(new DumpModel(this)),
      m_table(makeTable(m_model, tr("Tensors of the dump"), context.themes, this)),
      m_units(new QComboBox(this)),
      m_filter(makeSearchLine(tr("Filter tensors"), this)),
      m_notFinite(new QToolButton(this)),
      m_count(new QLabel(this)),
      m_overflow(new FindingLine(this)),
      m_further(new FindingLine(this)) {
  const QAction* compare = makeTitleAction(
      {.icon = "compare", .text = tr("Compare with…"), .toolTip = tr("Compare with another dump")});
  connect(compare, &QAction::triggered, this, &DumpView::compareWith);
  makePage();
  connect(&context.findings, &FindingNavigator::findingsChanged, this, &DumpView::showFindings);
  for (FindingLine* line : {m_overflow, m_further}) {
    connect(line, &FindingLine::showRequested, &context.findings, &FindingNavigator::show);
  }
}

DumpView::~DumpView() {
  context().background.cancel(workTag("dump-unit"));
  context().background.cancel(workTag("dump-query"));
}

void DumpView::makePage() {
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setObjectName(QStringLiteral("dumpTensors"));
  sortElsewhere(*m_table, [this](int column, Qt::SortOrder order) {
    m_sortColumn = column;
    m_sortOrder = order;
    query();
  });
  auto* page = new QWidget(this);
  columnOf(page, {m_overflow, m_further, makeFilterRow(), {m_table, 1}}, kTight);
  addRowActions();
  setPage(page);
  setFocusProxy(m_table);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &DumpView::onCurrentChanged);
  connect(m_table, &QTableView::activated, this, [this] {
    context().workspace.requests.goDeeper(kAboveElements);
  });
}

QWidget* DumpView::makeFilterRow() {
  auto* row = new QWidget(this);
  m_units->setAccessibleName(tr("Unit of the dump"));
  m_units->setToolTip(tr("Step, rank or token whose tensors are listed"));
  m_units->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_filter->addAction(themedIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  m_filter->setToolTip(
      tr("Words of the call, module, tensor or format, such as “output” or “bfloat16”; numbers of "
         "a column: max>100, norm<=5, nan>0"));
  m_notFinite->setText(tr("Not finite"));
  m_notFinite->setCheckable(true);
  m_notFinite->setAutoRaise(true);
  m_notFinite->setToolTip(tr("Show tensors that hold NaN or infinity alone"));
  m_count->setForegroundRole(QPalette::PlaceholderText);
  rowOf(row,
        {m_units, {m_filter, 1}, m_notFinite, m_count},
        {.margins = QMargins(8, 4, 8, 4), .spacing = 8});
  leadToFilter(*m_table, *m_filter, tr("Filter tensors"));
  connect(m_filter, &QLineEdit::textChanged, this, &DumpView::query);
  connect(m_notFinite, &QToolButton::toggled, this, &DumpView::query);
  connect(m_units, &QComboBox::currentIndexChanged, this, [this] {
    context().selection.selectRun(m_units->currentText());
  });
  return row;
}

void DumpView::addRowActions() {
  auto* open = new QAction(tr("Open the elements"), this);
  open->setShortcut(Qt::CTRL | Qt::Key_Return);
  open->setShortcutContext(Qt::WidgetShortcut);
  connect(open, &QAction::triggered, this, [this] {
    context().workspace.requests.goDeeper(kAboveElements);
  });
  auto* copyName = new QAction(tr("Copy name"), this);
  connect(copyName, &QAction::triggered, this, [this] {
    QStringList names;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
      const DumpLine& line = m_model->row(index.row());
      const auto& tensor = m_dump->unit.tensors[static_cast<std::size_t>(line.tensor)];
      names << QString::fromStdString(m_dump->unit.unit->rows[tensor.row].name);
    }
    if (!names.isEmpty()) {
      QGuiApplication::clipboard()->setText(names.join(u'\n'));
    }
  });
  m_table->addActions({copyName, open});
}

void DumpView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_run.clear();
  if (document) {
    context().findings.request();
  } else {
    m_place.reset();
    m_dump = nullptr;
    m_columnsFitted = false;
    m_model->setContent({}, nullptr);
    context().background.cancel(workTag("dump-unit"));
    showNoReport(tr("Here a dump is listed call by call, with what was recorded of every tensor."));
  }
  fillUnits();
  showFindings();
}

void DumpView::fillUnits() {
  const QSignalBlocker silent(m_units);
  m_units->clear();
  for (int i = 0; m_document && i < m_document->variantCount(); ++i) {
    m_units->addItem(m_document->variantName(i));
  }
  m_units->setVisible(m_units->count() > 1);
  m_units->setCurrentIndex(m_units->findText(m_selection.run()));
}

void DumpView::setSelection(const Selection& selection) {
  m_selection = selection;
  if (!m_document) {
    return;
  }
  {
    const QSignalBlocker silent(m_units);
    m_units->setCurrentIndex(m_units->findText(selection.run()));
  }
  read();
  showSelection();
}

void DumpView::read() {
  const QString run = m_selection.run();
  if (run == m_run && (m_isReading || m_dump)) {
    return;
  }
  m_run = run;
  m_place = unitOfOneDump(*m_document, run);
  if (!m_place) {
    showWrongReport();
    return;
  }
  showFindings();
  m_isReading = true;
  context().background.run<Result<DumpTablePtr>>(
      workTag("dump-unit"),
      this,
      [document = m_document, place = *m_place, run](const std::stop_token& stop) {
        return readDumpTable(document, place, run, stop);
      },
      [this](const Result<DumpTablePtr>& table) { showDump(table); });
}

void DumpView::showWrongReport() {
  const QStringList tools = textsOf(analysis::recordingTools());
  context().background.cancel(workTag("dump-unit"));
  m_isReading = false;
  m_dump = nullptr;
  m_model->setContent({}, nullptr);
  const std::optional<CaptureOrigin> place = m_document->captureOrigin(m_selection.run(), {});
  if (m_document->variantCount() == 0) {
    pages().showEmpty(tr("Nothing was read yet"),
                      tr("The tensors appear here as soon as the first unit is read."));
  } else if (place && place->dumps) {
    pages().showEmpty(tr("This report compares two dumps"),
                      tr("One dump alone is listed here, with what was recorded of every tensor."),
                      tr("Open the candidate alone"),
                      [this, candidate = place->dumps->origin().candidate] {
                        context().workspace.requests.compareDumps({.baseline = candidate});
                      });
  } else {
    pages().showEmpty(tr("This report is not of a dump"),
                      tr("File › Open folder or a drop opens what %1 or another tool recorded, and "
                         "lists it here call by call.")
                          .arg(tools.join(QStringLiteral(", "))),
                      tr("Open a folder…"),
                      [this] { Q_EMIT context().workspace.requests.askForFolder(); });
  }
  seekFurther();
}

void DumpView::showDump(const Result<DumpTablePtr>& table) {
  m_isReading = false;
  if (!table) {
    m_dump = nullptr;
    m_model->setContent({}, nullptr);
    const TensorPairProblem problem = dumpsProblem(table.error(), m_place->dumps->origin());
    pages().showEmpty(problem.title, problem.text);
    seekFurther();
    return;
  }
  m_dump = *table;
  pages().showPage();
  query();
}

DumpQuery DumpView::wantedQuery() const {
  return {.filter = m_filter->text(),
          .isNotFinite = m_notFinite->isChecked(),
          .sortColumn = m_sortColumn,
          .order = m_sortOrder};
}

void DumpView::query() {
  if (!m_dump) {
    return;
  }
  if (m_dump->lines.size() <= kSmallDump) {
    context().background.cancel(workTag("dump-query"));
    showLines(queryDump(m_dump, wantedQuery()));
    return;
  }
  m_isQuerying = true;
  context().background.run<std::vector<DumpLine>>(
      workTag("dump-query"),
      this,
      [dump = m_dump, wanted = wantedQuery()](const std::stop_token& stop) {
        return queryDump(dump, wanted, stop);
      },
      [this](std::vector<DumpLine> lines) { showLines(std::move(lines)); });
}

void DumpView::showLines(std::vector<DumpLine> lines) {
  m_isQuerying = false;
  {
    const QScopedValueRollback<bool> guard(m_isFollowing, true);
    const std::vector<DumpColumn> columns = dumpColumns(m_dump);
    const int scrolled = m_table->verticalScrollBar()->value();
    m_model->setContent({columns.begin(), columns.end()},
                        std::make_shared<const std::vector<DumpLine>>(std::move(lines)));
    m_table->verticalScrollBar()->setValue(scrolled);
    if (!m_columnsFitted && m_model->rowCount() > 0) {
      fitLines();
      m_columnsFitted = true;
    }
  }
  updateCount();
  showSelection();
  seekFurther();
}

/// Names of calls have the room that nothing else needs.
void DumpView::fitLines() {
  constexpr int kWidestColumn = 26;
  constexpr int kWidestCall = 80;
  fitColumns(*m_table, kWidestCall);
  const int wanted = m_table->columnWidth(0);
  fitColumns(*m_table, kWidestColumn);
  const int given = m_table->columnWidth(0);
  const int spare = m_table->viewport()->width() - m_table->horizontalHeader()->length();
  m_table->setColumnWidth(0, std::clamp(given + spare, given, std::max(given, wanted)));
}

void DumpView::updateCount() {
  const auto total = static_cast<int>(m_dump->lines.size());
  const bool isWhole = m_model->rowCount() == total;
  m_count->setText(isWhole ? tr("%n tensor(s)", nullptr, total)
                           : tr("%1 of %2").arg(m_model->rowCount()).arg(total));
}

void DumpView::showFindings() {
  const FindingNavigator::Findings& findings = context().findings.findings();
  m_overflow->hide();
  m_further->hide();
  if (!m_place || !findings) {
    return;
  }
  const auto showOf = [&](FindingLine& line, Kind kind) {
    const int index = findingOf(findings, kind, m_selection.run());
    if (index >= 0) {
      const bool isOfOneOfSeveral = kind == Kind::Overflow && m_units->count() > 1;
      line.showFinding((*findings)[static_cast<std::size_t>(index)], index, isOfOneOfSeveral);
    }
    return index >= 0;
  };
  if (!showOf(*m_overflow, Kind::Overflow)) {
    m_overflow->showText(Severity::Fine, tr("No call makes NaN or infinity of finite numbers."));
  }
  showOf(*m_further, Kind::Other);
}

int DumpView::selectedRow() const {
  if (!m_dump || m_selection.run() != m_run) {
    return -1;
  }
  const int site = m_document->findSite(m_selection.site.toStdString(), m_selection.pass);
  const auto& rows = m_model->rows();
  if (site < 0 || !rows) {
    return -1;
  }
  const auto found = std::ranges::find(*rows, site, &DumpLine::site);
  return found == rows->end() ? -1 : static_cast<int>(found - rows->begin());
}

void DumpView::showSelection() {
  if (m_isQuerying || !m_dump) {
    return;
  }
  const QScopedValueRollback<bool> guard(m_isFollowing, true);
  selectOnly(*m_table, selectedRow());
}

void DumpView::onCurrentChanged(const QModelIndex& index) {
  if (m_isFollowing || !index.isValid()) {
    return;
  }
  const DumpLine& line = m_model->row(index.row());
  if (line.site < 0) {
    return;
  }
  const Site& site = m_document->sites()[static_cast<std::size_t>(line.site)];
  context().selection.selectSite(QString::fromStdString(site.name), site.pass);
}

void DumpView::compareWith() {
  if (m_place) {
    Q_EMIT context().workspace.requests.askForDumps(
        {.baseline = m_place->dumps->origin().baseline});
  }
}

Sight DumpView::bringIntoSight() {
  if (!m_document || !m_place) {
    return Sight::Absent;
  }
  if (m_isReading || m_isQuerying) {
    return Sight::Awaited;
  }
  if (selectedRow() < 0 && m_notFinite->isChecked()) {
    m_notFinite->setChecked(false);
    noteChange(tr("the tensors that are finite"), [this] { m_notFinite->setChecked(true); });
  }
  if (const QString filter = m_filter->text();
      !m_isQuerying && selectedRow() < 0 && !filter.isEmpty()) {
    m_filter->clear();
    noteChange(tr("the tensors that the filter “%1” left out").arg(filter),
               [this, filter] { m_filter->setText(filter); });
  }
  if (m_isQuerying) {
    return Sight::Awaited;
  }
  const int row = selectedRow();
  if (row < 0) {
    return Sight::Absent;
  }
  m_table->scrollTo(m_model->index(row, std::max(0, m_table->currentIndex().column())));
  return Sight::Seen;
}

std::optional<PlaceMark> DumpView::placeMark() const {
  const int row = m_document && !m_isQuerying && pages().showsPage() ? selectedRow() : -1;
  const QRect area = seenOf(*m_table->viewport(), areaOfSelected(*m_table, row));
  if (area.isEmpty()) {
    return std::nullopt;
  }
  return PlaceMark{.site = m_selection.site, .pass = m_selection.pass, .run = m_run, .area = area};
}

bool DumpView::isSettled() const {
  return !m_isReading && !m_isQuerying;
}

std::vector<Exhibit> DumpView::exhibits() const {
  if (!m_dump || m_model->rowCount() == 0) {
    return {};
  }
  const QString title = tr("Tensors of %1").arg(m_run);
  return {{.id = m_table->objectName(),
           .title = title,
           .table =
               [dump = m_dump, rows = m_model->rows(), columns = m_model->columns(), title] {
                 return dataOf(title, columns, *rows);
               },
           .isTableThreadSafe = true}};
}

void registerDump(ViewRegistry& registry) {
  registry.add<DumpView>({.id = QStringLiteral("dump"),
                          .title = DumpView::tr("Dump"),
                          .toolTip = DumpView::tr("A dump call by call, with what was recorded"),
                          .icon = QStringLiteral("dump"),
                          .shortcut = QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_D),
                          .order = 8,
                          .purpose = ViewPurpose::Dump,
                          .shownAtStart = false,
                          .proves = {QStringLiteral("overflow")}});
}

}  // namespace ulp::views
