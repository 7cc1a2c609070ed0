#include "views/framework/workspace/workspace.h"

namespace ulp::views {

Workspace::Workspace(Background& background, SelectionContext& selection, SettingsStore& settings)
    : reports(background, selection, settings, messages, requests),
      study(background, settings, messages) {
  QObject::connect(&reports, &ReportSet::lastClosing, &study, &StudyDocument::close);
}

void Workspace::open(const QStringList& paths) {
  QStringList others;
  for (const QString& path : paths) {
    if (isStudyFile(path)) {
      study.open(path);
    } else {
      others << path;
    }
  }
  if (!others.isEmpty()) {
    reports.open(others);
  }
}

void Workspace::closeAll() {
  study.close();
  reports.closeAll();
}

}  // namespace ulp::views
