#pragma once

#include <optional>
#include <stop_token>

#include <QtCore/QStringList>

#include "core/base/error.h"

namespace ulp::app {

/// Paths by what they hold.
struct SortedPaths {
  QStringList all;     ///< as they came, with both sides in the place of a compare.json
  QStringList dumps;   ///< dumps of other tools, files or folders of tensors, runs as FOLDER#RUN
  QStringList others;  ///< run folders, reports, studies, and what nothing is known of
  /// Why a compare.json could not be followed; neither it nor a side of it is among the paths.
  std::optional<Error> problem;

  /// The two that are to be compared with each other, in their order: two dumps, or a dump and a
  /// run. Empty: they are no such pair.
  [[nodiscard]] QStringList pair() const;
};

/// Looks into files and folders: not on the GUI thread. A folder with a report is a run, whatever
/// else lies in it. A compare.json of msprobe 8.x stands for the two dumps that it names, the
/// baseline first.
[[nodiscard]] SortedPaths sortPaths(const QStringList& paths, const std::stop_token& stop);

}  // namespace ulp::app
