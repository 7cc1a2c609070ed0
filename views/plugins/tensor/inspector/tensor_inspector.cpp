#include "views/plugins/tensor/inspector/tensor_inspector.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QtCore/QCoreApplication>
#include <QtGui/QPainter>
#include <QtWidgets/QLabel>
#include <QtWidgets/QSplitter>
#include <QtWidgets/QTabWidget>
#include <QtWidgets/QTableView>

#include "core/analysis/tensors/tensor_pair.h"
#include "core/base/text/format_number.h"
#include "views/framework/look/theme_manager.h"
#include "views/framework/tables/table_tools.h"
#include "views/framework/widgets/layouts.h"
#include "views/plugins/tensor/pictures/tensor_text.h"

namespace ulp::views {
namespace {

struct TensorInspectorWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Tensor)
};

WorstElementRow worstRow(const analysis::TensorPair& pair,
                         std::vector<std::int64_t> index,
                         double reference,
                         double variant) {
  return {
      std::move(index), reference, variant, variant - reference, ulpOf(pair, reference, variant)};
}

Column<WorstElementRow> number(analysis::Quantity quantity, double WorstElementRow::*value) {
  return {.title = quantitySymbol(quantity),
          .alignment = kNumberAlignment,
          .roles = numberRoles<WorstElementRow>(
              value,
              [quantity](double shown) {
                return quantity == analysis::Quantity::Ulp ? ulpText(shown) : valueText(shown);
              },
              [](double exact) { return QString::fromStdString(formatExact(exact)); })};
}

/// Those that the report names, known at once; they are of the whole tensor also where only a
/// sample of it was kept.
WorstElementRows worstOfReport(const report::Comparison* comparison,
                               const analysis::TensorPair& pair) {
  auto rows = std::make_shared<std::vector<WorstElementRow>>();
  if (comparison != nullptr) {
    for (const report::WorstPair& worst : comparison->worst) {
      rows->push_back(worstRow(pair, worst.index, worst.reference, worst.variant));
    }
  }
  return rows;
}

/// Those that the exact pass over the pair found.
WorstElementRows worstOfStatistics(const analysis::PairStatistics& statistics,
                                   const analysis::TensorPair& pair) {
  auto rows = std::make_shared<std::vector<WorstElementRow>>();
  for (const numerics::WorstElement& worst : statistics.moments.worst) {
    rows->push_back(worstRow(pair,
                             pair.fullIndex(static_cast<std::int64_t>(worst.flat)),
                             worst.reference,
                             worst.candidate));
  }
  return rows;
}

report::DataTable worstElementTable(const std::vector<WorstElementRow>& rows) {
  report::DataTable table{"Worst elements", report::columnsOf("element; A; B; B − A; ULP"), {}};
  for (const WorstElementRow& row : rows) {
    table.rows.push_back(
        {indexText(row.index).toStdString(), row.reference, row.variant, row.difference, row.ulp});
  }
  return table;
}

/// What is under the mouse in a plot of counts or values: the point of each curve at its x.
QString plotReadout(const Plot& plot, const QPointF& at, const QRectF& area, const QFont& font) {
  const charts::PlotMap map = plotMap(plot, area, font);
  if (!map.plot.contains(at) || plot.curves.empty()) {
    return {};
  }
  const double x = map.valueX(at.x());
  QStringList lines;
  for (const PlotCurve& curve : plot.curves) {
    const QPointF* found = nullptr;
    for (const QPointF& point : curve.points) {
      if (found == nullptr || point.x() <= x) {
        found = &point;
      }
    }
    if (found != nullptr) {
      const double y =
          curve.isSteps ? (found->y() < 0 ? 0 : std::pow(10.0, found->y())) : found->y();
      lines << QStringLiteral("%1: %2").arg(curve.name, valueText(y, curve.isSteps ? 8 : 5));
    }
  }
  return lines.join(QLatin1Char('\n'));
}

constexpr int kLeastLinesOfTabs = 8;

Plot waiting(const QString& title) {
  Plot plot;
  plot.title = title;
  plot.empty = TensorInspector::tr("Every element is being read. This appears when it is done.");
  return plot;
}

}  // namespace

std::vector<Column<WorstElementRow>> worstElementColumns() {
  using analysis::Quantity;
  return {{.title = TensorInspectorWords::tr("Element"),
           .toolTip = TensorInspectorWords::tr("Enter or a double click shows it in the picture"),
           .alignment = kNumberAlignment,
           .roles = {{Qt::DisplayRole,
                      [](const WorstElementRow& row) { return indexText(row.index); }}}},
          // What there is little room for is what they are made from.
          number(Quantity::Difference, &WorstElementRow::difference),
          number(Quantity::Ulp, &WorstElementRow::ulp),
          number(Quantity::Reference, &WorstElementRow::reference),
          number(Quantity::Variant, &WorstElementRow::variant)};
}

