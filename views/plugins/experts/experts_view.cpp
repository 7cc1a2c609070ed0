#include "views/plugins/experts/experts_view.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtCore/QScopedValueRollback>
#include <QtWidgets/QHeaderView>
#include <QtWidgets/QLabel>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTableView>

#include "views/charts/raster/raster_widget.h"
#include "views/framework/document/selection_context.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_part.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/view/view_registry.h"
#include "views/framework/widgets/layouts.h"
#include "views/framework/widgets/split_sizes.h"
#include "views/framework/widgets/text_label.h"
#include "views/framework/workspace/empty_state.h"
#include "views/plugins/experts/flip_chart.h"

namespace ulp::views {
namespace {

constexpr QSizeF kFlipsSize(960, 400);

struct ExpertsViewWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Experts)
};

QString flipsId() {
  return QStringLiteral("expert-flips");
}
QString flippedTokensId() {
  return QStringLiteral("expert-tokens");
}
QString routersId() {
  return QStringLiteral("expert-layers");
}

Exhibit flipsExhibit(FlipData data) {
  const QString title = ExpertsViewWords::tr("Tokens with other experts than in the reference");
  const auto kept = std::make_shared<const FlipData>(std::move(data));
  return {.id = flipsId(),
          .title = title,
          .size = kFlipsSize,
          .paint = [kept](QPainter& painter,
                          const QRectF& area,
                          const Theme& theme) { paintFlips(painter, area, *kept, {}, theme); },
          .table = [title, kept] { return flipTable(title, *kept); },
          .isTableThreadSafe = true};
}

Exhibit flippedTokensExhibit(const TokenFlipsPtr& flips) {
  const QString title = ExpertsViewWords::tr("Flipped tokens by layer: %1").arg(flips->run);
  const double height =
      120 + 20.0 * static_cast<double>(std::min<std::size_t>(flips->routers.size(), 40));
  return {.id = flippedTokensId(),
          .title = title,
          .size = QSizeF(960, height),
          .paint =
              [flips](QPainter& painter, const QRectF& area, const Theme& theme) {
                charts::paintWholeRaster(painter, area, tokenRaster(flips), tokenScale(), theme);
              },
          .table = [title, flips] { return tokenTable(title, *flips); },
          .isTableThreadSafe = true};
}

Exhibit routersExhibit(std::vector<RouterRow> rows) {
  const QString title = ExpertsViewWords::tr("Choices of the routers against the reference");
  return {
      .id = routersId(),
      .title = title,
      .table = [title, rows = std::move(rows)] { return dataOf(title, routerColumns(true), rows); },
      .isTableThreadSafe = true};
}

}  // namespace

ExpertsView::ExpertsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_model(new RouterModel(this)),
      m_proxy(new NanLastProxy(this)),
      m_table(makeTable(m_proxy, tr("Routers of the variant"), context.themes, this)),
      m_headline(makeTextLabel(this)),
      m_chart(new FlipChart(this)),
      m_raster(new charts::RasterWidget(this)),
      m_split(new QSplitter(Qt::Vertical, this)) {
  m_proxy->setSourceModel(m_model);
  makePage();
  context.themes.follow(m_chart, &FlipChart::setTheme);
  context.themes.follow(m_raster, &charts::RasterWidget::setTheme);
  connect(m_chart, &FlipChart::picked, this, &ExpertsView::onPicked);
  connect(m_raster, &charts::RasterWidget::picked, this, &ExpertsView::onCellPicked);
  setReport(nullptr);
}

void ExpertsView::makePage() {
  m_chart->setObjectName(flipsId());
  m_raster->setObjectName(flippedTokensId());
  m_raster->setAccessibleName(tr("Flipped tokens by layer"));
  m_raster->setMinimumHeight(6 * fontMetrics().height());
  m_raster->setScale(tokenScale());
  m_table->setObjectName(routersId());
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  sortOnClick(*m_table);
  m_split->addWidget(m_chart);
  m_split->addWidget(m_raster);
  m_split->addWidget(m_table);
  m_split->setChildrenCollapsible(false);
  auto* page = new QWidget(this);
  auto* heading = rowOf(nullptr, {{m_headline, 1}}, {.margins = QMargins(12, 0, 12, 0)});
  columnOf(page, {heading, {m_split, 1}}, {.margins = QMargins(0, 8, 0, 0), .spacing = 8});
  setPage(page);
  setFocusProxy(m_chart);
  connect(m_table->selectionModel(),
          &QItemSelectionModel::currentChanged,
          this,
          &ExpertsView::onRowChosen);
}

