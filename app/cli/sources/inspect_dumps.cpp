#include "app/cli/sources/inspect_dumps.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

#include "core/comparing/match/row_identity.h"
#include "core/comparing/verdict/compared_dumps.h"
#include "core/dumps/hosts/host_dump.h"
#include "core/remote/mirror/remote_run.h"
#include "core/remote/ssh/session.h"
#include "core/report/model/one_dump.h"

namespace ulp::cli {
namespace {

using analysis::ComparedDumps;

/// A tensor of a report's row.
struct RowSide {
  std::string run;  ///< that the dumps are asked for
  Site site;
  bool isBaseline = false;
};

Result<tensors::Tensor> readSide(ComparedDumps& dumps, const RowSide& side) {
  const auto found = ULP_TRY(dumps.find(side.run, side.site));
  const report::DumpOrigin& origin = dumps.origin();
  const std::filesystem::path& path =
      side.isBaseline || report::isOneDump(origin) ? origin.baseline.path : origin.candidate.path;
  if (!found) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: holds no '{}', {}, any more; read or compare it anew",
                            path.string(),
                            side.site.name,
                            toString(side.site.pass)));
  }
  const dumps::DumpRow& row = side.isBaseline ? found->baseline() : found->candidate();
  if (!row.hasElements) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: holds no elements of '{}', {}: statistics or checksums alone were "
                            "recorded (msprobe: task tensor records elements), or its file is gone",
                            path.string(),
                            side.site.name,
                            toString(side.site.pass)));
  }
  return side.isBaseline ? found->units.baseline->look(found->baselineRow)
                         : found->units.candidate->look(found->candidateRow);
}

/// Items beside what reads them.
struct Sides {
  InspectSource source{.hasRuns = true};
  std::vector<RowSide> sides;

  void add(InspectItem item, RowSide side) {
    source.items.push_back(std::move(item));
    sides.push_back(std::move(side));
  }
  [[nodiscard]] InspectSource readFrom(std::shared_ptr<ComparedDumps> dumps) && {
    const auto all = std::make_shared<const std::vector<RowSide>>(std::move(sides));
    source.read = [dumps = std::move(dumps), all](std::size_t index) {
      return readSide(*dumps, (*all)[index]);
    };
    return std::move(source);
  }
};

void addRows(Sides& sides, const report::Run& run, const std::string& baselineName) {
  const std::size_t first = sides.source.items.size();
  for (const report::Comparison& row : run.comparisons) {
    sides.add(
        {.run = baselineName, .site = row.site, .storedAs = row.referenceDType, .shape = row.shape},
        {.run = run.name, .site = row.site, .isBaseline = true});
  }
  for (std::size_t i = 0; i < run.comparisons.size(); ++i) {
    const report::Comparison& row = run.comparisons[i];
    sides.add({.run = run.name,
               .site = row.site,
               .storedAs = row.variantDType,
               .shape = row.shape,
               .reference = first + i},
              {.run = run.name, .site = row.site});
  }
}

Result<bool> isFileOnHost(const std::filesystem::path& path) {
  const remote::RemoteRun mark = ULP_TRY(remote::readRemoteDump(path));
  const auto session = remote::sharedSession(mark.host, mark.program);
  const auto there =
      ULP_TRY(session->ask({.head = json::Object{{"ask", "stat"}, {"path", mark.folder}}}));
  return there.head.at("kind").text() == "file";
}

/// Of tensors alone that have a name and nothing else.
bool isPlain(const dumps::DumpUnit& unit) {
  return std::ranges::all_of(unit.entries, [](const dumps::DumpEntry& entry) {
    return entry.kind == dumps::EntryKind::Tensor;
  });
}

}  // namespace

InspectSource inspectReport(const report::Report& report) {
  Sides sides;
  const bool isOne = report::isOfOneDump(report);
  const auto units = std::ranges::count_if(
      report.runs, [](const report::Run& run) { return !run.comparisons.empty(); });
  for (const report::Run& run : report.runs) {
    if (isOne) {
      for (const report::Comparison& row : run.comparisons) {
        sides.add(
            {.run = run.name, .site = row.site, .storedAs = row.variantDType, .shape = row.shape},
            {.run = run.name, .site = row.site});
      }
    } else {
      addRows(sides,
              run,
              units == 1 ? report.reference : fmt::format("{}: {}", report.reference, run.name));
    }
  }
  return std::move(sides).readFrom(std::make_shared<ComparedDumps>(*report.dumps));
}

Result<InspectSource> inspectDump(const std::filesystem::path& path,
                                  std::vector<std::string>& warnings) {
  const auto dumps =
      std::make_shared<ComparedDumps>(report::DumpOrigin{.baseline = {.path = path}});
  Sides sides;
  sides.source.isOnHost = dumps::isHostDump(path);
  const bool isFile = sides.source.isOnHost && ULP_TRY(isFileOnHost(path));
  std::optional<Error> failure;
  bool isRead = false;
  for (const std::string& run : ULP_TRY(dumps->runs())) {
    const auto unit = dumps->tensorsOf(run);
    if (!unit) {
      warnings.push_back(unit.error().message());
      if (!failure) {
        failure = unit.error();
      }
      continue;
    }
    isRead = true;
    // A file of tensors has no runs, wherever it is.
    const bool hasRun = !isFile || !isPlain(*unit->unit);
    sides.source.hasRuns = hasRun;
    for (const analysis::PlacedTensor& tensor : unit->tensors) {
      const dumps::DumpRow& row = unit->unit->rows[tensor.row];
      sides.add({.run = hasRun ? run : std::string(),
                 .site = !hasRun ? Site{.name = tensor.site.name, .module = ""} : tensor.site,
                 .storedAs = !hasRun ? row.dtype : analysis::elementTypeName(row),
                 .shape = row.shape},
                {.run = run, .site = tensor.site});
    }
  }
  if (!isRead && failure) {
    warnings.clear();
    return tl::make_unexpected(*std::move(failure));
  }
  return std::move(sides).readFrom(dumps);
}

}  // namespace ulp::cli