TensorInspector::TensorInspector(const ThemeManager& themes, QWidget* parent)
    : QWidget(parent),
      m_readout(new ElementReadout(this)),
      m_tabs(new QTabWidget(this)),
      m_worstTitle(new QLabel(this)),
      m_worst(new WorstElementModel(this)),
      m_worstTable(makeTable(m_worst, tr("Elements of largest difference"), themes, this)),
      m_histogram(new PaintedChart(tr("Histograms of A, B and B − A"), this)),
      m_density(new PaintedChart(tr("Density of B against A"), this)),
      m_exponents(new PaintedChart(tr("Histogram of exponents"), this)),
      m_row(new PaintedChart(tr("Profile along the row"), this)),
      m_column(new PaintedChart(tr("Profile along the column"), this)) {
  makeWorst();
  auto* profiles = new QSplitter(Qt::Vertical, this);
  profiles->addWidget(m_row);
  profiles->addWidget(m_column);
  profiles->setChildrenCollapsible(false);
  m_tabs->setDocumentMode(true);
  m_tabs->setAccessibleName(tr("Analyses of the tensor"));
  m_tabs->tabBar()->setAccessibleName(tr("Analyses of the tensor"));
  m_tabs->addTab(m_worstTable->parentWidget(), tr("Worst"));
  m_tabs->addTab(m_histogram, tr("Values"));
  m_tabs->addTab(m_exponents, tr("Exponents"));
  m_tabs->addTab(m_density, tr("B over A"));
  m_tabs->addTab(profiles, tr("Profiles"));
  m_tabs->setUsesScrollButtons(true);
  // The numbers above them are never cut.
  m_tabs->setMinimumHeight(kLeastLinesOfTabs * fontMetrics().height());
  columnOf(this, {m_readout, {m_tabs, 1}}, {.margins = QMargins(), .spacing = 4});
  updateCharts();
  setProfiles({}, {});
}

void TensorInspector::makeWorst() {
  auto* page = new QWidget(this);
  columnOf(
      page, {m_worstTitle, {m_worstTable, 1}}, {.margins = QMargins(0, 4, 0, 0), .spacing = 4});
  m_worstTitle->setContentsMargins(8, 0, 8, 0);
  m_worstTitle->setForegroundRole(QPalette::PlaceholderText);
  m_worstTitle->setWordWrap(true);
  m_worst->setContent(worstElementColumns(), nullptr);
  const auto pick = [this](const QModelIndex& index) {
    if (index.isValid()) {
      Q_EMIT elementPicked(m_worst->row(index.row()).index);
    }
  };
  connect(m_worstTable, &QTableView::activated, this, pick);
  connect(m_worstTable, &QTableView::clicked, this, pick);
}

void TensorInspector::showWorst(const WorstElementRows& rows, const QString& title) {
  m_worst->setContent(worstElementColumns(), rows);
  m_worstTitle->setText(title);
  fitColumns(*m_worstTable, 16);
}

void TensorInspector::setTheme(const Theme& theme) {
  m_readout->setTheme(theme);
  for (PaintedChart* chart : {m_histogram, m_density, m_exponents, m_row, m_column}) {
    chart->setTheme(theme);
  }
}

void TensorInspector::setPair(const analysis::TensorPairPtr& pair,
                              const report::Comparison* comparison,
                              const PairNames& names) {
  m_pair = pair;
  const bool isOne = pair && isOneTensor(*pair);
  for (QWidget* ofPairs : {m_worstTable->parentWidget(), static_cast<QWidget*>(m_density)}) {
    m_tabs->setTabVisible(m_tabs->indexOf(ofPairs), !isOne);
  }
  m_names = names;
  m_statistics = nullptr;
  m_readout->setCursorElement(std::nullopt);
  m_readout->setSelectedElement(std::nullopt);
  const WorstElementRows rows = pair ? worstOfReport(comparison, *pair) : nullptr;
  showWorst(rows,
            rows && !rows->empty() ? tr("The %n worst of the report, until every element is read",
                                        nullptr,
                                        static_cast<int>(rows->size()))
                                   : tr("Every element is being read."));
  updateCharts();
  setProfiles({}, {});
}

void TensorInspector::setStatistics(const analysis::PairStatisticsPtr& statistics) {
  m_statistics = statistics;
  if (statistics != nullptr && m_pair != nullptr) {
    const WorstElementRows rows = worstOfStatistics(*statistics, *m_pair);
    showWorst(rows,
              rows->empty()
                  ? tr("No element that is finite in both differs.")
                  : tr("The %n worst of all elements", nullptr, static_cast<int>(rows->size())));
  }
  updateCharts();
}

Plot TensorInspector::ofShown(Plot plot) const {
  if (!m_pair || !isOneTensor(*m_pair) || plot.curves.empty()) {
    return plot;
  }
  // The second of them has the colour of the run.
  PlotCurve only = plot.curves.size() > 1 ? plot.curves[1] : plot.curves[0];
  only.name = m_names.variant;
  only.isFilled = plot.curves[0].isFilled;
  plot.curves = {std::move(only)};
  if (m_statistics != nullptr && !plot.nonFinite.isEmpty()) {
    plot.nonFinite =
        tr("%1 not finite").arg(static_cast<qulonglong>(m_statistics->variant.nonFinite.total()));
  }
  return plot;
}

