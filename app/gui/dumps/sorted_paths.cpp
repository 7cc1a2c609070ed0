#include "app/gui/dumps/sorted_paths.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/comparing/align/dump_sides.h"
#include "views/framework/workspace/study_document.h"

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

QString absoluteText(const std::filesystem::path& path) {
  std::error_code hasNoFolder;
  return QString::fromStdString(
      std::filesystem::absolute(path, hasNoFolder).lexically_normal().string());
}

}  // namespace

QStringList SortedPaths::pair() const {
  const bool isPair =
      all.size() == 2 && !dumps.isEmpty() && std::ranges::none_of(others, &views::isStudyFile);
  return isPair ? all : QStringList();
}

SortedPaths sortPaths(const QStringList& paths, const std::stop_token& stop) {
  SortedPaths sorted;
  for (const QString& path : paths) {
    if (stop.stop_requested()) {
      break;
    }
    auto named = analysis::sidesNamedBy(path.toStdString());
    if (!named) {
      sorted.problem = std::move(named.error());
    } else if (*named) {
      const QStringList sides{absoluteText((*named)->baseline), absoluteText((*named)->candidate)};
      sorted.all << sides;
      sorted.dumps << sides;
    } else {
      sorted.all << path;
      (isOfDumps(path) ? sorted.dumps : sorted.others) << path;
    }
  }
  return sorted;
}

}  // namespace ulp::app
