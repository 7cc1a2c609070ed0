#include "views/framework/widgets/severity.h"

#include <array>

#include <QtCore/QCoreApplication>

namespace ulp::views {
namespace {

struct SeverityWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::Severity)
};

}  // namespace

QString severityGlyph(Severity severity) {
  // In the order of Severity.
  constexpr std::array<const char*, 3> kGlyphs{"●", "▲", "■"};
  return QString::fromUtf8(kGlyphs.at(static_cast<std::size_t>(severity)));
}

QString severityWord(Severity severity) {
  constexpr std::array<const char*, 3> kWords{QT_TRANSLATE_NOOP("ulp::views::Severity", "fine"),
                                              QT_TRANSLATE_NOOP("ulp::views::Severity", "look"),
                                              QT_TRANSLATE_NOOP("ulp::views::Severity", "broken")};
  return SeverityWords::tr(kWords.at(static_cast<std::size_t>(severity)));
}

StateText runStateText(report::RunStatus status) {
  switch (status) {
    case report::RunStatus::Pending:
      return {QStringLiteral("○"), SeverityWords::tr("waiting"), Severity::Fine};
    case report::RunStatus::Running:
      return {QStringLiteral("◐"), SeverityWords::tr("running"), Severity::Fine};
    case report::RunStatus::Finished:
      return {severityGlyph(Severity::Fine), SeverityWords::tr("finished"), Severity::Fine};
    case report::RunStatus::Cancelled:
      return {severityGlyph(Severity::Look), SeverityWords::tr("stopped"), Severity::Look};
    case report::RunStatus::Skipped:
      return {QStringLiteral("◌"), SeverityWords::tr("skipped"), Severity::Fine};
    case report::RunStatus::Failed:
      return {severityGlyph(Severity::Broken), SeverityWords::tr("failed"), Severity::Broken};
  }
  return {};
}

}  // namespace ulp::views
