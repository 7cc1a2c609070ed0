#include "views/plugins/tensor/quantity_text.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/base/format_number.h"

namespace ulp::views {
namespace {

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::Tensor", text);
}

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
      return translate("Relative");
    case Quantity::Ulp:
      return QStringLiteral("ULP");
  }
  return {};
}

QString quantityTitle(analysis::Quantity quantity, const QString& variant) {
  using analysis::Quantity;
  switch (quantity) {
    case Quantity::Reference:
      return translate("A, reference");
    case Quantity::Variant:
      return translate("B, %1").arg(variant);
    case Quantity::Difference:
      return translate("A − B, reference minus %1").arg(variant);
    case Quantity::AbsoluteDifference:
      return translate("|A − B|, absolute difference of %1").arg(variant);
    case Quantity::RelativeDifference:
      return translate("|A − B| / |A|, relative difference of %1").arg(variant);
    case Quantity::Ulp:
      return translate("|A − B| in ULP of %1").arg(variant);
  }
  return {};
}

QString dimensionText(analysis::Dimension dimension, int position) {
  using analysis::Dimension;
  switch (dimension) {
    case Dimension::Batch:
      return translate("batch");
    case Dimension::Token:
      return translate("token");
    case Dimension::Channel:
      return translate("channel");
    case Dimension::Head:
      return translate("head");
    case Dimension::Query:
      return translate("query");
    case Dimension::Key:
      return translate("key");
    case Dimension::Vocabulary:
      return translate("vocabulary");
    case Dimension::Output:
      return translate("output");
    case Dimension::Input:
      return translate("input");
    case Dimension::Element:
      return translate("sample");
    case Dimension::Other:
      break;
  }
  return translate("dim %1").arg(position);
}

QString indexText(const std::vector<std::int64_t>& index) {
  if (index.empty()) {
    return translate("scalar");
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
