#include "core/base/files/plugin_library.h"
#include "core/engine/engine.h"
#include "core/engine/engine_abi.h"

namespace ulp::engine {

Result<std::shared_ptr<Engine>> loadEngine() {
  const PluginLibrary library{
      .what = "engine",
      .file = kEngineLibraryName,
      .variable = kEngineLibraryVariable,
      .symbol = kCreateEngineSymbol,
      .remedy =
          "run `make setup` and build again, or point ULP_ENGINE_LIBRARY at libulpscope_engine.so"};
  const auto plugin = ULP_TRY(openPlugin(library));
  auto* const create = reinterpret_cast<CreateEngine*>(plugin.entry);
  std::unique_ptr<Engine> engine;
  if (!create(engineFingerprint(), &engine) || engine == nullptr) {
    return tl::unexpected<Error>(otherVersion(plugin, library));
  }
  return std::shared_ptr<Engine>(std::move(engine));
}

}  // namespace ulp::engine
