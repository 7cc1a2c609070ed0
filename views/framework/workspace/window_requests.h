#pragma once

#include <functional>
#include <vector>

#include <QtCore/QObject>
#include <QtCore/QString>

#include "core/report/model/dump_origin.h"
#include "core/report/model/finding.h"

namespace ulp::views {

/// Carries what a view wants of the window, which it does not know: each signal is named as the
/// command that it asks for, and is emitted by others, on the GUI thread.
class WindowRequests : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

 Q_SIGNALS:
  /// Show the same selection in the view behind the one in which Enter was pressed.
  void goDeeper(int drillLevel);
  /// Select what a finding is about, and show its proof.
  void showFinding(const ulp::report::Finding& finding);
  /// Show the rules that are asked of the open report, and what they say.
  void showRules();
  /// Open the editor of the mapping by which the open dumps are compared.
  void editMapping();
  /// Ask with a file dialog: for a report in place of those that are open, for one beside them, for
  /// studies to run, for a folder that may be a dump.
  void askForReport();
  void askForReportBeside();
  void askForStudies();
  void askForFolder();
  /// Compare two dumps, or read one (report::isOneDump()), and show the result in place of what is
  /// open.
  void compareDumps(const ulp::report::DumpOrigin& origin);
  /// Compare several dumps, each with its baseline, and show the results beside each other.
  void compareAll(const std::vector<ulp::report::DumpOrigin>& origins);
  /// Ask which two dumps to compare, with what is known filled in.
  void askForDumps(const ulp::report::DumpOrigin& origin);
  /// Save the open study, and ask for a file where it has none; call `saved` once it is written,
  /// not when the user thinks better of it.
  void saveStudy(const std::function<void()>& saved);
};

}  // namespace ulp::views
