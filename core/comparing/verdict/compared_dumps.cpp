#include "core/comparing/verdict/compared_dumps.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

#include "core/base/list_of.h"
#include "core/base/shape.h"
#include "core/comparing/match/entry_matching.h"
#include "core/comparing/match/row_identity.h"
#include "core/comparing/measure/unit_comparison.h"
#include "core/comparing/verdict/dump_comparison.h"
#include "core/comparing/verdict/dump_report.h"
#include "core/dumps/model/dump.h"
#include "core/report/model/one_dump.h"

namespace ulp::analysis {
namespace {

std::string keyOf(Pass pass, std::string_view name) {
  return fmt::format("{}|{}", static_cast<int>(pass), name);
}

/// Where each row of the report is in the matching.
std::unordered_map<std::string, std::size_t> indexOf(const UnitSides& units,
                                                     const UnitMatching& matching) {
  std::unordered_map<std::string, std::size_t> index;
  SiteNames names;
  for (std::size_t i = 0; i < matching.rows.size(); ++i) {
    const RowPair& row = matching.rows[i];
    if (isTensorPair(*units.baseline, *units.candidate, row)) {
      Site site = siteOf(*units.baseline, matching.entries[row.entry].baseline, row.baseline);
      names.makeUnique(site);
      index.emplace(keyOf(site.pass, site.name), i);
    }
  }
  return index;
}

}  // namespace

std::vector<std::string> enclosingCalls(const ComparedTensor& tensor) {
  std::vector<std::string> calls =
      dumps::enclosingCalls(*tensor.units.candidate, tensor.candidateEntry);
  return calls.empty() ? dumps::enclosingCalls(*tensor.units.baseline, tensor.baselineEntry)
                       : calls;
}

Result<TensorPairPtr> lookAtPair(const ComparedTensor& tensor, const Site& site) {
  const UnitSides& units = tensor.units;
  if (units.baseline == units.candidate && tensor.baselineRow == tensor.candidateRow) {
    auto only = ULP_TRY(units.baseline->look(tensor.baselineRow));
    std::vector<std::int64_t> ownShape = only.view.shape;
    tensors::Tensor same = only;
    return makeTensorPair(site, std::move(only), std::move(same), 1, std::move(ownShape));
  }
  auto baseline = ULP_TRY(whileDoing("baseline", units.baseline->look(tensor.baselineRow)));
  auto candidate = ULP_TRY(whileDoing("candidate", units.candidate->look(tensor.candidateRow)));
  if (isSqueezedSame(baseline.view.shape, candidate.view.shape)) {
    candidate.view.shape = baseline.view.shape;
  }
  std::vector<std::int64_t> shape = baseline.view.shape;
  return makeTensorPair(site, std::move(baseline), std::move(candidate), 1, std::move(shape));
}

/// A pair of units with the rows of the report found in it.
struct ComparedDumps::OpenPair {
  std::string run;
  UnitSides units;
  UnitMatching matching;
  std::unordered_map<std::string, std::size_t> index;  ///< in matching.rows
  std::vector<PlacedTensor> tensors;                   ///< of one dump: parallel to them
};

ComparedDumps::ComparedDumps(report::DumpOrigin origin) : m_origin(std::move(origin)) {}
ComparedDumps::~ComparedDumps() = default;

Result<UnitPair> ComparedDumps::pairOf(const std::string& run) const {
  const dumps::Dump& baseline = *m_sides->baseline;
  const dumps::Dump& candidate = *m_sides->candidate;
  const std::string baselineName = dumpNameOf(baseline.path);
  const std::string candidateName = dumpNameOf(candidate.path);
  const UnitPairing pairing = pairUnits(baseline, candidate);
  const auto found = std::ranges::find_if(pairing.pairs, [&](const UnitPair& pair) {
    const std::string label =
        labelOf(baseline.units[pair.baseline].axes, candidate.units[pair.candidate].axes);
    return runNameOf(label, baselineName, candidateName) == run;
  });
  if (found == pairing.pairs.end()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{} and {} have no '{}' in common any more",
                            baseline.path.string(),
                            candidate.path.string(),
                            run));
  }
  return *found;
}

