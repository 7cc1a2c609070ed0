#include "views/framework/site_text.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

namespace ulp::views {
namespace {

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::SiteText", text);
}

}  // namespace

QString shapeText(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) {
    return translate("scalar");
  }
  QStringList sizes;
  for (const std::int64_t size : shape) {
    sizes << QString::number(size);
  }
  return sizes.join(QStringLiteral(" × "));
}

QString passText(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return translate("forward");
    case Pass::Backward:
      return translate("backward");
    case Pass::ParameterGradient:
      return translate("parameter gradient");
    case Pass::Optimizer:
      return translate("optimizer");
  }
  return {};
}

}  // namespace ulp::views
