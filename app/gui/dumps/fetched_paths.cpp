#include "app/gui/dumps/fetched_paths.h"

#include "core/base/stop_scope.h"
#include "core/remote/fetching/fetched_files.h"
#include "core/remote/hosts/host.h"

namespace ulp::app {
namespace {

Result<std::filesystem::path> fetchedPath(const QString& path) {
  return remote::fetch(ULP_TRY(remote::parseLocation(path.toStdString())));
}

}  // namespace

bool isOnHost(const QString& path) {
  return remote::isLocation(path.toStdString());
}

FetchedPaths fetchPaths(const QStringList& paths, const std::stop_token& stop) {
  const StopScope scope(stop);
  FetchedPaths fetched;
  for (const QString& path : paths) {
    if (!isOnHost(path)) {
      fetched.paths << path;
    } else if (const auto here = fetchedPath(path)) {
      fetched.paths << QString::fromStdString(here->string());
    } else if (!fetched.problem) {
      fetched.problem = here.error();
    }
  }
  return fetched;
}

}  // namespace ulp::app
