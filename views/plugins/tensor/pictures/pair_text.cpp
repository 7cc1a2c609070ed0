#include "views/plugins/tensor/pictures/pair_text.h"

#include <cmath>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/base/text/format_number.h"
#include "views/framework/words/site_text.h"
#include "views/framework/words/utf8_text.h"
#include "views/plugins/tensor/pictures/quantity_text.h"

namespace ulp::views {
namespace {

struct PairTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Tensor)
};

QString nameOf(DType dtype) {
  return utf8Text(toString(dtype));
}

void addNonFinite(QStringList& parts,
                  const numerics::NonFiniteCounts& counts,
                  const QString& tensor) {
  if (counts.total() > 0) {
    parts << PairTextWords::tr("%1: %2 NaN, %3 +Inf, %4 −Inf")
                 .arg(tensor)
                 .arg(static_cast<qulonglong>(counts.nan))
                 .arg(static_cast<qulonglong>(counts.positiveInfinity))
                 .arg(static_cast<qulonglong>(counts.negativeInfinity));
  }
}

}  // namespace

QString pairText(const analysis::TensorPair& pair,
                 const analysis::PairStatistics* statistics,
                 bool wasStopped) {
  QStringList parts{shapeText(pair.fullShape),
                    QStringLiteral("%1 → %2").arg(nameOf(pair.reference.view.dtype),
                                                  nameOf(pair.variant.view.dtype))};
  if (statistics == nullptr) {
    parts << (wasStopped ? PairTextWords::tr("reading was stopped")
                         : PairTextWords::tr("reading every element"));
    return parts.join(QStringLiteral("  ·  "));
  }
  const numerics::Moments& moments = statistics->moments;
  if (moments.compared > 0) {
    // A sample sees neither the largest element nor all of them.
    parts << (pair.isSample() ? PairTextWords::tr("max |A − B| at least %1")
                              : PairTextWords::tr("max |A − B| %1"))
                 .arg(valueText(moments.maxAbsoluteDifference, 4));
    const double rms =
        std::sqrt(moments.sumSquaredDifference / static_cast<double>(moments.compared));
    parts << (pair.isSample() ? PairTextWords::tr("RMS of the sample %1")
                              : PairTextWords::tr("RMS %1"))
                 .arg(valueText(rms, 4));
    const double equal = static_cast<double>(moments.equal) / static_cast<double>(moments.count);
    parts << PairTextWords::tr("equal %1 %").arg(QString::fromStdString(formatPercent(equal)));
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
