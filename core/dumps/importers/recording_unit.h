#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/dumps/model/dump.h"

/// What ulpscope_recorder.py wrote of one step of one rank; the format is in docs/recording.md.
namespace ulp::dumps {

/// What the schemas of all versions begin with.
inline constexpr std::string_view kRecordingSchemas = "ulpscope.recording/";

/// The first line of an index.
struct RecordingHead {
  std::string schema{};
  UnitAxes axes{};
  bool isStatisticsOnly = false;
};

/// Nothing where the file cannot be read or is no index of a recording, of whatever version.
[[nodiscard]] std::optional<RecordingHead> readRecordingHead(const std::filesystem::path& index);
/// The first line is empty or no object of JSON, rather than one of another tool.
[[nodiscard]] bool isRecordingHeadBroken(const std::filesystem::path& index);

/// Reads an index.jsonl; elements stay in the files beside it. Errors: NotFound, Io, Cancelled,
/// CorruptData (`file: line n: what; remedy`). A last line that was cut off, a missing end and
/// missing files are notes.
[[nodiscard]] Result<DumpUnitPtr> openRecordingUnit(const std::filesystem::path& index,
                                                    const UnitAxes& axes,
                                                    const std::stop_token& stop,
                                                    const Progress& progress);

}  // namespace ulp::dumps
