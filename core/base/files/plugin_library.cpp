#include "core/base/files/plugin_library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <system_error>

namespace ulp {
namespace {

namespace fs = std::filesystem;

Result<OpenPlugin> openFile(const fs::path& file, const PluginLibrary& library) {
  // What it links keeps threads and thread-local destructors: once loaded, it stays until the end.
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    const char* reason = dlerror();  // NOLINT(concurrency-mt-unsafe)
    return fail(ErrorCode::Unsupported,
                file.string() + ": cannot be loaded (" + (reason != nullptr ? reason : "?") +
                    "); " + library.remedy);
  }
  void* symbol = dlsym(handle, library.symbol.c_str());
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
