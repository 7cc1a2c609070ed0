#include <fmt/format.h>
#include <optional>
#include <utility>

#include "core/compat/comparator.h"
#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/results/process_comparison.h"
#include "core/compat/msprobe/results/table_8.h"

namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using msprobe::ProcessPair;

struct Names {
  fs::path table;
  fs::path advice;
};

/// "compare_result_rank0_20261121072937.xlsx", "advisor_rank0_20261121072937.txt"
Names namesOf(const CompareRequest& request,
              const ProcessPair& processes,
              const std::string& timestamp) {
  const fs::path folder = request.output / processes.folder;
  return {folder / (msprobe::tableName(processes, timestamp) + ".xlsx"),
          folder / fmt::format("advisor{}_{}.txt", processes.suffix, timestamp)};
}

Result<> compareOne(const CompareRequest& request,
                    const ProcessPair& processes,
                    const Names& names,
                    CompareOutcome& outcome,
                    const std::stop_token& stop,
                    const dumps::Progress& progress) {
  const msprobe::PairingRule rule{.generation = msprobe::Generation::V8,
                                  .isFuzzy = request.isFuzzy};
  auto compared = ULP_TRY(msprobe::compareSides(processes, rule, outcome.notes, stop, progress));
  const msprobe::Sides& sides = compared.sides;
  if (!msprobe::hasTable(sides, rule.generation, outcome.notes)) {
    return {};
  }
  if (sides.target.hasNumberedGradients || sides.golden.hasNumberedGradients) {
    outcome.notes.push_back(fmt::format(
        "{}: gradients of parameters were left out: they have the names of 26.x, which 8.x does "
        "not know; take msprobe-26",
        (sides.target.hasNumberedGradients ? sides.target : sides.golden).path.string()));
  }
  ULP_TRY(makeFolder(names.table.parent_path()));
  const bool isColoured = msprobe::isColoured8(sides, request.isHighlighted);
  const std::vector<std::string> titles = msprobe::titles8(sides);
  const msprobe::SheetStyle style =
      isColoured
          ? msprobe::SheetStyle{.name = "Sheet", .infinity = msprobe::SheetInfinity::TabBehind}
          : msprobe::SheetStyle{.hasFlags = true};
  std::optional<msprobe::Suspect> suspect;
  auto written = msprobe::writeSheetFile(
      names.table, titles, sides.pairs.size(), style, [&](msprobe::TableFile& file) {
        suspect = msprobe::writeTable8(sides, compared.tensors, isColoured, file);
      });
  ULP_TRY(msprobe::keepFiles(std::move(written), outcome));
  return writeResult(names.advice, msprobe::adviceOn(suspect), outcome);
}

Result<CompareOutcome> compareMsprobe8(const CompareRequest& request,
                                       const std::stop_token& stop,
                                       const dumps::Progress& progress) {
  return msprobe::compareProcesses(
      request, [&](const ProcessPair& pair, const std::string& timestamp, CompareOutcome& outcome) {
        return compareOne(
            request, pair, namesOf(request, pair, timestamp), outcome, stop, progress);
      });
}

}  // namespace

void registerMsprobe8(ComparatorRegistry& registry) {
  // Its tables are spreadsheets whether one is asked for or not.
  registry.add({"msprobe-8",
                "msprobe 8.x",
                {{CompareOption::Spreadsheet},
                 {CompareOption::Fuzzy, "-f"},
                 {CompareOption::Highlight, "-hl"}},
                compareMsprobe8});
}

}  // namespace ulp::compat
