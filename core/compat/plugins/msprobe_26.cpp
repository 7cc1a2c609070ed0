#include <utility>

#include "core/compat/comparator.h"
#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/results/process_comparison.h"
#include "core/compat/msprobe/results/table_26.h"

namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using msprobe::ProcessPair;

Result<msprobe::PairingRule> ruleOf(const CompareRequest& request) {
  msprobe::PairingRule rule{.isFuzzy = request.isFuzzy};
  if (!request.dataMapping.empty()) {
    rule.dataMapping = ULP_TRY(msprobe::readNameMapping(request.dataMapping));
  }
  if (!request.cellMapping.empty()) {
    rule.cellMapping = ULP_TRY(msprobe::readNameMapping(request.cellMapping));
  }
  return rule;
}

fs::path fileOf(const CompareRequest& request,
                const ProcessPair& processes,
                const std::string& timestamp) {
  return request.output / processes.folder /
         (msprobe::tableName(processes, timestamp) + (request.isSpreadsheet ? ".xlsx" : ".csv"));
}

Result<> compareOne(const ProcessPair& processes,
                    const msprobe::PairingRule& rule,
                    const fs::path& path,
                    CompareOutcome& outcome,
                    const std::stop_token& stop,
                    const dumps::Progress& progress) {
  auto compared = ULP_TRY(msprobe::compareSides(processes, rule, outcome.notes, stop, progress));
  const msprobe::Sides& sides = compared.sides;
  if (!msprobe::hasTable(sides, rule.generation, outcome.notes)) {
    return {};
  }
  ULP_TRY(makeFolder(path.parent_path()));
  const bool isSheet = path.extension() == ".xlsx";
  const std::size_t rows = sides.pairs.size();
  const std::vector<std::string> titles = msprobe::titles26(sides);
  const auto write = [&](msprobe::TableFile& file) {
    msprobe::writeTable26(sides, compared.tensors, file);
  };
  return msprobe::keepFiles(
      isSheet ? msprobe::writeSheetFile(path, titles, rows, {.hasFlags = true}, write)
              : msprobe::writeCsvFile(path, titles, rows, write),
      outcome);
}

Result<CompareOutcome> compareMsprobe26(const CompareRequest& request,
                                        const std::stop_token& stop,
                                        const dumps::Progress& progress) {
  auto rule = ULP_TRY(ruleOf(request));
  return msprobe::compareProcesses(
      request, [&](const ProcessPair& pair, const std::string& timestamp, CompareOutcome& outcome) {
        return compareOne(pair, rule, fileOf(request, pair, timestamp), outcome, stop, progress);
      });
}

}  // namespace

void registerMsprobe26(ComparatorRegistry& registry) {
  registry.add({"msprobe-26",
                "msprobe 26.x",
                {{CompareOption::Spreadsheet},
                 {CompareOption::Fuzzy, "-fm"},
                 {CompareOption::DataMapping, "-dm"},
                 {CompareOption::CellMapping, "-cm"}},
                compareMsprobe26});
}

}  // namespace ulp::compat
