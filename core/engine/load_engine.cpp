#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/engine_abi.h"

namespace ulp::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRemedy =
    "run `make setup` and build again, or point ULP_ENGINE_LIBRARY at libulpscope_engine.so";

/// $ULP_ENGINE_LIBRARY alone when it is set, else the places beside the program.
std::vector<fs::path> candidates() {
  if (const char* chosen = std::getenv(kEngineLibraryVariable);  // NOLINT(concurrency-mt-unsafe)
      chosen != nullptr && *chosen != '\0') {
    return {fs::path(chosen)};
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) {
    return {};
  }
  const fs::path folder = program.parent_path();
  return {folder / kEngineLibraryName, folder.parent_path() / "lib" / kEngineLibraryName};
}

Result<std::unique_ptr<Engine>> createFrom(const fs::path& library) {
  // LibTorch keeps threads and thread-local destructors: once loaded, it stays until the end.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    const char* reason = dlerror();  // NOLINT(concurrency-mt-unsafe)
    return fail(ErrorCode::Unsupported,
                library.string() + ": cannot be loaded (" + (reason != nullptr ? reason : "?") +
                    "); " + kRemedy);
  }
  void* symbol = dlsym(handle, kCreateEngineSymbol);
  if (symbol == nullptr) {
    return fail(ErrorCode::Unsupported,
                library.string() + ": is not an Ulpscope engine; " + kRemedy);
  }
  auto* const create = reinterpret_cast<CreateEngine*>(symbol);
  std::unique_ptr<Engine> engine;
  if (!create(engineFingerprint(), &engine) || engine == nullptr) {
    return fail(ErrorCode::Unsupported,
                library.string() + ": belongs to another version of Ulpscope; " + kRemedy);
  }
  return engine;
}

}  // namespace

Result<std::shared_ptr<Engine>> loadEngine() {
  std::string tried;
  for (const fs::path& candidate : candidates()) {
    std::error_code error;
    if (fs::exists(candidate, error)) {
      auto engine = createFrom(candidate);
      if (!engine) {
        return tl::unexpected(std::move(engine.error()));
      }
      return std::shared_ptr<Engine>(std::move(*engine));
    }
    tried += (tried.empty() ? "" : ", ") + candidate.string();
  }
  return fail(ErrorCode::Unsupported,
              "engine: library not found (looked for " + tried + "); " + kRemedy);
}

}  // namespace ulp::engine
