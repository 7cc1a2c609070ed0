#include "core/comparing/align/recognised_dump.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/dumps/importers/importer.h"
#include "core/dumps/model/dump.h"
#include "core/dumps/msprobe/compare_json.h"

namespace ulp::analysis {

Result<RecognisedDump> recogniseDump(const std::filesystem::path& path,
                                     const std::stop_token& stop) {
  const auto dump = ULP_TRY(dumps::openDump(path, stop));
  RecognisedDump found{.format = dump->format, .units = {}, .notes = dump->notes};
  for (const dumps::UnitInfo& unit : dump->units) {
    found.units.push_back(unit.axes);
  }
  return found;
}

Result<> checkUnits(const RecognisedDump& dump, const report::DumpSide& side) {
  return dumps::checkChoice(side.path, dump.units, side.units);
}

std::vector<std::string> recordingTools() {
  return dumps::recordingTools();
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

Result<std::optional<NamedSides>> sidesNamedBy(const std::filesystem::path& path) {
  if (!dumps::msprobe::isCompareJson(path)) {
    return std::nullopt;
  }
  auto named = ULP_TRY(dumps::msprobe::readCompareJson(path));
  return NamedSides{.baseline = std::move(named.golden), .candidate = std::move(named.target)};
}

}  // namespace ulp::analysis
