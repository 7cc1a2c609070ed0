#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/base/result.h"
#include "core/base/unit_axes.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/dumps/model/dump.h"
#include "core/report/model/dump_origin.h"

namespace ulp::cli {

/// The two sides of a comparison as they stand on the command line.
struct SideArguments {
  std::string baseline;
  std::string candidate;  ///< may be missing where `baseline` is a compare.json of msprobe 8.x
  /// Of files of elements without a header, or folders of them; an empty type: there are none.
  std::string rawType{};
  std::vector<std::int64_t> rawShape{-1};
  std::uint64_t rawOffset = 0;
};

/// The sides as paths that can be opened: those that a compare.json names, and raw files with what
/// they cannot say of themselves ("a.bin:float32[4,8]"). Errors: InvalidArgument (a side is
/// missing, a layout for sides that need none), and those of reading a compare.json.
[[nodiscard]] Result<SideArguments> completeSides(SideArguments sides);

/// What an argument (a path, or FOLDER#RUN) and the options of units mean together. Where the
/// options name a run, the argument is a path as a whole.
[[nodiscard]] report::DumpSide sideOf(const std::string& argument, const UnitAxes& units);
/// Opens the dump of a side with the units alone that the side names. Errors: those of openDump()
/// and chooseUnits().
[[nodiscard]] Result<dumps::DumpPtr> openDumpOf(const report::DumpSide& side,
                                                const std::stop_token& stop);

/// Two dumps that were compared, and what can be opened again to see their tensors.
struct ComparedSides {
  analysis::DumpComparison comparison;
  report::DumpOrigin origin;
};
/// Compares what `origin` names, with a line of progress unless `isQuiet`. That no tensor has a
/// partner is a failure of the comparison. Errors: those of
/// analysis::openSides() and analysis::compareDumps().
[[nodiscard]] Result<ComparedSides> compareSides(report::DumpOrigin origin,
                                                 const CommandContext& context,
                                                 const std::stop_token& stop,
                                                 int threads = 0,
                                                 bool isQuiet = false);

}  // namespace ulp::cli
