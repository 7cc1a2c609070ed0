#include "views/plugins/details/details_view.h"

#include <algorithm>
#include <utility>

#include <QtWidgets/QFormLayout>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QScrollBar>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "views/framework/document/selection_context.h"
#include "views/framework/tables/frozen_column.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/scrolled.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/words/literal_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/workspace/empty_state.h"
#include "views/framework/workspace/workspace.h"
#include "views/plugins/details/dump_record_pane.h"

namespace ulp::views {
namespace {

/// In em.
constexpr int kWidestMetricColumn = 14;
/// Of a table in a low window, which scrolls as a whole where that is more than it has.
constexpr int kFewestRows = 2;

/// Asks for no more than its tables need, so that its page scrolls only where that is not there.
class LowSplitter : public QSplitter {
 public:
  using QSplitter::QSplitter;
  [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }
};

int leastHeight(const QTableView& table) {
  return table.horizontalHeader()->sizeHint().height() +
         kFewestRows * table.verticalHeader()->defaultSectionSize() +
         table.horizontalScrollBar()->sizeHint().height();
}

}  // namespace

DetailsView::DetailsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_title(makeTextLabel(this)),
      m_subtitle(makeTextLabel(this)),
      m_facts(new QFormLayout),
      m_worstTitle(makeTextLabel(this)),
      m_metrics(new DetailsModel(this)),
      m_metricsTable(makeNamedTable(m_metrics, tr("Metrics of the tensor"), "metrics")),
      m_spreadTitle(makeTextLabel(this)),
      m_spread(new SpreadModel(this)),
      m_spreadTable(makeNamedTable(m_spread, tr("The tensor over the samples"), "samples")),
      m_worst(new WorstModel(this)),
      m_worstTable(makeNamedTable(m_worst, tr("Elements of largest difference"), "worst-elements")),
      m_record(new DumpRecordPane(context, this)) {
  connectTables();
  makePage();
  showEmpty();
}

QTableView* DetailsView::makeNamedTable(QAbstractItemModel* model,
                                        const QString& name,
                                        const char* id) {
  QTableView* const table = makeTable(model, name, context().themes, this);
  table->setObjectName(QLatin1String(id));
  return table;
}

void DetailsView::connectTables() {
  m_frozen = new FrozenColumn(*m_metricsTable, context().themes);
  connect(m_metricsTable, &QTableView::activated, this, [this](const QModelIndex& index) {
    onMetricClicked(index);
    context().workspace.requests.goDeeper(kDrillLevel);
  });
  const QScrollBar* sideways = m_metricsTable->horizontalScrollBar();
  connect(sideways, &QScrollBar::rangeChanged, this, &DetailsView::uncoverNumber);
  connect(sideways, &QScrollBar::actionTriggered, this, [this] { m_isNumberWanted = false; });
  new FrozenColumn(*m_spreadTable, context().themes);
  const auto selectElement = [this](const QModelIndex& index) {
    context().selection.selectElement(m_worst->row(index.row()).position);
  };
  connect(m_worstTable, &QTableView::clicked, this, selectElement);
  connect(m_worstTable, &QTableView::activated, this, [this, selectElement](const auto& index) {
    selectElement(index);
    context().workspace.requests.goDeeper(kDrillLevel);
  });
  setFocusProxy(m_metricsTable);
}

void DetailsView::makePage() {
  QFont font = m_title->font();
  font.setBold(true);
  m_title->setFont(font);
  m_subtitle->setForegroundRole(QPalette::PlaceholderText);
  m_facts->setContentsMargins(0, 0, 0, 0);
  m_facts->setHorizontalSpacing(12);
  m_facts->setVerticalSpacing(2);
  auto* page = new QWidget(this);
  auto* head = columnOf(
      nullptr, {m_title, m_subtitle, m_facts}, {.margins = QMargins(12, 8, 12, 0), .spacing = 4});
  for (QTableView* const table : {m_metricsTable, m_spreadTable, m_worstTable}) {
    table->setMinimumHeight(leastHeight(*table));
  }
  auto* split = new LowSplitter(Qt::Vertical, page);
  split->addWidget(m_metricsTable);
  split->addWidget(titled(m_spreadTitle, m_spreadTable));
  split->addWidget(titled(m_worstTitle, m_worstTable));
  split->addWidget(m_record);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 3);
  split->setStretchFactor(2, 2);
  split->setStretchFactor(3, 3);
  split->setChildrenCollapsible(false);
  columnOf(page, {head, {split, 1}}, {.margins = QMargins(), .spacing = 8});
  setPage(scrolled(page));
}