void ExpertsView::setReport(const DocumentPtr& document) {
  m_document = document;
  m_variant = -1;
  m_tokens.reset();
  if (!document) {
    m_chart->setData({});
    m_raster->setContent({});
    m_model->setContent({}, nullptr);
    showNoReport(
        tr("Here you see for which tokens each variant chooses other experts than the "
           "reference, of models with routers."));
    return;
  }
  m_chart->setData(makeFlipData(*document));
  if (m_chart->data().isEmpty()) {
    m_raster->setContent({});
    m_model->setContent({}, nullptr);
    if (!document->basis().baseline.isEmpty()) {
      pages().showEmpty(tr("Not known against %1").arg(document->baselineName()),
                        tr("Choices of experts are compared with those of the reference alone."),
                        tr("Back to the reference"),
                        [this] { context().selection.selectBaseline({}, Relation::Error); });
      return;
    }
    pages().showEmpty(tr("No routers"),
                      tr("The report says nothing of experts. Studies that Python runs "
                         "(engine: python) compare what the routers of a mixture of experts "
                         "choose."),
                      tr("Add studies…"),
                      [this] { Q_EMIT context().workspace.requests.askForStudies(); });
    return;
  }
  pages().showPage();
}

int ExpertsView::shownVariant() const {
  const auto hasRouters = [this](int variant) {
    return variant >= 0 && !m_document->variant(variant).routers.empty();
  };
  const int selected = m_document->findVariant(m_selection.run());
  if (hasRouters(selected)) {
    return selected;
  }
  for (int i = 0; i < m_document->variantCount(); ++i) {
    if (hasRouters(i)) {
      return i;
    }
  }
  return -1;
}

int ExpertsView::shownRouter() const {
  const std::string name = m_selection.site.toStdString();
  const auto& routers = m_tokens->routers;
  const auto isThere = [&](const report::RouterChoice& router) {
    return m_selection.pass == Pass::Forward && (router.router == name || router.block == name);
  };
  const auto found = std::ranges::find_if(routers, isThere);
  return found == routers.end() ? -1 : static_cast<int>(found - routers.begin());
}

void ExpertsView::setSelection(const Selection& selection) {
  m_selection = selection;
  if (!m_document || m_chart->data().isEmpty()) {
    return;
  }
  if (const int variant = shownVariant(); variant != m_variant) {
    m_variant = variant;
    showVariant();
  }
  showPlace();
}

void ExpertsView::showVariant() {
  const QScopedValueRollback guard(m_isFollowing, true);
  auto rows =
      std::make_shared<const std::vector<RouterRow>>(makeRouterRows(*m_document, m_variant));
  m_headline->setText(routerHeadline(m_document->variantName(m_variant), *rows));
  m_model->setContent(routerColumns(false), std::move(rows));
  fitColumns(*m_table, 24);
  m_tokens = makeTokenFlips(*m_document, m_variant);
  m_raster->setContent(tokenRaster(m_tokens));
}

void ExpertsView::showPlace() {
  const QScopedValueRollback guard(m_isFollowing, true);
  const int router = shownRouter();
  const int line = m_chart->data().findLine(m_tokens->run);
  const int column = router < 0 ? -1
                                : m_chart->data().findRouter(QString::fromStdString(
                                      m_tokens->routers[static_cast<std::size_t>(router)].router));
  m_chart->setCurrent(line, column);
  const charts::RasterCell cell = m_raster->current();
  if (cell.row != router) {
    m_raster->setCurrent({router, -1});
  }
  if (router < 0) {
    m_table->clearSelection();
  } else {
    m_table->setCurrentIndex(m_proxy->mapFromSource(m_model->index(router, 0)));
  }
}