Result<UnitPair> ComparedDumps::unitOf(const std::string& run) const {
  const dumps::Dump& dump = *m_sides->baseline;
  const std::string name = dumpNameOf(dump.path);
  const auto found = std::ranges::find_if(
      dump.units, [&](const dumps::UnitInfo& unit) { return unitNameOf(unit.axes, name) == run; });
  if (found == dump.units.end()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{} has no '{}' any more", dump.path.string(), run));
  }
  const auto place = static_cast<std::size_t>(found - dump.units.begin());
  return UnitPair{.baseline = place, .candidate = place};
}

Result<> ComparedDumps::openOnce(const std::stop_token& stop) {
  if (!m_sides) {
    auto sides = ULP_TRY(openSides(m_origin, stop));
    m_sides = std::move(sides);
  }
  return {};
}

Result<std::vector<std::string>> ComparedDumps::runs(const std::stop_token& stop) {
  const std::scoped_lock lock(m_mutex);
  ULP_TRY(openOnce(stop));
  const std::string name = dumpNameOf(m_sides->baseline->path);
  return listOf(m_sides->baseline->units,
                [&](const dumps::UnitInfo& unit) { return unitNameOf(unit.axes, name); });
}

Result<ComparedDumps::OpenPairPtr> ComparedDumps::open(const std::string& run,
                                                       const std::stop_token& stop) {
  const std::scoped_lock lock(m_mutex);
  const auto known =
      std::ranges::find_if(m_pairs, [&](const OpenPairPtr& pair) { return pair->run == run; });
  if (known != m_pairs.end()) {
    std::rotate(m_pairs.begin(), known, known + 1);
    return m_pairs.front();
  }
  ULP_TRY(openOnce(stop));
  auto opened = std::make_shared<OpenPair>();
  opened->run = run;
  if (report::isOneDump(m_origin)) {
    const auto unit = ULP_TRY(unitOf(run));
    opened->units.baseline = ULP_TRY(m_sides->baseline->openUnit(unit.baseline, stop));
    opened->units.candidate = opened->units.baseline;
    opened->tensors = ULP_TRY(tensorsInOrder(*opened->units.baseline));
    matchWithItself(*opened);
  } else {
    const auto pair = ULP_TRY(pairOf(run));
    opened->units = ULP_TRY(openUnitPair(*m_sides, pair, stop));
    opened->matching =
        ULP_TRY(matchUnits(*opened->units.baseline, *opened->units.candidate, m_sides->mapping));
    opened->index = indexOf(opened->units, opened->matching);
  }
  m_pairs.push_front(std::move(opened));
  if (m_pairs.size() > kKept) {
    m_pairs.pop_back();
  }
  return m_pairs.front();
}

void ComparedDumps::matchWithItself(OpenPair& one) {
  for (std::size_t entry = 0; entry < one.units.baseline->entries.size(); ++entry) {
    one.matching.entries.push_back({entry, entry});
  }
  for (const PlacedTensor& tensor : one.tensors) {
    one.index.emplace(keyOf(tensor.site.pass, tensor.site.name), one.matching.rows.size());
    one.matching.rows.push_back({tensor.row, tensor.row, tensor.entry});
  }
}

Result<UnitTensors> ComparedDumps::tensorsOf(const std::string& run, const std::stop_token& stop) {
  const auto opened = ULP_TRY(open(run, stop));
  return UnitTensors{.unit = opened->units.baseline, .tensors = opened->tensors};
}

Result<std::optional<ComparedTensor>> ComparedDumps::find(const std::string& run,
                                                          const Site& site,
                                                          const std::stop_token& stop) {
  const auto opened = ULP_TRY(open(run, stop));
  const OpenPair& pair = *opened;
  const auto found = pair.index.find(keyOf(site.pass, site.name));
  if (found == pair.index.end()) {
    return std::optional<ComparedTensor>();
  }
  const RowPair& row = pair.matching.rows[found->second];
  const EntryPair& entry = pair.matching.entries[row.entry];
  return std::optional(ComparedTensor{.units = pair.units,
                                      .baselineEntry = entry.baseline,
                                      .candidateEntry = entry.candidate,
                                      .baselineRow = row.baseline,
                                      .candidateRow = row.candidate});
}

}  // namespace ulp::analysis