void TensorInspector::updateCharts() {
  const bool known = m_statistics != nullptr;
  Plot values = known ? ofShown(histogramPlot(*m_statistics, m_names))
                      : waiting(tr("Values of A, B and B − A"));
  Plot exponents =
      known ? ofShown(exponentPlot(*m_statistics, m_names)) : waiting(tr("Exponents of A and B"));
  if (m_pair && isOneTensor(*m_pair)) {
    values.title = tr("Values");
    exponents.title = tr("Exponents, and what formats hold");
  }
  showPlot(*m_histogram, values);
  showPlot(*m_exponents, exponents);
  showDensity(m_statistics);
}

void TensorInspector::showPlot(PaintedChart& chart, const Plot& plot) {
  auto shared = std::make_shared<const Plot>(plot);
  chart.setContent(
      [shared](QPainter& painter, const QRectF& area, const Theme& theme) {
        paintPlot(painter, area, *shared, theme);
      },
      [shared, font = font()](const QPointF& at, const QRectF& area) {
        return plotReadout(*shared, at, area, font);
      },
      plot.empty.isEmpty() ? plot.title : plot.empty);
}

void TensorInspector::showDensity(const analysis::PairStatisticsPtr& statistics) {
  auto plot = std::make_shared<const Plot>(statistics ? densityPlot(*statistics, m_names)
                                                      : waiting(tr("B against A")));
  m_density->setContent(
      [plot, statistics](QPainter& painter, const QRectF& area, const Theme& theme) {
        paintPlot(painter, area, *plot, theme, [&](QPainter& inner, const charts::PlotMap& map) {
          paintDensity(inner, map, statistics->density, theme);
        });
      },
      [plot, statistics, font = font()](const QPointF& at, const QRectF& area) {
        const charts::PlotMap map = plotMap(*plot, area, font);
        if (!statistics || !map.plot.contains(at) || statistics->density.counts.empty()) {
          return QString();
        }
        const analysis::DensityGrid& density = statistics->density;
        const auto bin = [](double part) {
          constexpr int kLast = analysis::DensityGrid::kSide - 1;
          return std::clamp(static_cast<int>((part + 1) / 2 * (kLast + 1)), 0, kLast);
        };
        const double a = map.valueX(at.x());
        const double b = map.valueY(at.y());
        return tr("A near %1, B near %2: %3 elements")
            .arg(valueText(density.valueAt(a), 3), valueText(density.valueAt(b), 3))
            .arg(static_cast<qulonglong>(density.at(bin(b), bin(a))));
      },
      plot->title);
}

void TensorInspector::setProfiles(const Profile& row, const Profile& column) {
  m_rowProfile = row;
  m_columnProfile = column;
  showPlot(*m_row, ofShown(profilePlot(row, m_names)));
  showPlot(*m_column, ofShown(profilePlot(column, m_names)));
}

Exhibit TensorInspector::exhibitOf(const QString& id,
                                   const PaintedChart& chart,
                                   std::function<report::DataTable()> table) const {
  return {.id = id,
          .title = chart.accessibleName(),
          .paint = chart.content(),
          .table = std::move(table)};
}

std::vector<Exhibit> TensorInspector::exhibits() const {
  std::vector<Exhibit> exhibits;
  if (m_pair == nullptr) {
    return exhibits;
  }
  exhibits.push_back({.id = QStringLiteral("tensor-element"),
                      .title = tr("Element"),
                      .size = m_readout->sizeHint(),
                      .paint =
                          [this](QPainter& painter, const QRectF& area, const Theme& theme) {
                            m_readout->paint(painter, area, theme);
                          },
                      .table = [this] { return m_readout->table(); }});
  const bool isOne = isOneTensor(*m_pair);
  if (!isOne) {
    exhibits.push_back({.id = QStringLiteral("tensor-worst"),
                        .title = m_worstTable->accessibleName(),
                        .table = [rows = m_worst->rows()] { return worstElementTable(*rows); }});
  }
  if (m_statistics != nullptr) {
    const auto& all = m_statistics;
    exhibits.push_back(exhibitOf(
        QStringLiteral("tensor-values"), *m_histogram, [all] { return histogramTable(*all); }));
    exhibits.push_back(exhibitOf(
        QStringLiteral("tensor-exponents"), *m_exponents, [all] { return exponentTable(*all); }));
    exhibits.push_back({.id = QStringLiteral("tensor-formats"),
                        .title = tr("What narrower formats would lose"),
                        .table = [all] { return formatTable(*all); }});
    Exhibit density = exhibitOf(
        QStringLiteral("tensor-density"), *m_density, [all] { return densityTable(*all); });
    density.size = {480, 480};
    if (!isOne) {
      exhibits.push_back(density);
    }
  }
  if (!m_rowProfile.reference.empty()) {
    exhibits.push_back(exhibitOf(
        QStringLiteral("tensor-row"), *m_row, [row = m_rowProfile] { return profileTable(row); }));
    exhibits.push_back(exhibitOf(QStringLiteral("tensor-column"),
                                 *m_column,
                                 [column = m_columnProfile] { return profileTable(column); }));
  }
  return exhibits;
}

}  // namespace ulp::views
