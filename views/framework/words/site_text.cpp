#include "views/framework/words/site_text.h"

#include <array>
#include <string>

#include <QtCore/QCoreApplication>
#include <QtCore/QStringList>

#include "core/report/summary/noise_floor.h"

namespace ulp::views {
namespace {

struct PassTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::PassText)
};

struct SiteTextWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::SiteText)
};

/// What report::floorMeaning() says, for the translators.
[[maybe_unused]] constexpr std::array kMeanings{
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "the same again"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "rounding of the reference itself"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "another number of threads"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "another attention kernel"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "sequences in reverse order")};

QString joined(const std::vector<std::int64_t>& numbers, const QString& separator) {
  QStringList texts;
  for (const std::int64_t number : numbers) {
    texts << QString::number(number);
  }
  return texts.join(separator);
}

}  // namespace

QString shapeText(const std::vector<std::int64_t>& shape) {
  return shape.empty() ? SiteTextWords::tr("scalar") : joined(shape, QStringLiteral(" × "));
}

QString elementText(const std::vector<std::int64_t>& element) {
  return QStringLiteral("[%1]").arg(joined(element, QStringLiteral(", ")));
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

QString passName(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return PassTextWords::tr("Forward");
    case Pass::Backward:
      return PassTextWords::tr("Backward");
    case Pass::ParameterGradient:
      return PassTextWords::tr("Parameter gradients");
    case Pass::Optimizer:
      break;
  }
  return PassTextWords::tr("Optimizer");
}

QString passCaption(Pass pass) {
  switch (pass) {
    case Pass::Forward:
      return PassTextWords::tr("Forward →");
    case Pass::Backward:
      return PassTextWords::tr("Backward →");
    case Pass::ParameterGradient:
    case Pass::Optimizer:
      break;
  }
  return passName(pass);
}

QString runLabel(const QString& run) {
  const std::string meaning(report::floorMeaning(run.toStdString()));
  if (meaning.empty()) {
    return run;
  }
  return QStringLiteral("%1 (%2)").arg(
      run, QCoreApplication::translate("ulp::views::FloorLabel", meaning.c_str()));
}

}  // namespace ulp::views
