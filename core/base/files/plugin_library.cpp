#include "core/base/files/plugin_library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <system_error>

#include "core/base/files/shared_library.h"

namespace ulp {
namespace {

namespace fs = std::filesystem;

Result<OpenPlugin> openFile(const fs::path& file, const PluginLibrary& library) {
  const auto opened = openSharedLibrary(file);
  if (!opened) {
    return fail(
        ErrorCode::Unsupported,
        file.string() + ": cannot be loaded (" + opened.error().message() + "); " + library.remedy);
  }
  void* symbol = dlsym(*opened, library.symbol.c_str());
  if (symbol == nullptr) {
    return fail(ErrorCode::Unsupported,
                file.string() + ": is not an Ulpscope " + library.what + "; " + library.remedy);
  }
  return OpenPlugin{file, symbol};
}

}  // namespace

std::vector<fs::path> installedAt(const std::string& variable,
                                  const std::string& file,
                                  std::string_view folder) {
  if (const char* chosen = std::getenv(variable.c_str());  // NOLINT(concurrency-mt-unsafe)
      chosen != nullptr && *chosen != '\0') {
    return {fs::path(chosen)};
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    return {};
  }
  const fs::path beside = program.parent_path();
  return {beside / file, beside.parent_path() / folder / file};
}

Result<OpenPlugin> openPlugin(const PluginLibrary& library) {
  std::string tried;
  for (const fs::path& candidate : installedAt(library.variable, library.file, "lib")) {
    std::error_code error;
    if (fs::exists(candidate, error)) {
      return openFile(candidate, library);
    }
    tried += (tried.empty() ? "" : ", ") + candidate.string();
  }
  return fail(ErrorCode::Unsupported,
              library.what + ": library not found (looked for " + tried + "); " + library.remedy);
}

Error otherVersion(const OpenPlugin& plugin, const PluginLibrary& library) {
  return {ErrorCode::Unsupported,
          plugin.file.string() + ": belongs to another version of Ulpscope; " + library.remedy};
}

}  // namespace ulp
