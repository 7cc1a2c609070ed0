#include <filesystem>
#include <system_error>

#include "core/base/files/plugin_library.h"
#include "core/engine/engine.h"
#include "core/engine/engine_abi.h"
#include "core/engine/torch_folder.h"

namespace ulp::engine {

Result<std::shared_ptr<Engine>> loadEngine() {
  std::error_code gone;
  static_cast<void>(std::filesystem::current_path(gone));
  if (gone == std::errc::no_such_file_or_directory) {
    // MKL, which LibTorch brings, would end the program.
    return fail(ErrorCode::Unsupported,
                "engine: needs a working folder, and that of this program was deleted; start it in "
                "another one");
  }
  ULP_TRY(openTorch());
  const PluginLibrary library{
      .what = "engine",
      .file = kEngineLibraryName,
      .variable = kEngineLibraryVariable,
      .symbol = kCreateEngineSymbol,
      .remedy =
          "install Ulpscope again (in a checkout: `make setup`, and build), or point "
          "ULP_ENGINE_LIBRARY at libulpscope_engine.so"};
  const auto plugin = ULP_TRY(openPlugin(library));
  auto* const create = reinterpret_cast<CreateEngine*>(plugin.entry);
  std::unique_ptr<Engine> engine;
  if (!create(engineFingerprint(), &engine) || engine == nullptr) {
    return tl::unexpected<Error>(otherVersion(plugin, library));
  }
  return std::shared_ptr<Engine>(std::move(engine));
}

}  // namespace ulp::engine
