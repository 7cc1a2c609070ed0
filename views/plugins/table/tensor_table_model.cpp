#include "views/plugins/table/tensor_table_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text/format_number.h"
#include "core/report/tables/data_table.h"
#include "views/framework/tables/table_roles.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"

namespace ulp::views {
namespace {

QString nonFiniteText(const numerics::NonFiniteCounts& counts) {
  return counts.total() == 0 ? QStringLiteral("0")
                             : QString::number(static_cast<qulonglong>(counts.total()));
}

QString nonFiniteHelp(const report::Comparison& comparison) {
  const auto line = [](const QString& who, const numerics::NonFiniteCounts& counts) {
    return QStringLiteral("%1: %2 NaN, %3 +Inf, %4 −Inf")
        .arg(who)
        .arg(static_cast<qulonglong>(counts.nan))
        .arg(static_cast<qulonglong>(counts.positiveInfinity))
        .arg(static_cast<qulonglong>(counts.negativeInfinity));
  };
  return line(TensorTableModel::tr("variant"), comparison.variantNonFinite) + QLatin1Char('\n') +
         line(TensorTableModel::tr("reference"), comparison.referenceNonFinite);
}

QString fixedTitle(TensorColumn column) {
  switch (column) {
    case TensorColumn::Tensor:
      return TensorTableModel::tr("Tensor");
    case TensorColumn::Pass:
      return TensorTableModel::tr("Pass");
    case TensorColumn::Layer:
      return TensorTableModel::tr("Layer");
    case TensorColumn::Variant:
      return TensorTableModel::tr("Variant");
    case TensorColumn::Shape:
      return TensorTableModel::tr("Shape");
    case TensorColumn::DType:
      return TensorTableModel::tr("Format");
    case TensorColumn::NonFinite:
      return TensorTableModel::tr("Not finite");
  }
  return {};
}

/// Of an interval: three digits say all.
constexpr int kWidthDigits = 3;

bool isWidth(SampleColumn column) {
  return column == SampleColumn::Interval || column == SampleColumn::GainInterval;
}

bool isNumber(int column) {
  return column >= kFirstMetric || column == static_cast<int>(TensorColumn::Layer) ||
         column == static_cast<int>(TensorColumn::NonFinite);
}

}  // namespace

void TensorTableModel::setDocument(const DocumentPtr& document) {
  beginResetModel();
  m_document = document;
  m_noise = {};
  m_metric = -1;
  m_sampleColumns = document ? sampleColumns(*document) : std::vector<SampleColumn>();
  m_rows.clear();
  endResetModel();
}

void TensorTableModel::setRows(std::vector<TensorRow> rows) {
  beginResetModel();
  m_rows = std::move(rows);
  endResetModel();
}

void TensorTableModel::setNoise(const NoiseRuns& noise) {
  if (noise == m_noise) {
    return;
  }
  m_noise = noise;
  if (rowCount() > 0) {
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
  }
}

void TensorTableModel::setMetric(int metric) {
  if (metric == m_metric) {
    return;
  }
  m_metric = metric;
  if (m_sampleColumns.empty()) {
    return;
  }
  const int first = firstSampleColumn(*m_document);
  Q_EMIT headerDataChanged(Qt::Horizontal, first, columnCount() - 1);
  if (rowCount() > 0) {
    Q_EMIT dataChanged(index(0, first), index(rowCount() - 1, columnCount() - 1));
  }
}

int TensorTableModel::find(int variant, int site) const {
  const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&](const TensorRow& row) {
    return row.variant == variant && row.site == site;
  });
  return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int TensorTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TensorTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || !m_document
             ? 0
             : firstSampleColumn(*m_document) + static_cast<int>(m_sampleColumns.size());
}

QVariant TensorTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
    return {};
  }
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue<Qt::Alignment>(
        (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }
  const TensorRow& row = m_rows[static_cast<std::size_t>(index.row())];
  if (index.column() < kFirstMetric) {
    return fixedData(row, static_cast<TensorColumn>(index.column()), role);
  }
  const int place = index.column() - firstSampleColumn(*m_document);
  return place < 0 ? metricData(row, index.column() - kFirstMetric, role)
                   : sampleData(row, m_sampleColumns[static_cast<std::size_t>(place)], role);
}