QWidget* DetailsView::titled(QLabel* title, QTableView* table) {
  auto* part = new QWidget(this);
  title->setContentsMargins(12, 8, 12, 0);
  columnOf(part, {title, {table, 1}}, {.margins = QMargins(), .spacing = 4});
  return part;
}

void DetailsView::showEmpty() {
  if (m_document) {
    pages().showEmpty(tr("No tensor is selected"),
                      tr("Click a cell of the overview, a point of a chart, or a row of the "
                         "table."));
  } else {
    pages().showEmpty(tr("No report is open"), tr("Here the selected tensor is shown."));
  }
}

void DetailsView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_columnsStale = true;
  m_shownSite = -1;
  m_shownWorst = {-1, -1};
}

void DetailsView::setSelection(const Selection& selection) {
  m_selection = selection;
  const int site =
      m_document ? m_document->findSite(selection.site.toStdString(), selection.pass) : -1;
  if (site < 0) {
    showEmpty();
    return;
  }
  if (const NoiseRuns noise = noiseRuns(*m_document, selection); noise != m_noise) {
    m_noise = noise;
    m_columnsStale = true;
  }
  showTensor(m_document->findVariant(selection.run()), site);
  pages().showPage();
}

void DetailsView::showTensor(int variant, int site) {
  const Site& place = m_document->sites()[static_cast<std::size_t>(site)];
  m_title->setText(shortName(place.name));
  m_subtitle->setText(passText(place.pass));
  while (m_facts->rowCount() > 0) {
    m_facts->removeRow(0);
  }
  for (const Fact& fact : factsOf(*m_document, variant, site)) {
    auto* title = new QLabel(fact.title);
    title->setForegroundRole(QPalette::PlaceholderText);
    auto* value = makeTextLabel();
    value->setText(fact.value);
    value->setToolTip(fact.toolTip);
    m_facts->addRow(title, value);
  }
  if (m_columnsStale) {
    m_columnsStale = false;
    m_metrics->setContent(detailsColumns(*m_document), detailsOf(*m_document, site, m_noise));
    fitColumns(*m_metricsTable, kWidestMetricColumn);
  } else if (site != m_shownSite) {
    m_metrics->setRows(detailsOf(*m_document, site, m_noise));
    fitColumns(*m_metricsTable, kWidestMetricColumn);
  }
  m_shownSite = site;
  if (variant >= 0) {
    QScrollBar& bar = *m_metricsTable->verticalScrollBar();
    const int top = bar.value();
    m_metricsTable->setCurrentIndex(
        m_metrics->index(std::max(0, m_document->findMetric(m_selection.metric)), variant + 1));
    m_isNumberWanted = true;
    // The rows that are looked at stay while tensors come and go.
    if (m_shownMetric == m_selection.metric) {
      bar.setValue(top);
    }
    m_shownMetric = m_selection.metric;
  }
  showSpread(variant, site);
  m_worstTitle->setText(tr("Largest differences in %1").arg(m_selection.run()));
  // Selecting an element of the list must not reset the list.
  if (const std::pair shown{site, variant}; shown != m_shownWorst) {
    m_shownWorst = shown;
    auto worst = worstOf(*m_document, variant, site);
    m_worstTable->parentWidget()->setVisible(worst != nullptr && !worst->empty());
    m_worst->setContent(worstColumns(m_document->baselineOf(m_selection.run()), m_selection.run()),
                        std::move(worst));
    fitColumns(*m_worstTable, 20);
    m_record->showTensor(m_document, m_selection.run(), place);
  }
}

void DetailsView::uncoverNumber() {
  if (m_isNumberWanted) {
    QScrollBar& bar = *m_metricsTable->verticalScrollBar();
    const int top = bar.value();
    m_metricsTable->scrollTo(m_metricsTable->currentIndex());
    m_frozen->uncover(m_metricsTable->currentIndex());
    bar.setValue(top);
  }
}

