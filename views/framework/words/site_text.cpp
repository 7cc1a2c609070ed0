#include "views/framework/words/site_text.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

namespace ulp::views {
namespace {

struct SiteTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::SiteText)
};

}  // namespace

QString shapeText(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) {
    return SiteTextWords::tr("scalar");
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
      return SiteTextWords::tr("forward");
    case Pass::Backward:
      return SiteTextWords::tr("backward");
    case Pass::ParameterGradient:
      return SiteTextWords::tr("parameter gradient");
    case Pass::Optimizer:
      return SiteTextWords::tr("optimizer");
  }
  return {};
}

}  // namespace ulp::views