QVariant TensorTableModel::fixedData(const TensorRow& row, TensorColumn column, int role) const {
  const Site& site = m_document->sites()[static_cast<std::size_t>(row.site)];
  const report::Comparison& comparison = *m_document->comparison(row.variant, row.site);
  if (role == VariantRole && column == TensorColumn::Variant) {
    return m_document->styleOf(row.variant);
  }
  if (role == NonFiniteRole && column == TensorColumn::NonFinite) {
    return comparison.variantNonFinite.total() > 0;
  }
  if (role == DimRole) {
    return column != TensorColumn::Tensor && column != TensorColumn::Variant;
  }
  if (role == Qt::ToolTipRole && column == TensorColumn::Tensor) {
    return QString::fromStdString(site.module);
  }
  if (role == Qt::ToolTipRole && column == TensorColumn::NonFinite) {
    return nonFiniteHelp(comparison);
  }
  if (role != Qt::DisplayRole && role != RawRole) {
    return {};
  }
  switch (column) {
    case TensorColumn::Tensor:
      return QString::fromStdString(site.name);
    case TensorColumn::Pass:
      return passText(site.pass);
    case TensorColumn::Layer:
      return site.layer < 0 ? QVariant(role == RawRole ? QString() : missingText())
                            : QVariant(site.layer);
    case TensorColumn::Variant:
      return m_document->variantName(row.variant);
    case TensorColumn::Shape:
      return shapeText(comparison.shape);
    case TensorColumn::DType:
      return QString::fromStdString(comparison.variantDType);
    case TensorColumn::NonFinite:
      return nonFiniteText(comparison.variantNonFinite);
  }
  return {};
}

QVariant TensorTableModel::metricData(const TensorRow& row, int metric, int role) const {
  const double value = m_document->value(row.variant, row.site, metric);
  switch (role) {
    case Qt::DisplayRole:
      return m_document->columnFormat(metric).text(value);
    case RawRole:
      return exactText(inUnit(value, m_document->metrics()[static_cast<std::size_t>(metric)]));
    case Qt::ToolTipRole: {
      const QString exact =
          exactText(inUnit(value, m_document->metrics()[static_cast<std::size_t>(metric)]));
      QStringList lines{exact,
                        spreadHelp(m_document->spread(row.variant, row.site, metric),
                                   m_document->variant(row.variant).samples,
                                   m_document->metrics()[static_cast<std::size_t>(metric)])};
      if (isNoise(row, metric)) {
        lines << withinNoiseText(m_noise);
      }
      lines.removeAll(QString());
      return lines.join(QLatin1Char('\n'));
    }
    case DimRole:
      return std::isnan(value) || value == 0 || isNoise(row, metric);
    default:
      return {};
  }
}

QVariant TensorTableModel::sampleData(const TensorRow& row, SampleColumn column, int role) const {
  const double value = sampleValue(*m_document, row, column, m_metric);
  const MetricInfo info = sampleColumnInfo(*m_document, column, m_metric);
  const bool isFlag = column == SampleColumn::Systematic;
  switch (role) {
    case Qt::DisplayRole:
      if (isFlag) {
        return value == 1 ? tr("systematic") : QString();
      }
      return std::isnan(value) || !isWidth(column)
                 ? metricText(value, info)
                 : QString::fromStdString(formatSignificant(inUnit(value, info), kWidthDigits));
    case RawRole:
      return exactText(isFlag ? value : inUnit(value, info));
    case Qt::ToolTipRole:
      if (column == SampleColumn::GainError) {
        return spreadHelp(m_document->comparison(row.variant, row.site)->gainSpread,
                          m_document->variant(row.variant).samples,
                          info);
      }
      return isFlag ? QVariant() : QVariant(exactText(inUnit(value, info)));
    case DimRole:
      return std::isnan(value) || value == 0;
    default:
      return {};
  }
}

bool TensorTableModel::isNoise(const TensorRow& row, int metric) const {
  return isWithinNoise(*m_document, m_noise, {row.variant, row.site, metric});
}

