#pragma once

#include <string>

#include "app/cli/command.h"
#include "core/base/result.h"
#include "core/base/unit_axes.h"

/// `ulpscope-cli diverge` of what other tools recorded.
namespace ulp::cli {

struct DumpDivergence {
  std::string first;
  std::string second{};  ///< empty: where the numbers of `first` stop being finite
  UnitAxes units{};      ///< of both; what is empty: all
  std::string map{};     ///< mapping of the second one's names to those of the first; empty: none,
                         ///< as it is where there is no second one
  bool readsElements = true;
  std::string format = "text";  ///< text, json, or, of one dump, a format of tables
};

/// The path, before a '#', is a dump rather than a study (analysis::isDump()).
[[nodiscard]] bool holdsDump(const std::string& name);

/// Prints the verdict. RuleFailed where there is a culprit or an origin of NaN and infinity.
/// Errors: those of opening, comparing and reading; InvalidArgument for a format or
/// a mapping that does not fit.
[[nodiscard]] Result<ExitCode> divergeDumps(const DumpDivergence& request,
                                            const CommandContext& context);

}  // namespace ulp::cli
