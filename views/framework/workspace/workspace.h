#pragma once

#include "views/framework/widgets/message.h"
#include "views/framework/workspace/report_set.h"
#include "views/framework/workspace/study_document.h"
#include "views/framework/workspace/window_requests.h"

namespace ulp::views {

/// What is open in the window, and the ways from views to the window. Whoever needs one of its
/// parts takes that alone.
struct Workspace {
  Workspace(Background& background, SelectionContext& selection, SettingsStore& settings);

  /// Studies (.yaml, .yml) are opened as the study, run folders and reports as the reports.
  void open(const QStringList& paths);
  void closeAll();
  [[nodiscard]] bool isLoading() const { return reports.isLoading() || study.isLoading(); }

  Messages messages;
  WindowRequests requests;
  ReportSet reports;
  StudyDocument study;
};

}  // namespace ulp::views
