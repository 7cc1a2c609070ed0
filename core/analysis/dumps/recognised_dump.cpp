#include "core/analysis/dumps/recognised_dump.h"

#include <algorithm>
#include <system_error>

#include "core/dumps/chosen_units.h"
#include "core/dumps/importers/importer.h"

namespace ulp::analysis {

Result<RecognisedDump> recogniseDump(const std::filesystem::path& path,
                                     const std::stop_token& stop) {
  const auto dump = dumps::openDump(path, stop);
  if (!dump) {
    return tl::unexpected<Error>(dump.error());
  }
  RecognisedDump found{.format = (*dump)->format, .units = {}, .notes = (*dump)->notes};
  for (const dumps::UnitInfo& unit : (*dump)->units) {
    found.units.push_back(unit.axes);
  }
  return found;
}

Result<> checkUnits(const RecognisedDump& dump, const report::DumpSide& side) {
  return dumps::checkChoice(side.path, dump.units, side.units);
}

bool looksLikeDump(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    return false;
  }
  const dumps::ImporterRegistry importers = dumps::builtinImporters();
  return std::any_of(
      importers.all().begin(), importers.all().end(), [&](const dumps::Importer& importer) {
        return importer.recognise(path) != dumps::Claim::No;
      });
}

bool isDump(const std::filesystem::path& path) {
  std::error_code ignored;
  return !std::filesystem::exists(path / "precision_report.json", ignored) && looksLikeDump(path);
}

}  // namespace ulp::analysis
