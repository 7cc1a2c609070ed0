#include "views/framework/floor_text.h"

#include <array>

#include <QtCore/QCoreApplication>

#include "core/report/noise_floor.h"

namespace ulp::views {
namespace {

/// What report::floorLabel() says, for the translators.
[[maybe_unused]] constexpr std::array kMeanings{
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "the same again"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "rounding of the reference itself"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "another number of threads"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "another attention kernel"),
    QT_TRANSLATE_NOOP("ulp::views::FloorLabel", "sequences in reverse order")};

}  // namespace

QString runLabel(const QString& run) {
  const std::string name = run.toStdString();
  const std::string label = report::floorLabel(name);
  if (label == name) {
    return run;
  }
  const std::string meaning = label.substr(name.size() + 2, label.size() - name.size() - 3);
  return QStringLiteral("%1 (%2)").arg(
      run, QCoreApplication::translate("ulp::views::FloorLabel", meaning.c_str()));
}

}  // namespace ulp::views
