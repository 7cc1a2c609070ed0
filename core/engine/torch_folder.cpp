#include "core/engine/torch_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/base/files/shared_library.h"

namespace ulp::engine {
namespace {

namespace fs = std::filesystem;

/// "2.11.0+cu130" of the line `__version__ = '2.11.0+cu130'` of a package's version.py; empty where
/// there is no such line.
std::string packageVersion(const fs::path& folder) {
  std::ifstream file(folder / "version.py");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find_first_of("'\"");
    const std::size_t last = line.find_last_of("'\"");
    if (line.starts_with("__version__") && first < last) {
      return line.substr(first + 1, last - first - 1);
    }
  }
  return {};
}

tl::unexpected<Error> refuse(const fs::path& folder, const std::string& what) {
  return fail(ErrorCode::Unsupported,
              folder.string() + ": " + what + "; point " + kTorchFolderVariable +
                  " at the folder of the torch " + kTorchVersion +
                  " package, which `python3 -c 'import torch; print(torch.__path__[0])'` prints");
}

}  // namespace

Result<> openTorchFolder() {
  const char* chosen = std::getenv(kTorchFolderVariable);  // NOLINT(concurrency-mt-unsafe)
  if (chosen == nullptr || *chosen == '\0') {
    return {};
  }
  const fs::path folder(chosen);
  const std::string version = packageVersion(folder);
  if (version.empty()) {
    return refuse(folder, "is not the folder of a torch package");
  }
  // Behind "+" stands what it was built for.
  if (version.substr(0, version.find('+')) != kTorchVersion) {
    return refuse(folder, "holds torch " + version);
  }
  // The engine's library asks for it by this name, and takes what is loaded already.
  const fs::path library = folder / "lib" / "libtorch_cpu.so";
  if (const auto opened = openSharedLibrary(library); !opened) {
    return refuse(folder, "LibTorch cannot be loaded (" + opened.error().message() + ")");
  }
  return {};
}

}  // namespace ulp::engine
