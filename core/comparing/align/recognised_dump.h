#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/unit_axes.h"
#include "core/report/model/dump_origin.h"

namespace ulp::analysis {

/// What a path holds, before a comparison reads any of it.
struct RecognisedDump {
  std::string format;  ///< for people: "msprobe 26.x, tensors, level mix"
  std::vector<UnitAxes> units;
  std::vector<std::string> notes;  ///< of the dump: `file: what; remedy`
};

/// Opens a dump and lists its units, reading none. Errors: those of dumps::openDump().
[[nodiscard]] Result<RecognisedDump> recogniseDump(const std::filesystem::path& path,
                                                   const std::stop_token& stop = {});

/// Error: InvalidArgument, naming the units that there are, where `side` chooses none of them.
[[nodiscard]] Result<> checkUnits(const RecognisedDump& dump, const report::DumpSide& side);

/// Names the tools whose dumps are recognised, see dumps::recordingTools().
[[nodiscard]] std::vector<std::string> recordingTools();

/// A format of dumps, or of tensors, claims the path; reads little of it. False where nothing is.
[[nodiscard]] bool looksLikeDump(const std::filesystem::path& path);

/// looksLikeDump(), and no report of a study lies there: a folder with one is a run, whatever else
/// it holds. What is wrong with a dump is told by whoever opens it.
[[nodiscard]] bool isDump(const std::filesystem::path& path);

/// Two dumps that one file names.
struct NamedSides {
  std::filesystem::path baseline;
  std::filesystem::path candidate;
};
/// Those of a compare.json of msprobe 8.x; nothing where the path is none. Errors: NotFound (a side
/// leads nowhere), CorruptData, Io.
[[nodiscard]] Result<std::optional<NamedSides>> sidesNamedBy(const std::filesystem::path& path);

}  // namespace ulp::analysis
