#include "views/framework/words/floor_text.h"

#include <array>
#include <string>

#include <QtCore/QCoreApplication>

#include "core/report/summary/noise_floor.h"

namespace ulp::views {
namespace {

/// What report::floorMeaning() says, for the translators.
[[maybe_unused]] constexpr std::array kMeanings{
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "the same again"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "rounding of the reference itself"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "another number of threads"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "another attention kernel"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "sequences in reverse order")};

}  // namespace

QString runLabel(const QString& run) {
  const std::string meaning(report::floorMeaning(run.toStdString()));
  if (meaning.empty()) {
    return run;
  }
  return QStringLiteral("%1 (%2)").arg(
      run, QCoreApplication::translate("ulp::views::FloorLabel", meaning.c_str()));
}

}  // namespace ulp::views
