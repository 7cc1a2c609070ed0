#include <fmt/format.h>
#include <optional>

#include "core/base/files/folders.h"
#include "core/compat/comparator.h"
#include "core/compat/msprobe/files/table_file.h"
#include "core/compat/msprobe/results/process_comparison.h"
#include "core/compat/msprobe/results/table_8.h"

namespace ulp::compat {
namespace {

namespace fs = std::filesystem;
using msprobe::ProcessPair;

/// "compare_result_rank0_20261121072937.xlsx", "advisor_rank0_20261121072937.txt"
Result<> writeTable(const CompareRequest& request,
                    const ProcessPair& processes,
                    const msprobe::ComparedSides& compared,
                    CompareOutcome& outcome) {
  const fs::path folder = request.output / processes.folder;
  const msprobe::Sides& sides = compared.sides;
  if (sides.target.hasNumberedGradients || sides.golden.hasNumberedGradients) {
    outcome.notes.push_back(fmt::format(
        "{}: gradients of parameters were left out: they have the names of 26.x, which 8.x does "
        "not know; take msprobe-26",
        (sides.target.hasNumberedGradients ? sides.target : sides.golden).path.string()));
  }
  ULP_TRY(makeFolders(folder));
  const bool isColoured = msprobe::isColoured8(sides, request.isHighlighted);
  const msprobe::SheetStyle style =
      isColoured
          ? msprobe::SheetStyle{.name = "Sheet", .infinity = msprobe::SheetInfinity::TabBehind}
          : msprobe::SheetStyle{.hasFlags = true};
  std::optional<msprobe::Suspect> suspect;
  ULP_TRY(msprobe::keepFiles(
      msprobe::writeSheetFile(folder / (msprobe::tableName(processes) + ".xlsx"),
                              msprobe::titles8(sides),
                              sides.pairs.size(),
                              style,
                              [&](msprobe::TableFile& file) {
                                suspect =
                                    msprobe::writeTable8(sides, compared.tensors, isColoured, file);
                              }),
      outcome));
  return writeResult(
      folder / fmt::format("advisor{}_{}.txt", processes.suffix, processes.timestamp),
      msprobe::adviceOn(suspect),
      outcome);
}

Result<CompareOutcome> compareMsprobe8(const CompareRequest& request,
                                       const std::stop_token& stop,
                                       const dumps::Progress& progress) {
  return msprobe::compareTables(
      request,
      {.generation = msprobe::Generation::V8, .isFuzzy = request.isFuzzy},
      [&](const ProcessPair& pair,
          const msprobe::ComparedSides& compared,
          CompareOutcome& outcome) { return writeTable(request, pair, compared, outcome); },
      stop,
      progress);
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
