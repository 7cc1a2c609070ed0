#include <memory>
#include <utility>

#include <QtCore/QCoreApplication>

#include "core/comparing/verdict/dump_comparison.h"
#include "views/mapping/mapping_picture.h"

namespace ulp::views {
namespace {

struct MappingSourceWords {
  Q_DECLARE_TR_FUNCTIONS(ulp::views::MappingEditor)
};

QString nameOf(const std::filesystem::path& path) {
  return QString::fromStdString(analysis::dumpNameOf(path));
}

Result<MappingUnits> openDumps(const report::DumpOrigin& origin, const std::stop_token& stop) {
  auto opened = ULP_TRY(analysis::openSides(origin, stop));
  const auto sides = std::make_shared<const analysis::DumpSides>(std::move(opened));
  const auto pairs = std::make_shared<const std::vector<analysis::UnitPair>>(
      analysis::pairUnits(*sides->baseline, *sides->candidate).pairs);
  if (pairs->empty()) {
    return fail(ErrorCode::InvalidArgument,
                sides->baseline->path.string() + " and " + sides->candidate->path.string() +
                    " have no step, rank or token in common");
  }
  MappingUnits units{.open = [sides, pairs](std::size_t pair, const std::stop_token& stopped) {
    return analysis::openUnitPair(*sides, pairs->at(pair), stopped);
  }};
  for (const analysis::UnitPair& pair : *pairs) {
    units.titles << QString::fromStdString(analysis::labelOf(
        sides->baseline->units[pair.baseline].axes, sides->candidate->units[pair.candidate].axes));
  }
  return units;
}

}  // namespace

MappingSource mappingSourceOf(const report::DumpOrigin& origin) {
  MappingSource source{
      .baseline = nameOf(origin.baseline.path),
      .candidate = nameOf(origin.candidate.path),
      .open = [origin](const std::stop_token& stop) { return openDumps(origin, stop); }};
  if (source.baseline == source.candidate) {
    source.baseline = MappingSourceWords::tr("%1 (baseline)").arg(source.baseline);
    source.candidate = MappingSourceWords::tr("%1 (candidate)").arg(source.candidate);
  }
  return source;
}

}  // namespace ulp::views
