#pragma once

#include <filesystem>
#include <stop_token>
#include <string>

#include "core/base/unit_axes.h"
#include "core/dumps/exporters/dump_exporter.h"

namespace ulp::dumps {

/// Tensors that are to be written for other tools.
struct TensorExport {
  std::filesystem::path source;  ///< a dump, the folder of a study, or a file of tensors
  UnitAxes units{};              ///< of the source; empty axes: all
  std::filesystem::path target;  ///< folder or file to write
  std::string format;            ///< id of a DumpExporter
  DumpExportOptions options{};
};

/// Opens the source and writes what is meant of it; the notes of the source are the first of the
/// outcome. Errors: InvalidArgument for a format that there is none, naming those that there are;
/// those of openDump(), chooseUnits() and exportDump().
[[nodiscard]] Result<DumpExportOutcome> exportTensors(const TensorExport& wanted,
                                                      const std::stop_token& stop = {},
                                                      const Progress& progress = {});

}  // namespace ulp::dumps
