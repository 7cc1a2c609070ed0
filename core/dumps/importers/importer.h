#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/registry.h"
#include "core/base/result.h"
#include "core/dumps/model/dump.h"

namespace ulp::dumps {

/// How sure an importer is that a path is its own: by content, by names alone only that it is
/// Damaged.
enum class Claim : std::uint8_t {
  No,
  Generic,  ///< it can show what is there, as it could any tensors
  Damaged,  ///< only its tool names files so, and none of them can be read: open() says why
  Certain   ///< marks of the tool's own were found
};

/// A program of others that records dumps.
struct RecordingTool {
  std::string name;  ///< as its users write it: "Fast-LLM"
  int order = 0;     ///< among the tools that people are told of
};

/// A format of dumps. recognise() reads little: headers, names in a folder; it never fails. Of
/// several processes or steps the first one that can be read decides; another one that cannot be
/// read is an error of its unit, or a note of the dump. open() lists the units and reads none of
/// them.
struct Importer {
  std::string id;     ///< "msprobe"
  std::string title;  ///< "msprobe dump"
  Claim (*recognise)(const std::filesystem::path& path) = nullptr;
  /// Leaves Dump::importer and Dump::path to openDump(). Errors: NotFound, CorruptData,
  /// Unsupported, Io, Cancelled.
  Result<Dump> (*open)(const std::filesystem::path& path, const std::stop_token& stop) = nullptr;
  RecordingTool tool{};  ///< without a name: no tool's own format, or Ulpscope's
};

using ImporterRegistry = Registry<Importer>;
void registerBuiltin(ImporterRegistry& registry);
[[nodiscard]] ImporterRegistry builtinImporters();

/// Names each tool whose dumps the importers of this build read once, in its order: "msprobe".
[[nodiscard]] std::vector<std::string> recordingTools();

/// Opens a file or folder with the importer that claims it most surely; among equals the first in
/// the registry. Errors: NotFound; Unsupported, naming the formats that are known, where none does;
/// Cancelled; those of the importer.
[[nodiscard]] Result<DumpPtr> openDump(const std::filesystem::path& path,
                                       const std::stop_token& stop = {});

}  // namespace ulp::dumps