void DetailsView::showSpread(int variant, int site) {
  SpreadRows rows = spreadRowsOf(*m_document, variant, site, m_noise);
  m_spreadTable->parentWidget()->setVisible(rows != nullptr);
  if (rows == nullptr) {
    m_spread->setContent({}, nullptr);
    return;
  }
  const bool hasSpread = m_document->hasSpread();
  m_spreadTitle->setText(
      (hasSpread ? tr("%1 over the samples") : tr("%1 beside the noise")).arg(m_selection.run()));
  m_spread->setContent(spreadColumns(*m_document, m_noise), std::move(rows));
  fitColumns(*m_spreadTable, 20);
}

void DetailsView::onMetricClicked(const QModelIndex& index) {
  Selection next = m_selection;
  if (index.row() < static_cast<int>(m_document->metrics().size())) {
    next.metric = m_document->metrics()[static_cast<std::size_t>(index.row())].id;
  }
  if (index.column() > 0) {
    next.runs = QStringList{m_document->variantName(index.column() - 1)};
  }
  context().selection.select(next);
}

Sight DetailsView::bringIntoSight() {
  if (m_shownSite < 0 || !pages().showsPage()) {
    return Sight::Absent;
  }
  m_metricsTable->scrollTo(m_metricsTable->currentIndex());
  return Sight::Seen;
}

/// From the title, which names the tensor, to the number of the selected variant.
std::optional<PlaceMark> DetailsView::placeMark() const {
  const QModelIndex number = m_metricsTable->currentIndex();
  const bool isShown = m_shownSite >= 0 && pages().showsPage() && number.isValid() &&
                       number.row() < std::ssize(m_document->metrics());
  if (!isShown) {
    return std::nullopt;
  }
  const QRect title = seenOf(*m_title, m_title->rect());
  const QRect cell = seenOf(*m_metricsTable->viewport(), m_metricsTable->visualRect(number));
  if (title.isEmpty() || cell.isEmpty()) {
    return std::nullopt;
  }
  const Site& site = m_document->sites()[static_cast<std::size_t>(m_shownSite)];
  return PlaceMark{
      .site = QString::fromStdString(site.name),
      .pass = site.pass,
      .run = number.column() > 0 ? m_document->variantName(number.column() - 1) : QString(),
      .metric = m_document->metrics()[static_cast<std::size_t>(number.row())].id,
      .area = title | cell};
}

std::vector<Exhibit> DetailsView::exhibits() const {
  if (!m_document || m_shownSite < 0 || !pages().showsPage()) {
    return {};
  }
  const auto exhibit = [](const QTableView& widget, report::DataTable shownTable) {
    return Exhibit{.id = widget.objectName(),
                   .title = QString::fromStdString(shownTable.title),
                   .table = [table = std::move(shownTable)] { return table; }};
  };
  std::vector<Exhibit> shown{exhibit(*m_metricsTable, metricsTable(*m_document, m_shownSite))};
  const int variant = m_document->findVariant(m_selection.run());
  if (const SpreadRows rows = spreadRowsOf(*m_document, variant, m_shownSite, m_noise)) {
    const QString title = QStringLiteral("%1, %2").arg(m_spreadTitle->text(), m_title->text());
    shown.push_back(exhibit(*m_spreadTable, spreadTable(title, *m_document, m_noise, *rows)));
  }
  if (const auto worst = worstOf(*m_document, variant, m_shownSite); !worst->empty()) {
    const QString title = QStringLiteral("%1, %2").arg(m_worstTitle->text(), m_title->text());
    shown.push_back(exhibit(*m_worstTable, dataOf(title, m_worst->columns(), *worst)));
  }
  for (Exhibit& recorded : m_record->exhibits(m_title->text())) {
    shown.push_back(std::move(recorded));
  }
  return shown;
}

void registerDetails(ViewRegistry& registry) {
  registry.add<DetailsView>(
      {.id = QStringLiteral("details"),
       .title = DetailsView::tr("Details"),
       .toolTip = DetailsView::tr("Everything that is known of the selected tensor"),
       .icon = QStringLiteral("details"),
       .shortcut = QKeySequence(Qt::ALT | Qt::Key_4),
       .area = ViewArea::Right,
       .order = 10,
       .drillLevel = DetailsView::kDrillLevel,
       .layouts = {.inspect = true},
       .proves = {QStringLiteral("culprit"), QStringLiteral("kernel_change")}});
}

}  // namespace ulp::views
