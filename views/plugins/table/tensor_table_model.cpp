#include "views/plugins/table/tensor_table_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "views/framework/metric_text.h"
#include "views/framework/site_text.h"
#include "views/framework/table_roles.h"

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

bool isNumber(int column) {
  return column >= kFirstMetric || column == static_cast<int>(TensorColumn::Layer) ||
         column == static_cast<int>(TensorColumn::NonFinite);
}

}  // namespace

void TensorTableModel::setDocument(const DocumentPtr& document) {
  beginResetModel();
  m_document = document;
  m_noise = {};
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
             : kFirstMetric + static_cast<int>(m_document->metrics().size());
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
  return index.column() < kFirstMetric
             ? fixedData(row, static_cast<TensorColumn>(index.column()), role)
             : metricData(row, index.column() - kFirstMetric, role);
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
      return isNoise(row, metric) ? exact + QLatin1Char('\n') + withinNoiseText(m_noise) : exact;
    }
    case DimRole:
      return std::isnan(value) || value == 0 || isNoise(row, metric);
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

report::DataColumn dataColumn(const ReportDocument& document, int column) {
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

report::DataCell metricCell(const ReportDocument& document, const TensorRow& row, int metric) {
  const double value = document.value(row.variant, row.site, metric);
  const report::Comparison& comparison = *document.comparison(row.variant, row.site);
  // Undefined is a gap, unless nothing of the tensor was finite.
  if (std::isnan(value) && (comparison.compared > 0 || comparison.count == 0)) {
    return {};
  }
  return inUnit(value, document.metrics()[static_cast<std::size_t>(metric)]);
}

}  // namespace

report::DataTable tensorTable(const ReportDocument& document,
                              const std::vector<TensorRow>& rows,
                              const std::vector<int>& columns,
                              const QString& title) {
  report::DataTable table;
  table.title = title.toStdString();
  for (const int column : columns) {
    table.columns.push_back(dataColumn(document, column));
  }
  table.rows.reserve(rows.size());
  for (const TensorRow& row : rows) {
    std::vector<report::DataCell> cells;
    cells.reserve(columns.size());
    for (const int column : columns) {
      cells.push_back(column < kFirstMetric
                          ? fixedCell(document, row, static_cast<TensorColumn>(column))
                          : metricCell(document, row, column - kFirstMetric));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace ulp::views
