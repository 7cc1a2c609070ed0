#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>

#include <QtCore/QStringList>

#include "core/base/error.h"
#include "core/report/model/dump_origin.h"
#include "core/report/model/finding.h"
#include "core/report/model/report.h"

namespace ulp::views {

/// What has to be said of a comparison that is over, counted over its units.
struct ComparisonOutcome {
  std::size_t paired = 0;
  std::size_t equal = 0;
  std::size_t onlyBaseline = 0;
  std::size_t onlyCandidate = 0;
  std::size_t shapes = 0;
  bool isIdentical = false;
  bool isProven = true;  ///< by elements or checksums
  /// Where the errors start, of the unit to look at first; nothing: no call makes one. Of one dump:
  /// where NaN or infinity does.
  std::optional<report::Finding> culprit{};
  bool isOneDump = false;  ///< that was read, and compared with none
  std::size_t units = 0;   ///< of one dump: that were read
  std::size_t tensors = 0;
  std::size_t notFinite = 0;  ///< tensors
  QStringList problems{};     ///< with what has no partner and the dumps' own notes
};

/// How far a comparison is, and what is finished where that is worth showing.
struct ComparisonNews {
  double fraction = 0;
  report::ReportPtr soFar;
};

struct ComparisonAnswer {
  report::ReportPtr report;      ///< null: nothing was finished
  std::optional<Error> error{};  ///< why it is not whole
  ComparisonOutcome outcome{};
};

/// Compares two dumps, or reads one (report::isOneDump()), which takes as long as it takes; not on
/// the GUI thread. `threads`: 0: one a core. `publish` gets news
/// a few times a second, and a report at most every second. A stop ends with what was finished.
[[nodiscard]] ComparisonAnswer compareInBackground(
    const report::DumpOrigin& origin,
    int threads,
    const std::stop_source& stop,
    const std::function<void(ComparisonNews)>& publish);

}  // namespace ulp::views
