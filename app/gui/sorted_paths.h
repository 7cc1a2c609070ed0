#pragma once

#include <stop_token>

#include <QtCore/QStringList>

namespace ulp::app {

/// Paths by what they hold.
struct SortedPaths {
  QStringList all;     ///< as they came
  QStringList dumps;   ///< dumps of other tools, files or folders of tensors, runs as FOLDER#RUN
  QStringList others;  ///< run folders, reports, studies, and what nothing is known of

  /// The two that are to be compared with each other, in their order: two dumps, or a dump and a
  /// run. Empty: they are no such pair.
  [[nodiscard]] QStringList pair() const;
};

/// Looks into files and folders: not on the GUI thread. A folder with a report is a run, whatever
/// else lies in it.
[[nodiscard]] SortedPaths sortPaths(const QStringList& paths, const std::stop_token& stop);

}  // namespace ulp::app
