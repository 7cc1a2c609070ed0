#include "views/framework/severity.h"

#include <QtCore/QCoreApplication>

namespace ulp::views {
namespace {

QString translate(const char* text) {
  return QCoreApplication::translate("ulp::views::Severity", text);
}

}  // namespace

QString severityGlyph(Severity severity) {
  switch (severity) {
    case Severity::Fine:
      return QStringLiteral("●");
    case Severity::Look:
      return QStringLiteral("▲");
    case Severity::Broken:
      return QStringLiteral("■");
  }
  return {};
}

QString severityWord(Severity severity) {
  switch (severity) {
    case Severity::Fine:
      return translate("fine");
    case Severity::Look:
      return translate("look");
    case Severity::Broken:
      return translate("broken");
  }
  return {};
}

StateText runStateText(report::RunStatus status) {
  switch (status) {
    case report::RunStatus::Pending:
      return {QStringLiteral("○"), translate("waiting"), Severity::Fine};
    case report::RunStatus::Running:
      return {QStringLiteral("◐"), translate("running"), Severity::Fine};
    case report::RunStatus::Finished:
      return {severityGlyph(Severity::Fine), translate("finished"), Severity::Fine};
    case report::RunStatus::Cancelled:
      return {severityGlyph(Severity::Look), translate("stopped"), Severity::Look};
    case report::RunStatus::Skipped:
      return {QStringLiteral("◌"), translate("skipped"), Severity::Fine};
    case report::RunStatus::Failed:
      return {severityGlyph(Severity::Broken), translate("failed"), Severity::Broken};
  }
  return {};
}

}  // namespace ulp::views
