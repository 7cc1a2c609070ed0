#include "app/gui/sorted_paths.h"

#include <algorithm>

#include "core/analysis/dumps/dump_sides.h"
#include "core/analysis/dumps/recognised_dump.h"
#include "views/framework/workspace.h"

namespace ulp::app {
namespace {

/// FOLDER#RUN names a run's tensors, also where a report lies beside them.
bool isOfDumps(const QString& path) {
  if (views::isStudyFile(path)) {
    return false;
  }
  const report::DumpSide side = analysis::parseSide(path.toStdString());
  return side.units.run.empty() ? analysis::isDump(side.path) : analysis::looksLikeDump(side.path);
}

}  // namespace

QStringList SortedPaths::pair() const {
  const bool isPair =
      all.size() == 2 && !dumps.isEmpty() && std::ranges::none_of(others, &views::isStudyFile);
  return isPair ? all : QStringList();
}

SortedPaths sortPaths(const QStringList& paths, const std::stop_token& stop) {
  SortedPaths sorted{.all = paths, .dumps = {}, .others = {}};
  for (const QString& path : paths) {
    if (stop.stop_requested()) {
      break;
    }
    (isOfDumps(path) ? sorted.dumps : sorted.others) << path;
  }
  return sorted;
}

}  // namespace ulp::app