void ExpertsView::select(const QString& run, const QString& router) {
  Selection next = m_selection;
  next.runs = QStringList{run};
  if (!router.isEmpty() && m_document->findSite(router.toStdString(), Pass::Forward) >= 0) {
    if (next.site != router || next.pass != Pass::Forward) {
      next.slice.clear();
      next.element.clear();
    }
    next.site = router;
    next.pass = Pass::Forward;
  }
  context().selection.select(next);
}

void ExpertsView::onPicked(int line, int router) {
  const FlipData& shown = m_chart->data();
  select(shown.lines[static_cast<std::size_t>(line)].run,
         router < 0 ? QString() : shown.routers[static_cast<std::size_t>(router)].name);
}

void ExpertsView::onCellPicked(int row, int column) {
  const report::RouterChoice& router = m_tokens->routers[static_cast<std::size_t>(row)];
  select(m_tokens->run, QString::fromStdString(router.router));
  m_raster->setCurrent({row, column});
}

void ExpertsView::onRowChosen(const QModelIndex& index) {
  if (!m_isFollowing && index.isValid()) {
    select(m_tokens->run, m_model->row(m_proxy->mapToSource(index).row()).router);
  }
}

void ExpertsView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  layout()->activate();
  pages().page().layout()->activate();
  const int height = m_split->height();
  const int table = std::min(fullHeight(*m_table), height * 3 / 10);
  const int raster = (height - table) * 2 / 5;
  divideUntilMoved(*m_split, {height - table - raster, raster, table});
}

Sight ExpertsView::bringIntoSight() {
  if (!m_document || m_chart->data().isEmpty() || !m_tokens || shownRouter() < 0) {
    return Sight::Absent;
  }
  showPlace();
  return Sight::Seen;
}

std::optional<PlaceMark> ExpertsView::placeMark() const {
  if (!m_document || !pages().showsPage() || !m_tokens || !m_chart->current().isValid()) {
    return std::nullopt;
  }
  const QRect area = seenOf(*m_chart, m_chart->pointRect(m_chart->currentPoint()));
  if (area.isEmpty()) {
    return std::nullopt;
  }
  return PlaceMark{.site = m_selection.site,
                   .pass = Pass::Forward,
                   .run = m_tokens->run,
                   .metric = {},
                   .area = area};
}

std::vector<Exhibit> ExpertsView::exhibits() const {
  if (!m_document || m_chart->data().isEmpty() || !m_tokens) {
    return {};
  }
  return {flipsExhibit(m_chart->data()),
          flippedTokensExhibit(m_tokens),
          routersExhibit(shownRows(*m_model, *m_proxy))};
}

namespace {

Result<Exhibit> drawExperts(const DrawRequest& request) {
  QStringList chosen;
  for (const report::Run& run : request.chosen->runs) {
    chosen << QString::fromStdString(run.name);
  }
  FlipData data = makeFlipData(*request.document, chosen);
  if (data.isEmpty()) {
    return fail(ErrorCode::NotFound, "the report says nothing of routers and experts");
  }
  if (request.what == flipsId()) {
    return flipsExhibit(std::move(data));
  }
  if (request.what == routersId()) {
    return routersExhibit(makeRouterRows(*request.document, -1, chosen));
  }
  const QString wanted = QString::fromStdString(request.variant);
  const QString run = data.findLine(wanted) < 0 ? data.lines.front().run : wanted;
  return flippedTokensExhibit(
      makeTokenFlips(*request.document, request.document->findVariant(run)));
}

}  // namespace

void registerExperts(ViewRegistry& registry) {
  registry.add<ExpertsView>(
      {.id = QStringLiteral("experts"),
       .title = ExpertsView::tr("Experts"),
       .toolTip = ExpertsView::tr("For which tokens variants choose other experts, and what that "
                                  "does to their errors"),
       .icon = QStringLiteral("experts"),
       .shortcut = QKeySequence(Qt::ALT | Qt::SHIFT | Qt::Key_X),
       .order = 36,
       .shownAtStart = false,
       .proves = {QStringLiteral("expert_choice")},
       .subjects = {flipsId(), flippedTokensId(), routersId()},
       .printed = {flipsId(), routersId()},
       .draw = drawExperts});
}

}  // namespace ulp::views
