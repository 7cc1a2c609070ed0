#include "core/dumps/importers/importer.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <system_error>
#include <utility>

#include "core/base/list_of.h"
#include "core/dumps/hosts/host_dump.h"
#include "core/dumps/model/folders.h"

namespace ulp::dumps {

ImporterRegistry builtinImporters() {
  ImporterRegistry registry;
  registerBuiltin(registry);
  return registry;
}

std::vector<std::string> recordingTools() {
  const ImporterRegistry registry = builtinImporters();
  std::vector<Importer> importers = registry.all();
  std::ranges::stable_sort(
      importers, {}, [](const Importer& importer) { return importer.tool.order; });
  std::vector<std::string> names;
  for (const Importer& importer : importers) {
    const std::string& name = importer.tool.name;
    if (!name.empty() && std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

Result<DumpPtr> openDump(const std::filesystem::path& path, const std::stop_token& stop) {
  const OneLook look;
  if (isHostDump(path)) {
    Dump dump = ULP_TRY(openHostDump(path, stop));
    dump.path = path;
    return std::make_shared<const Dump>(std::move(dump));
  }
  const ImporterRegistry registry = builtinImporters();
  const Importer* best = nullptr;
  Claim claim = Claim::No;
  for (const Importer& importer : registry.all()) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, fmt::format("{}: opening was cancelled", path.string()));
    }
    const Claim its = importer.recognise(path);
    if (its > claim) {
      best = &importer;
      claim = its;
    }
  }
  std::error_code status;
  if (best == nullptr && !std::filesystem::exists(path, status)) {
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file or folder", path.string()));
  }
  if (best == nullptr) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: holds nothing that Ulpscope reads; known are: {}",
                            path.string(),
                            fmt::join(listOf(registry.all(), &Importer::title), ", ")));
  }
  Dump dump = ULP_TRY(best->open(path, stop));
  dump.importer = best->id;
  dump.path = path;
  return std::make_shared<const Dump>(std::move(dump));
}

}  // namespace ulp::dumps
