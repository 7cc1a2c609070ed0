#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/text/sentence.h"
#include "core/comparing/origin/overflow_origin.h"
#include "core/dumps/model/dump.h"
#include "core/report/model/dump_origin.h"
#include "core/report/model/finding.h"
#include "core/report/model/report.h"

namespace ulp::analysis {

/// One unit of a dump that is looked at alone.
struct UnitContents {
  report::Run run;  ///< its tensors as they were made, with the metrics recorded.*
  OverflowSearch overflow;
  /// Where origins.front() stands in the report; nothing: there is none.
  std::optional<Site> origin;
  std::vector<std::string> problems;  ///< tensors that could not be read
  std::vector<Sentence> notes;        ///< of the unit
};

/// A dump, unit by unit.
struct DumpContents {
  std::string name;
  std::string format;  ///< for people: "msprobe 26.x, statistics, level mix"
  std::vector<UnitContents> units;
  std::vector<Error> failures;  ///< of units that could not be read
  std::vector<Sentence> notes;

  /// The first unit whose numbers stop being finite; null: none does.
  [[nodiscard]] const UnitContents* firstBroken() const;
};

struct DumpReadOptions {
  bool readsElements = true;  ///< of tensors whose recorded numbers are missing or not finite
  int threads = 0;            ///< 0: one a core
  /// Is handed, on the thread that called, what was read so far, after every unit.
  std::function<void(const DumpContents&)> soFar{};
  /// Is handed, on the thread that called, what was read when it ends with Cancelled or
  /// OutOfMemory, unless that is nothing.
  std::function<void(const DumpContents&)> stopped{};
};

/// What the run of a unit is called in a report of one dump.
[[nodiscard]] std::string unitNameOf(const UnitAxes& axes, const std::string& dumpName);

/// Reads a dump; memory holds one unit at a time, and no elements. Units that cannot be read are
/// `failures`, and the rest is read. Errors: Cancelled, OutOfMemory, and that of the first unit
/// where none can be read.
[[nodiscard]] Result<DumpContents> readContents(const dumps::Dump& dump,
                                                const DumpReadOptions& options,
                                                const std::stop_token& stop = {},
                                                const dumps::Progress& progress = {});

/// The dump as a report without a reference: one run for each unit, of each tensor what was
/// recorded of it, and where NaN or infinity starts as findings. `origin`: where its tensors are
/// found, see report::isOneDump().
[[nodiscard]] report::Report toReport(DumpContents contents,
                                      std::optional<report::DumpOrigin> origin = {});

/// Rule report::kOverflowRule, of the run `run`; nothing: its numbers are finite.
[[nodiscard]] std::optional<report::Finding> overflowFinding(const UnitContents& unit);

}  // namespace ulp::analysis
