#include "views/plugins/tensor/pictures/tensor_text.h"

#include <array>
#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/base/text/format_number.h"
#include "core/base/undefined.h"
#include "core/report/summary/ulp_count.h"
#include "views/framework/words/metric_text.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/utf8_text.h"

namespace ulp::views {
namespace {

/// As metricText() writes errors.
constexpr int kMetricDigits = 3;

struct QuantityTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Tensor)
};

void addNonFinite(QStringList& parts,
                  const numerics::NonFiniteCounts& counts,
                  const QString& tensor) {
  if (counts.total() > 0) {
    parts << QuantityTextWords::tr("%1: %2 NaN, %3 +Inf, %4 −Inf")
                 .arg(tensor)
                 .arg(static_cast<qulonglong>(counts.nan))
                 .arg(static_cast<qulonglong>(counts.positiveInfinity))
                 .arg(static_cast<qulonglong>(counts.negativeInfinity));
  }
}

}  // namespace

bool isOneTensor(const analysis::TensorPair& pair) {
  return pair.reference.view.data == pair.variant.view.data && pair.count() > 0;
}

QString quantitySymbol(analysis::Quantity quantity) {
  const std::array symbols{QStringLiteral("A"),
                           QStringLiteral("B"),
                           QStringLiteral("B − A"),
                           QStringLiteral("|B − A|"),
                           QuantityTextWords::tr("Relative"),
                           QStringLiteral("ULP")};
  return symbols.at(static_cast<std::size_t>(quantity));
}

QString quantityTitle(analysis::Quantity quantity, const PairRuns& runs) {
  const QString& a = runs.baseline;
  const QString& b = runs.variant;
  if (a.isEmpty() && !b.isEmpty()) {
    return b;
  }
  const QString format = utf8Text(toString(runs.ulpFormat));
  const std::array titles{QStringLiteral("A, %1").arg(a),
                          QStringLiteral("B, %1").arg(b),
                          QuantityTextWords::tr("B − A, %1 minus %2").arg(b, a),
                          QuantityTextWords::tr("|B − A|, absolute difference of %1").arg(b),
                          QuantityTextWords::tr("|B − A| / |A|, relative difference of %1").arg(b),
                          QuantityTextWords::tr("|B − A| in ULP of %1, %2").arg(format, b)};
  return titles.at(static_cast<std::size_t>(quantity));
}

QString dimensionText(analysis::Dimension dimension, int position) {
  if (dimension == analysis::Dimension::Other) {
    return QuantityTextWords::tr("dim %1").arg(position);
  }
  const std::array names{QuantityTextWords::tr("batch"),
                         QuantityTextWords::tr("token"),
                         QuantityTextWords::tr("channel"),
                         QuantityTextWords::tr("head"),
                         QuantityTextWords::tr("query"),
                         QuantityTextWords::tr("key"),
                         QuantityTextWords::tr("vocabulary"),
                         QuantityTextWords::tr("output"),
                         QuantityTextWords::tr("input"),
                         QuantityTextWords::tr("sample")};
  return names.at(static_cast<std::size_t>(dimension));
}

QString indexText(const std::vector<std::int64_t>& index) {
  return index.empty() ? QuantityTextWords::tr("scalar") : elementText(index);
}

QString valueText(double value, int significant) {
  return QString::fromStdString(formatSignificant(value, significant));
}

double ulpOf(const analysis::TensorPair& pair, double reference, double variant) {
  const double ulp =
      analysis::QuantityReader(pair, analysis::Quantity::Ulp).valueOf(reference, variant);
  return report::isSensibleUlp(pair.ulpFormat, ulp) ? ulp : kUndefined;
}

QString ulpText(double ulp) {
  return metricText(ulp, {.unit = numerics::MetricUnit::Ulp});
}

QString pairText(const analysis::TensorPair& pair,
                 const analysis::PairStatistics* statistics,
                 ReadingState state) {
  const QString ownType = utf8Text(toString(pair.variant.view.dtype));
  const bool isOne = isOneTensor(pair);
  QStringList parts{shapeText(pair.fullShape),
                    isOne ? ownType
                          : QStringLiteral("%1 → %2").arg(
                                utf8Text(toString(pair.reference.view.dtype)), ownType)};
  if (statistics == nullptr) {
    parts << (state == ReadingState::Stopped ? QuantityTextWords::tr("reading was stopped")
              : state == ReadingState::Elsewhere
                  ? QuantityTextWords::tr("on another machine: what is seen of it is fetched")
                  : QuantityTextWords::tr("reading every element"));
    return parts.join(QStringLiteral("  ·  "));
  }
  const numerics::Moments& moments = statistics->moments;
  if (isOne) {
    const numerics::NonFiniteCounts& counts = moments.candidate;
    parts << (counts.total() == 0 ? QuantityTextWords::tr("every element is finite")
                                  : QuantityTextWords::tr("%1 NaN, %2 +Inf, %3 −Inf")
                                        .arg(static_cast<qulonglong>(counts.nan))
                                        .arg(static_cast<qulonglong>(counts.positiveInfinity))
                                        .arg(static_cast<qulonglong>(counts.negativeInfinity)));
    return parts.join(QStringLiteral("  ·  "));
  }
  if (moments.compared > 0) {
    // A sample sees neither the largest element nor all of them.
    parts << (pair.isSample() ? QuantityTextWords::tr("max |B − A| at least %1")
                              : QuantityTextWords::tr("max |B − A| %1"))
                 .arg(valueText(moments.maxAbsoluteDifference, kMetricDigits));
    const double rms =
        std::sqrt(moments.sumSquaredDifference / static_cast<double>(moments.compared));
    parts << (pair.isSample() ? QuantityTextWords::tr("RMS of the sample %1")
                              : QuantityTextWords::tr("RMS %1"))
                 .arg(valueText(rms, kMetricDigits));
    const double equal = static_cast<double>(moments.equal) / static_cast<double>(moments.count);
    parts << QuantityTextWords::tr("equal %1 %").arg(QString::fromStdString(formatPercent(equal)));
  }
  addNonFinite(parts, moments.reference, QStringLiteral("A"));
  addNonFinite(parts, moments.candidate, QStringLiteral("B"));
  return parts.join(QStringLiteral("  ·  "));
}

std::optional<std::vector<std::int64_t>> parseElement(QString text,
                                                      std::span<const std::int64_t> shape) {
  text.remove(QLatin1Char('[')).remove(QLatin1Char(']'));
  const QStringList parts = text.split(QLatin1Char(','), Qt::SkipEmptyParts);
  if (static_cast<std::size_t>(parts.size()) != shape.size()) {
    return std::nullopt;
  }
  std::vector<std::int64_t> index;
  for (const QString& part : parts) {
    const std::int64_t size = shape[index.size()];
    bool isNumber = false;
    const qint64 given = part.trimmed().toLongLong(&isNumber);
    const qint64 position = given < 0 ? given + size : given;
    if (!isNumber || position < 0 || position >= size) {
      return std::nullopt;
    }
    index.push_back(position);
  }
  return index;
}

}  // namespace ulp::views
