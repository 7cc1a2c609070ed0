#include "views/plugins/tensor/pictures/quantity_text.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/base/text/format_number.h"

namespace ulp::views {
namespace {

struct QuantityTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Tensor)
};

}  // namespace

QString quantitySymbol(analysis::Quantity quantity) {
  using analysis::Quantity;
  switch (quantity) {
    case Quantity::Reference:
      return QStringLiteral("A");
    case Quantity::Variant:
      return QStringLiteral("B");
    case Quantity::Difference:
      return QStringLiteral("A − B");
    case Quantity::AbsoluteDifference:
      return QStringLiteral("|A − B|");
    case Quantity::RelativeDifference:
      return QuantityTextWords::tr("Relative");
    case Quantity::Ulp:
      return QStringLiteral("ULP");
  }
  return {};
}

QString quantityTitle(analysis::Quantity quantity, const QString& variant) {
  using analysis::Quantity;
  switch (quantity) {
    case Quantity::Reference:
      return QuantityTextWords::tr("A, reference");
    case Quantity::Variant:
      return QuantityTextWords::tr("B, %1").arg(variant);
    case Quantity::Difference:
      return QuantityTextWords::tr("A − B, reference minus %1").arg(variant);
    case Quantity::AbsoluteDifference:
      return QuantityTextWords::tr("|A − B|, absolute difference of %1").arg(variant);
    case Quantity::RelativeDifference:
      return QuantityTextWords::tr("|A − B| / |A|, relative difference of %1").arg(variant);
    case Quantity::Ulp:
      return QuantityTextWords::tr("|A − B| in ULP of %1").arg(variant);
  }
  return {};
}

QString dimensionText(analysis::Dimension dimension, int position) {
  using analysis::Dimension;
  switch (dimension) {
    case Dimension::Batch:
      return QuantityTextWords::tr("batch");
    case Dimension::Token:
      return QuantityTextWords::tr("token");
    case Dimension::Channel:
      return QuantityTextWords::tr("channel");
    case Dimension::Head:
      return QuantityTextWords::tr("head");
    case Dimension::Query:
      return QuantityTextWords::tr("query");
    case Dimension::Key:
      return QuantityTextWords::tr("key");
    case Dimension::Vocabulary:
      return QuantityTextWords::tr("vocabulary");
    case Dimension::Output:
      return QuantityTextWords::tr("output");
    case Dimension::Input:
      return QuantityTextWords::tr("input");
    case Dimension::Element:
      return QuantityTextWords::tr("sample");
    case Dimension::Other:
      break;
  }
  return QuantityTextWords::tr("dim %1").arg(position);
}

QString indexText(const std::vector<std::int64_t>& index) {
  if (index.empty()) {
    return QuantityTextWords::tr("scalar");
  }
  QStringList parts;
  for (const std::int64_t i : index) {
    parts << QString::number(i);
  }
  return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

QString valueText(double value, int significant) {
  return QString::fromStdString(formatSignificant(value, significant));
}

}  // namespace ulp::views
