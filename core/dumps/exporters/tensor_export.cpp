#include "core/dumps/exporters/tensor_export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/list_of.h"
#include "core/dumps/importers/importer.h"

namespace ulp::dumps {

Result<DumpExportOutcome> exportTensors(const TensorExport& wanted,
                                        const std::stop_token& stop,
                                        const Progress& progress) {
  const DumpExporterRegistry exporters = builtinDumpExporters();
  const DumpExporter* exporter = exporters.find(wanted.format);
  if (exporter == nullptr) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("unknown format '{}' of tensors; choose {}",
                            wanted.format,
                            fmt::join(listOf(exporters.all(), &DumpExporter::id), ", ")));
  }
  auto opened = ULP_TRY(openDump(wanted.source, stop));
  const auto dump = ULP_TRY(chooseUnits(std::move(opened), wanted.units));
  auto outcome =
      ULP_TRY(exportDump(*dump, wanted.target, *exporter, wanted.options, stop, progress));
  const std::vector<std::string> notes = textsOf(dump->notes);
  outcome.notes.insert(outcome.notes.begin(), notes.begin(), notes.end());
  return outcome;
}

}  // namespace ulp::dumps
