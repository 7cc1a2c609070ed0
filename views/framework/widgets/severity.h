#pragma once

#include <QtCore/QString>

#include "core/report/model/report.h"
#include "views/framework/look/theme.h"

namespace ulp::views {

/// ● fine, ▲ look, ■ broken: the shape says what the colour says.
[[nodiscard]] QString severityGlyph(Severity severity);
/// "fine", "look", "broken" in the user's language.
[[nodiscard]] QString severityWord(Severity severity);

/// How a run went, in one glyph and one word.
struct StateText {
  QString glyph;
  QString word;
  Severity severity = Severity::Fine;
};
[[nodiscard]] StateText runStateText(report::RunStatus status);

}  // namespace ulp::views
