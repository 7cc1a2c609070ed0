#include <utility>

#include "core/compat/comparator.h"
#include "core/compat/msprobe/process_comparison.h"
#include "core/compat/msprobe/row_cells.h"
#include "core/compat/msprobe/table_26.h"
#include "core/compat/msprobe/table_file.h"

namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using msprobe::ProcessPair;

Result<msprobe::PairingRule> ruleOf(const CompareRequest& request) {
  msprobe::PairingRule rule{.isFuzzy = request.isFuzzy};
  const auto readInto = [](const fs::path& path, msprobe::NameMapping& mapping) -> Result<> {
    if (path.empty()) {
      return {};
    }
    auto read = msprobe::readNameMapping(path);
    if (!read) {
      return tl::unexpected<Error>(std::move(read.error()));
    }
    mapping = std::move(*read);
    return {};
  };
  if (auto read = readInto(request.dataMapping, rule.dataMapping); !read) {
    return tl::unexpected<Error>(std::move(read.error()));
  }
  if (auto read = readInto(request.cellMapping, rule.cellMapping); !read) {
    return tl::unexpected<Error>(std::move(read.error()));
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
  auto compared = msprobe::compareSides(processes, rule, outcome.notes, stop, progress);
  if (!compared) {
    return tl::unexpected<Error>(std::move(compared.error()));
  }
  const msprobe::Sides& sides = compared->sides;
  if (!msprobe::hasTable(sides, rule.generation, outcome.notes)) {
    return {};
  }
  if (auto made = makeFolder(path.parent_path()); !made) {
    return made;
  }
  const bool isSheet = path.extension() == ".xlsx";
  const std::size_t rows = sides.pairs.size();
  const std::vector<std::string> titles = msprobe::titles26(sides);
  const auto write = [&](msprobe::TableFile& file) {
    msprobe::writeTable26(sides, compared->tensors, file);
  };
  return msprobe::keepFiles(
      isSheet ? msprobe::writeSheetFile(path, titles, rows, {.hasFlags = true}, write)
              : msprobe::writeCsvFile(path, titles, rows, write),
      outcome);
}

Result<CompareOutcome> compare(const CompareRequest& request,
                               const std::stop_token& stop,
                               const dumps::Progress& progress) {
  auto rule = ruleOf(request);
  if (!rule) {
    return tl::unexpected<Error>(std::move(rule.error()));
  }
  return msprobe::compareProcesses(
      request, [&](const ProcessPair& pair, const std::string& timestamp, CompareOutcome& outcome) {
        return compareOne(pair, *rule, fileOf(request, pair, timestamp), outcome, stop, progress);
      });
}

}  // namespace

void registerMsprobe26(ComparatorRegistry& registry) {
  registry.add({"msprobe-26",
                "msprobe 26.x",
                {CompareOption::Spreadsheet,
                 CompareOption::Fuzzy,
                 CompareOption::DataMapping,
                 CompareOption::CellMapping},
                compare});
}

}  // namespace ulp::compat