QVariant TensorTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
    return {};
  }
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue<Qt::Alignment>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) |
                                              Qt::AlignVCenter);
  }
  if (const int place = section - firstSampleColumn(*m_document); place >= 0) {
    const SampleColumn column = m_sampleColumns[static_cast<std::size_t>(place)];
    return role == Qt::DisplayRole
               ? QVariant(metricHeader(sampleColumnInfo(*m_document, column, m_metric)))
           : role == Qt::ToolTipRole ? QVariant(sampleColumnHelp(column))
                                     : QVariant();
  }
  if (section >= kFirstMetric) {
    const MetricInfo& metric =
        m_document->metrics()[static_cast<std::size_t>(section - kFirstMetric)];
    return role == Qt::DisplayRole   ? QVariant(metricHeader(metric))
           : role == Qt::ToolTipRole ? QVariant(metricHelp(metric))
                                     : QVariant();
  }
  if (role != Qt::DisplayRole) {
    return {};
  }
  return fixedTitle(static_cast<TensorColumn>(section));
}

namespace {

std::optional<SampleColumn> sampleColumnAt(const ReportDocument& document, int column) {
  const int place = column - firstSampleColumn(document);
  return place < 0 ? std::nullopt
                   : std::optional(sampleColumns(document)[static_cast<std::size_t>(place)]);
}

report::DataColumn dataColumn(const ReportDocument& document, int column, int metricShown) {
  if (const auto extra = sampleColumnAt(document, column)) {
    const MetricInfo info = sampleColumnInfo(document, *extra, metricShown);
    return {info.label.toStdString(), unitText(info.unit).toStdString(), ""};
  }
  if (column < kFirstMetric) {
    return {fixedTitle(static_cast<TensorColumn>(column)).toStdString(), "", ""};
  }
  const MetricInfo& metric = document.metrics()[static_cast<std::size_t>(column - kFirstMetric)];
  return {metric.label.toStdString(), unitText(metric.unit).toStdString(), ""};
}

report::DataCell fixedCell(const ReportDocument& document,
                           const TensorRow& row,
                           TensorColumn column) {
  const Site& site = document.sites()[static_cast<std::size_t>(row.site)];
  const report::Comparison& comparison = *document.comparison(row.variant, row.site);
  switch (column) {
    case TensorColumn::Tensor:
      return site.name;
    case TensorColumn::Pass:
      return passText(site.pass).toStdString();
    case TensorColumn::Layer:
      return site.layer < 0 ? report::DataCell() : report::DataCell(site.layer * 1.0);
    case TensorColumn::Variant:
      return document.variantName(row.variant).toStdString();
    case TensorColumn::Shape:
      return shapeText(comparison.shape).toStdString();
    case TensorColumn::DType:
      return comparison.variantDType;
    case TensorColumn::NonFinite:
      return static_cast<double>(comparison.variantNonFinite.total());
  }
  return {};
}

report::DataCell sampleCell(const ReportDocument& document,
                            const TensorRow& row,
                            SampleColumn column,
                            int metric) {
  const double value = sampleValue(document, row, column, metric);
  return report::numberCell(inUnit(value, sampleColumnInfo(document, column, metric)));
}

report::DataCell metricCell(const ReportDocument& document, const TensorRow& row, int metric) {
  const double value = document.value(row.variant, row.site, metric);
  const report::Comparison& comparison = *document.comparison(row.variant, row.site);
  const bool isAllNonFinite = comparison.compared == 0 && comparison.count > 0;
  return report::numberCell(inUnit(value, document.metrics()[static_cast<std::size_t>(metric)]),
                            isAllNonFinite);
}

}  // namespace

report::DataTable tensorTable(const ReportDocument& document,
                              const std::vector<TensorRow>& rows,
                              const std::vector<int>& columns,
                              const QString& title,
                              int metric) {
  report::DataTable table;
  table.title = title.toStdString();
  std::vector<std::optional<SampleColumn>> extra;
  for (const int column : columns) {
    table.columns.push_back(dataColumn(document, column, metric));
    extra.push_back(sampleColumnAt(document, column));
  }
  table.rows.reserve(rows.size());
  for (const TensorRow& row : rows) {
    std::vector<report::DataCell> cells;
    cells.reserve(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const int column = columns[i];
      if (extra[i]) {
        cells.push_back(sampleCell(document, row, *extra[i], metric));
      } else if (column < kFirstMetric) {
        cells.push_back(fixedCell(document, row, static_cast<TensorColumn>(column)));
      } else {
        cells.push_back(metricCell(document, row, column - kFirstMetric));
      }
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace ulp::views
